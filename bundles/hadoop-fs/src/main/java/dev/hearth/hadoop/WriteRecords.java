package dev.hearth.hadoop;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one partition as a task attempt of Hadoop. The attempt commits with the driver's permission, which one attempt
 * of a partition gets; otherwise it removes what it has written. Returns the number of records.
 */
record WriteRecords<K, V>(FormatOutput<K, V> output, String job) implements TaskFunction<Pair<K, V>, Long> {
    private static final Logger LOG = LoggerFactory.getLogger(WriteRecords.class);

    @Override
    public Long apply(TaskContext task, Iterator<Pair<K, V>> elements) throws Exception {
        AttemptIds ids = AttemptIds.of(job, task);
        Configuration configuration = output.configuration(ids);
        TaskAttemptContext attempt = output.attempt(configuration, ids);
        OutputCommitter committer = output.committer(attempt);
        committer.setupTask(attempt);
        Open<K, V> open = new Open<>();
        // the listeners that the application adds for a failure run before this one, as they may use the file
        task.onCompletion(end -> open.end(committer, attempt));
        FileBytes bytes = new FileBytes();
        open.writer = output.writer(attempt, ids);
        long written = write(open.writer, elements);
        open.closed = true;
        open.writer.close();
        if (committer.needsTaskCommit(attempt)) {
            if (!task.mayCommit()) {
                throw new HearthException(
                        "TASK_FAILED",
                        "output of " + ids.attemptId() + ": not committed, as another attempt was allowed to"
                                + " (expected: one attempt of a partition)");
            }
            committer.commitTask(attempt);
        }
        open.committed = true;
        task.countOutput(bytes.written(), written);
        return written;
    }

    /** State of an attempt: the end of one that fails closes its writer and removes its files. Used by its thread. */
    private static final class Open<K, V> {
        private FormatOutput.@Nullable Writer<K, V> writer;
        private boolean closed;
        private boolean committed;

        void end(OutputCommitter committer, TaskAttemptContext attempt) {
            if (writer != null && !closed) {
                closeAfterFailure(writer);
            }
            if (!committed) {
                abort(committer, attempt);
            }
        }
    }

    private static <K, V> long write(FormatOutput.Writer<K, V> writer, Iterator<Pair<K, V>> elements)
            throws IOException, InterruptedException {
        long written = 0;
        while (elements.hasNext()) {
            Pair<K, V> pair = elements.next();
            writer.write(pair.key(), pair.value());
            written++;
        }
        return written;
    }

    private static void closeAfterFailure(FormatOutput.Writer<?, ?> writer) {
        try {
            writer.close();
        } catch (IOException | InterruptedException | RuntimeException failure) {
            LOG.debug("writer: not closed after a failure", failure); // the first failure counts
        }
    }

    private static void abort(OutputCommitter committer, TaskAttemptContext attempt) {
        try {
            committer.abortTask(attempt);
        } catch (IOException | RuntimeException failure) {
            LOG.warn("{}: what it has written is not removed", attempt.getTaskAttemptID(), failure);
        }
    }
}
