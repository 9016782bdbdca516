package dev.hearth.hadoop;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/** Output format of {@code org.apache.hadoop.mapreduce}. */
final class NewOutput<K, V> extends FormatOutput<K, V> {
    private static final long serialVersionUID = 1L;

    NewOutput(Configuration job) {
        super(job);
    }

    @Override
    JobContext job(Configuration configuration, AttemptIds ids) {
        return new JobContextImpl(configuration, ids.jobId());
    }

    @Override
    TaskAttemptContext attempt(Configuration configuration, AttemptIds ids) {
        return new TaskAttemptContextImpl(configuration, ids.attemptId());
    }

    @SuppressWarnings("unchecked") // the configuration names the format
    private OutputFormat<K, V> format(JobContext job) throws IOException {
        try {
            return (OutputFormat<K, V>) ReflectionUtils.newInstance(job.getOutputFormatClass(), job.getConfiguration());
        } catch (ClassNotFoundException missing) {
            throw new IOException("output format: " + missing, missing);
        }
    }

    @Override
    void check(JobContext job) throws IOException, InterruptedException {
        format(job).checkOutputSpecs(job);
    }

    @Override
    OutputCommitter committer(TaskAttemptContext attempt) throws IOException, InterruptedException {
        return format(attempt).getOutputCommitter(attempt);
    }

    @Override
    Writer<K, V> writer(TaskAttemptContext attempt, AttemptIds ids) throws IOException, InterruptedException {
        RecordWriter<K, V> writer = format(attempt).getRecordWriter(attempt);
        return new Writer<>() {
            @Override
            public void write(K key, V value) throws IOException, InterruptedException {
                writer.write(key, value);
            }

            @Override
            public void close() throws IOException, InterruptedException {
                writer.close(attempt);
            }
        };
    }
}
