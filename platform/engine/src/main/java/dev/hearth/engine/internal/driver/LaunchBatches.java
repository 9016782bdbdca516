package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps what a driver sends within the bound on messages. No state of its own. */
final class LaunchBatches {
    private static final int LAUNCH_BYTES = 64; // a launch without its input

    private LaunchBatches() {}

    /** Why a job cannot be sent to executors at all: a function or a partition that no message can carry. */
    static Optional<HearthException> check(StageTemplate template, List<Bytes> inputs, int messageBytesMax) {
        long most = (long) messageBytesMax - MessageBounds.ENVELOPE_BYTES;
        long functions = template.function().size();
        for (Step step : template.steps()) {
            functions += step.function().size();
        }
        if (functions > most) {
            return Optional.of(tooLarge("functions of the job", functions, most));
        }
        return inputs.stream()
                .filter(input -> input.size() > most)
                .findFirst()
                .map(input -> tooLarge("a partition", input.size(), most));
    }

    /** The launches in their order, in as few batches as the bound allows. */
    static List<List<TaskLaunch>> split(List<TaskLaunch> launches, int messageBytesMax) {
        long most = (long) messageBytesMax - MessageBounds.ENVELOPE_BYTES;
        List<List<TaskLaunch>> batches = new ArrayList<>();
        List<TaskLaunch> batch = new ArrayList<>();
        long bytes = 0;
        for (TaskLaunch launch : launches) {
            long weight = LAUNCH_BYTES + (long) launch.input().size();
            if (bytes + weight > most && !batch.isEmpty()) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(launch);
            bytes += weight;
        }
        batches.add(batch);
        return batches;
    }

    private static HearthException tooLarge(String what, long bytes, long most) {
        return ErrorCode.MESSAGE_TOO_LARGE.failure(what + ": " + bytes + " bytes (expected: at most " + most
                + ", from hearth.rpc.message.maxSize); make it smaller or use more partitions, or raise the setting");
    }
}
