package dev.hearth.hadoop;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.PairRdd;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InvalidInputException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;

/**
 * Reads inputs of Hadoop into datasets of one context. Holds a configuration that the application may change; each
 * dataset has a copy of it, so that later changes do not reach it. Owned by the application.
 * <pre>{@code HadoopContext hadoop = HadoopContext.of(context);
 * PairRdd<LongWritable, Text> lines = hadoop.hadoopFile("hdfs:/logs", TextInputFormat.class, LongWritable.class, Text.class);
 * }</pre>
 */
public final class HadoopContext {
    private static final String PREFIX = "hearth.hadoop.";
    private static final String SPARK_PREFIX = "spark.hadoop.";

    private final HearthContext context;
    private final Configuration configuration;
    private final boolean reuse;

    private HadoopContext(HearthContext context, Configuration configuration, boolean reuse) {
        this.context = context;
        this.configuration = configuration;
        this.reuse = reuse;
    }

    /**
     * Reads inputs for {@code context}. The configuration has the site files of the process and the settings {@code
     * hearth.hadoop.*} of the context.
     */
    public static HadoopContext of(HearthContext context) {
        return new HadoopContext(context, configuration(context.settings()), false);
    }

    static Configuration configuration(Map<String, String> settings) {
        Configuration configuration = new Configuration();
        configuration.setIfUnset("mapreduce.fileoutputcommitter.algorithm.version", "1");
        for (String prefix : new String[] {SPARK_PREFIX, PREFIX}) {
            settings.forEach((key, value) -> {
                if (key.startsWith(prefix)) {
                    configuration.set(key.substring(prefix.length()), value);
                }
            });
        }
        return configuration;
    }

    /**
     * As this, but records are the objects of Hadoop's readers, which fill them again: faster, and only for functions
     * that keep none of them.
     */
    public HadoopContext reusing() {
        return new HadoopContext(context, configuration, true);
    }

    /** The configuration of datasets that are created from now on. */
    public Configuration hadoopConfiguration() {
        return configuration;
    }

    /** The records of files, by an input format of {@code org.apache.hadoop.mapred}. */
    public <K, V> PairRdd<K, V> hadoopFile(
            String path, Class<? extends InputFormat<K, V>> format, Class<K> key, Class<V> value, int minPartitions) {
        return hadoopRDD(files(path), format, key, value, minPartitions);
    }

    public <K, V> PairRdd<K, V> hadoopFile(
            String path, Class<? extends InputFormat<K, V>> format, Class<K> key, Class<V> value) {
        return hadoopFile(path, format, key, value, context.defaultMinPartitions());
    }

    /** The records of an input that {@code job} describes, by an input format of {@code org.apache.hadoop.mapred}. */
    public <K, V> PairRdd<K, V> hadoopRDD(
            JobConf job, Class<? extends InputFormat<K, V>> format, Class<K> key, Class<V> value, int minPartitions) {
        return input(job, format, minPartitions).pairs();
    }

    public <K, V> PairRdd<K, V> hadoopRDD(
            JobConf job, Class<? extends InputFormat<K, V>> format, Class<K> key, Class<V> value) {
        return hadoopRDD(job, format, key, value, context.defaultMinPartitions());
    }

    /** The splits of an input of {@code org.apache.hadoop.mapred}. */
    public <K, V> HadoopInput<K, V> input(JobConf job, Class<? extends InputFormat<K, V>> format, int minPartitions) {
        return input(new OldInput<>(job, format), minPartitions);
    }

    /** The splits of files, by an input format of {@code org.apache.hadoop.mapred}. */
    public <K, V> HadoopInput<K, V> input(String path, Class<? extends InputFormat<K, V>> format, int minPartitions) {
        return input(files(path), format, minPartitions);
    }

    /** The records of files, by an input format of {@code org.apache.hadoop.mapreduce}. */
    public <K, V, F extends org.apache.hadoop.mapreduce.InputFormat<K, V>> PairRdd<K, V> newAPIHadoopFile(
            String path, Class<F> format, Class<K> key, Class<V> value, Configuration more) {
        try {
            Job job = Job.getInstance(more);
            org.apache.hadoop.mapreduce.lib.input.FileInputFormat.setInputPaths(job, path);
            return newAPIHadoopRDD(job.getConfiguration(), format, key, value);
        } catch (IOException failure) {
            throw failure(path, failure);
        }
    }

    public <K, V, F extends org.apache.hadoop.mapreduce.InputFormat<K, V>> PairRdd<K, V> newAPIHadoopFile(
            String path, Class<F> format, Class<K> key, Class<V> value) {
        return newAPIHadoopFile(path, format, key, value, configuration);
    }

    /** The records of an input that {@code job} describes, by an input format of {@code org.apache.hadoop.mapreduce}. */
    public <K, V, F extends org.apache.hadoop.mapreduce.InputFormat<K, V>> PairRdd<K, V> newAPIHadoopRDD(
            Configuration job, Class<F> format, Class<K> key, Class<V> value) {
        return newInput(job, format).pairs();
    }

    /** The splits of an input of {@code org.apache.hadoop.mapreduce}. */
    public <K, V, F extends org.apache.hadoop.mapreduce.InputFormat<K, V>> HadoopInput<K, V> newInput(
            Configuration job, Class<F> format) {
        return input(new NewInput<>(job, format), 0);
    }

    /**
     * The records of sequence files. {@code key} and {@code value} are the Writables in the files, or the Java types for
     * which {@link WritableTypes} has one, such as String for Text.
     */
    public <K, V> PairRdd<K, V> sequenceFile(String path, Class<K> key, Class<V> value, int minPartitions) {
        PairRdd<Writable, Writable> read = this.<Writable, Writable>input(
                        files(path), WritableTypes.sequenceFiles(), minPartitions)
                .pairs();
        return context.pairs(read.map(new WritableTypes.FromWritables<>(key, value)));
    }

    public <K, V> PairRdd<K, V> sequenceFile(String path, Class<K> key, Class<V> value) {
        return sequenceFile(path, key, value, context.defaultMinPartitions());
    }

    private JobConf files(String path) {
        JobConf job = new JobConf(configuration);
        FileInputFormat.setInputPaths(job, path);
        return job;
    }

    private <K, V> HadoopInput<K, V> input(FormatInput<K, V> source, int minPartitions) {
        ReadRules rules = ReadRules.of(context.settings(), reuse);
        try {
            return new HadoopInput<>(context, source, rules, source.splits(minPartitions, rules.withEmpty()));
        } catch (IOException failure) {
            throw failure("of Hadoop", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HearthException("JOB_CANCELLED", "input: interrupted (expected: its splits)", interrupted);
        }
    }

    private static HearthException failure(String input, IOException failure) {
        boolean missing = failure instanceof InvalidInputException
                || failure instanceof org.apache.hadoop.mapreduce.lib.input.InvalidInputException
                || failure instanceof FileNotFoundException;
        return missing
                ? new HearthException(
                        "PATH_MISSING", failure.getMessage() + " (expected: files); check the path", failure)
                : new HearthException(
                        "TASK_FAILED",
                        "input " + input + ": " + failure.getMessage() + " (expected: its splits)",
                        failure);
    }
}
