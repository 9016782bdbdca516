package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SpillingOutput;
import dev.hearth.engine.internal.disk.SpillingOutput.Written;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.FileSegment;
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
 * Serialises task results. A result too large for a message is written to a file and served to the driver. The file is
 * deleted when the driver drops the result or the task fails. Any thread may call; lives with its executor.
 */
final class LargeResults {
    /**
     * Maximum size in bytes of a serialised result. The driver reads a result into one array, so a larger one could not
     * be read.
     */
    static final long BYTES_MAX = Integer.MAX_VALUE - 64L;

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private final UserObjectSerializer objects;
    private final int directBytesMax;
    private final Supplier<TemporaryFiles> files;
    private final Map<Long, PartitionedFile> held = new ConcurrentHashMap<>(); // by task id

    /**
     * {@code directBytesMax} is the size in bytes up to which a result travels in a message. Larger results go to the
     * files that {@code files} supplies.
     */
    LargeResults(UserObjectSerializer objects, int directBytesMax, Supplier<TemporaryFiles> files) {
        this.objects = objects;
        this.directBytesMax = directBytesMax;
        this.files = files;
    }

    /** Serves the files of large results to the driver, until the RPC scope of {@code streams} ends. */
    void serve(Streams streams) {
        streams.serve(BlockProtocol.RESULTS, this::open);
    }

    /**
     * Serialises {@code value}, the result of the task {@code task}. The bytes travel in the task's report, or are
     * written to a file if they are too many. Called on the task's thread.
     */
    TaskResult write(long task, Object value, String subject) {
        SpillingOutput out = new SpillingOutput(directBytesMax, files, subject);
        try {
            objects.writeTo(out, value, subject);
            Written written = out.finish();
            if (written.file().isEmpty()) {
                return new TaskResult.Encoded(written.inline());
            }
            return held(task, written.file().get(), written.bytes(), subject);
        } catch (HearthException failure) {
            throw out.refusal().orElse(failure);
        } finally {
            out.abandon(); // deletes the file if it was not completed
        }
    }

    private TaskResult held(long task, PartitionedFile file, long bytes, String subject) {
        if (bytes > BYTES_MAX) {
            file.delete();
            throw ErrorCode.RESULTS_TOO_LARGE.failure(subject + ": " + bytes + " bytes (expected: at most " + BYTES_MAX
                    + " of one task); return it in more partitions, or write it to files");
        }
        PartitionedFile before = held.put(task, file);
        if (before != null) {
            before.delete();
        }
        return new TaskResult.Indirect(bytes);
    }

    /**
     * Deletes the stored results of those tasks in {@code ends} whose attempts failed or were killed after they had
     * stored a result.
     */
    void ended(List<TaskEnd> ends) {
        if (!held.isEmpty()) {
            ends.stream()
                    .filter(end -> !(end.value() instanceof TaskResult.Indirect))
                    .forEach(end -> drop(end.task()));
        }
    }

    /** Deletes the stored result of the task {@code task}, if there is one. */
    void drop(long task) {
        PartitionedFile file = held.remove(task);
        if (file != null) {
            file.delete();
        }
    }

    private Optional<StreamContent> open(String name) {
        if (!NUMBER.matcher(name).matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(held.get(Long.parseLong(name))).map(file -> {
            FileSegment place = file.segment(0);
            return new StreamContent.FilePart(Path.of(place.file()), place.offset(), place.bytes(), name);
        });
    }
}
