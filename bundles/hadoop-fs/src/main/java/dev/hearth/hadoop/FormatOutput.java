package dev.hearth.hadoop;

import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** An output format with its configuration, of one of the two generations of Hadoop's API. Immutable; travels to tasks. */
abstract class FormatOutput<K, V> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final ConfigurationValues values;

    FormatOutput(Configuration configuration) {
        this.values = new ConfigurationValues(configuration);
    }

    /** A configuration for one attempt, with its names. */
    final Configuration configuration(AttemptIds ids) {
        Configuration configuration = values.load();
        ids.set(configuration);
        return configuration;
    }

    /** Writer of the records of one attempt. */
    interface Writer<K, V> {
        void write(K key, V value) throws IOException, InterruptedException;

        void close() throws IOException, InterruptedException;
    }

    abstract JobContext job(Configuration configuration, AttemptIds ids);

    abstract TaskAttemptContext attempt(Configuration configuration, AttemptIds ids);

    /** Fails if the output is there already, or the configuration is not complete. */
    abstract void check(JobContext job) throws IOException, InterruptedException;

    abstract OutputCommitter committer(TaskAttemptContext attempt) throws IOException, InterruptedException;

    abstract Writer<K, V> writer(TaskAttemptContext attempt, AttemptIds ids) throws IOException, InterruptedException;
}
