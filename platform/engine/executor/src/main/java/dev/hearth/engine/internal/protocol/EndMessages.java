package dev.hearth.engine.internal.protocol;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.protocol.DriverProtocol.AccumulatorUpdateBody;
import dev.hearth.engine.internal.protocol.DriverProtocol.CauseText;
import dev.hearth.engine.internal.protocol.DriverProtocol.End;
import dev.hearth.engine.internal.protocol.DriverProtocol.FailureText;
import dev.hearth.engine.internal.protocol.DriverProtocol.FetchFailureBody;
import dev.hearth.engine.internal.protocol.DriverProtocol.Frame;
import dev.hearth.engine.internal.protocol.DriverProtocol.Outcome;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskEnds;
import dev.hearth.engine.internal.protocol.DriverProtocol.Value;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Converts the ends of task attempts to messages for the driver, and back. Stateless. */
public final class EndMessages {
    private static final int FRAME_BYTES = 32; // estimated size of a stack frame without its names
    private static final int END_BYTES = 256; // maximum size of a task end without its value, failure and updates

    private EndMessages() {}

    /**
     * Packs the task ends of one executor into as few messages of at most {@code messageBytesMax} bytes as possible. An
     * end that is too large for any message is replaced by a failure of its task.
     */
    public static List<TaskEnds> messages(
            ExecutorId executor, List<TaskEnd> ends, UserObjectSerializer objects, int messageBytesMax) {
        long most = (long) messageBytesMax - MessageBounds.ENVELOPE_BYTES;
        List<TaskEnds> messages = new ArrayList<>();
        List<End> batch = new ArrayList<>();
        long bytes = 0;
        for (TaskEnd end : ends) {
            End travelling = message(end, objects);
            if (weight(travelling) > most) {
                travelling = message(tooLarge(end, weight(travelling), most), objects);
            }
            long weight = weight(travelling);
            if (bytes + weight > most && !batch.isEmpty()) {
                messages.add(new TaskEnds(executor, List.copyOf(batch)));
                batch.clear();
                bytes = 0;
            }
            batch.add(travelling);
            bytes += weight;
        }
        messages.add(new TaskEnds(executor, List.copyOf(batch)));
        return messages;
    }

    /** Converts a message to the task end that it describes. */
    public static TaskEnd end(End message) {
        FailureText failure = message.failure();
        return new TaskEnd(
                message.task(),
                outcome(message.outcome()),
                value(message.value()),
                new TaskFailure(
                        failure.type(),
                        failure.text(),
                        elements(failure.frames()),
                        failure.permanent(),
                        failure.thrown(),
                        failure.causes().stream()
                                .map(cause -> new TaskFailure.Cause(cause.text(), elements(cause.frames())))
                                .toList()),
                message.missing()
                        .map(missing -> new FetchFailure(
                                missing.shuffle(),
                                missing.map(),
                                missing.others(),
                                missing.executor(),
                                missing.host(),
                                missing.reason())),
                message.metrics(),
                message.parts().stream()
                        .map(part -> new AccumulatorUpdate(part.accumulator(), new TaskResult.Encoded(part.part())))
                        .toList());
    }

    private static End message(TaskEnd end, UserObjectSerializer objects) {
        TaskFailure failure = end.failure();
        return new End(
                end.task(),
                Outcome.valueOf(end.outcome().name()),
                value(end.value(), objects),
                new FailureText(
                        failure.type(),
                        failure.text(),
                        frames(failure.frames()),
                        failure.permanent(),
                        failure.thrown(),
                        failure.causes().stream()
                                .map(cause -> new CauseText(cause.text(), frames(cause.frames())))
                                .toList()),
                end.fetch()
                        .map(fetch -> new FetchFailureBody(
                                fetch.shuffle(),
                                fetch.map(),
                                fetch.executor(),
                                fetch.host(),
                                fetch.reason(),
                                fetch.others())),
                end.metrics(),
                end.accumulated().stream()
                        .map(part -> new AccumulatorUpdateBody(part.accumulator(), bytes(part.part(), objects)))
                        .toList());
    }

    private static List<StackTraceElement> elements(List<Frame> frames) {
        return frames.stream().map(Frame::element).toList();
    }

    private static List<Frame> frames(List<StackTraceElement> elements) {
        return elements.stream().map(Frame::of).toList();
    }

    private static TaskOutcome outcome(Outcome outcome) {
        return TaskOutcome.valueOf(outcome.name());
    }

    private static Value value(TaskResult value, UserObjectSerializer objects) {
        if (value instanceof TaskResult.Indirect held) {
            return new Value(OptionalLong.empty(), Bytes.EMPTY, OptionalLong.of(held.weight()));
        }
        return value instanceof TaskResult.Shared shared && shared.value() instanceof Long number
                ? new Value(OptionalLong.of(number), Bytes.EMPTY, OptionalLong.empty())
                : new Value(OptionalLong.empty(), bytes(value, objects), OptionalLong.empty());
    }

    private static TaskResult value(Value value) {
        if (value.number().isPresent()) {
            return new TaskResult.Shared(value.number().getAsLong(), Long.BYTES);
        }
        if (value.held().isPresent()) {
            return new TaskResult.Indirect(value.held().getAsLong());
        }
        return value.bytes().size() == 0 ? TaskResult.NONE : new TaskResult.Encoded(value.bytes());
    }

    private static Bytes bytes(TaskResult value, UserObjectSerializer objects) {
        if (value instanceof TaskResult.Encoded encoded) {
            return encoded.bytes();
        }
        Object shared = ((TaskResult.Shared) value).value();
        return shared == null ? Bytes.EMPTY : objects.write(shared, "result of a task");
    }

    private static TaskEnd tooLarge(TaskEnd end, long bytes, long most) {
        return TaskEnd.ended(
                end.task(),
                TaskOutcome.FAILED,
                new TaskFailure(
                        "",
                        "result of " + bytes + " bytes (expected: at most " + most
                                + ", from hearth.rpc.message.maxSize); make it smaller, or raise the setting",
                        List.of(),
                        true),
                end.metrics());
    }

    /** Returns an upper bound of the size in bytes that {@code end}, the end of one task attempt, has in a message. */
    private static long weight(End end) {
        long parts = end.parts().stream()
                .mapToLong(part -> END_BYTES + part.part().size())
                .sum();
        FailureText failure = end.failure();
        return END_BYTES
                + end.value().bytes().size()
                + parts
                + 3L
                        * (failure.text().length()
                                + failure.type().length()
                                + failure.thrown().length())
                + weight(failure.frames())
                + failure.causes().stream()
                        .mapToLong(cause -> END_BYTES + 3L * cause.text().length() + weight(cause.frames()))
                        .sum();
    }

    private static long weight(List<Frame> frames) {
        return frames.stream().mapToLong(EndMessages::weight).sum();
    }

    /**
     * Returns an upper bound of the size in bytes that a stack frame has in a message. Counts the characters of its
     * names, because user code may create frames with names of any length.
     */
    private static long weight(Frame frame) {
        return FRAME_BYTES
                + 3L
                        * (frame.type().length()
                                + frame.method().length()
                                + frame.file().length());
    }
}
