package dev.hearth.hadoop;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobContextImpl;
import org.apache.hadoop.mapred.OutputFormat;
import org.apache.hadoop.mapred.RecordWriter;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TaskAttemptContextImpl;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Output format of {@code org.apache.hadoop.mapred}. */
final class OldOutput<K, V> extends FormatOutput<K, V> {
    private static final long serialVersionUID = 1L;

    OldOutput(JobConf job) {
        super(job);
    }

    @Override
    JobContext job(Configuration configuration, AttemptIds ids) {
        return new JobContextImpl(new JobConf(configuration), ids.jobId());
    }

    @Override
    TaskAttemptContext attempt(Configuration configuration, AttemptIds ids) {
        return new TaskAttemptContextImpl(new JobConf(configuration), ids.attemptId());
    }

    private static JobConf conf(JobContext job) {
        return (JobConf) job.getConfiguration();
    }

    @Override
    void check(JobContext job) throws IOException {
        JobConf conf = conf(job);
        conf.getOutputFormat().checkOutputSpecs(FileSystem.get(conf), conf);
    }

    @Override
    OutputCommitter committer(TaskAttemptContext attempt) {
        return conf(attempt).getOutputCommitter();
    }

    @Override
    @SuppressWarnings("unchecked") // the configuration names the format
    Writer<K, V> writer(TaskAttemptContext attempt, AttemptIds ids) throws IOException {
        JobConf conf = conf(attempt);
        OutputFormat<K, V> format = conf.getOutputFormat();
        String name = String.format(Locale.ROOT, "part-%05d", ids.partition());
        RecordWriter<K, V> writer = format.getRecordWriter(FileSystem.get(conf), conf, name, Reporter.NULL);
        return new Writer<>() {
            @Override
            public void write(K key, V value) throws IOException {
                writer.write(key, value);
            }

            @Override
            public void close() throws IOException {
                writer.close(Reporter.NULL);
            }
        };
    }
}
