package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.LargeOutput;
import dev.hearth.engine.internal.disk.LargeOutput.Written;
import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.disk.SegmentPart;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.task.TaskEnd;
import dev.hearth.engine.internal.task.TaskValue;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.Streams;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Results of tasks as they leave them: as bytes, and those too large for a message as files, which are served to the driver until it
 * has them or their tasks did not succeed. Any thread may call; lives with its executor.
 */
final class HeldResults {
    /** The driver reads a result from one array. */
    static final long BYTES_MAX = Integer.MAX_VALUE - 64L;

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private final UserObjects objects;
    private final int directBytesMax;
    private final Supplier<SegmentFiles> files;
    private final Map<Long, Segment> held = new ConcurrentHashMap<>(); // by task

    /** Of at most {@code directBytesMax} bytes in a message. */
    HeldResults(UserObjects objects, int directBytesMax, Supplier<SegmentFiles> files) {
        this.objects = objects;
        this.directBytesMax = directBytesMax;
        this.files = files;
    }

    /** Begins to serve; ends with the scope. */
    void serve(Streams streams) {
        streams.serve(BlockProtocol.RESULTS, this::open);
    }

    /** The value of a task as it travels; on the task's thread. */
    TaskValue write(long task, Object value, String subject) {
        LargeOutput out = new LargeOutput(directBytesMax, files, subject);
        try {
            objects.writeTo(out, value, subject);
            Written written = out.finish();
            if (written.file().isEmpty()) {
                return new TaskValue.Encoded(written.inline());
            }
            return held(task, written.file().get(), written.bytes(), subject);
        } catch (HearthException failure) {
            throw out.refusal().orElse(failure);
        } finally {
            out.abandon(); // nothing, once it is finished
        }
    }

    private TaskValue held(long task, Segment file, long bytes, String subject) {
        if (bytes > BYTES_MAX) {
            file.delete();
            throw ErrorCode.RESULTS_TOO_LARGE.failure(subject + ": " + bytes + " bytes (expected: at most " + BYTES_MAX
                    + " of one task); return it in more partitions, or write it to files");
        }
        Segment before = held.put(task, file);
        if (before != null) {
            before.delete();
        }
        return new TaskValue.Held(bytes);
    }

    /** Lets those go whose tasks ended without them. */
    void ended(List<TaskEnd> ends) {
        if (!held.isEmpty()) {
            ends.stream()
                    .filter(end -> !(end.value() instanceof TaskValue.Held))
                    .forEach(end -> drop(end.task()));
        }
    }

    /** The driver has it, or does not want it. */
    void drop(long task) {
        Segment file = held.remove(task);
        if (file != null) {
            file.delete();
        }
    }

    private Optional<StreamContent> open(String name) {
        if (!NUMBER.matcher(name).matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(held.get(Long.parseLong(name))).map(file -> {
            SegmentPart place = file.place(0);
            return new StreamContent.FilePart(Path.of(place.file()), place.offset(), place.bytes(), name);
        });
    }
}
