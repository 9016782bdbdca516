package dev.hearth.hadoop;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.hadoop.internal.FormatSettings;
import java.io.IOException;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputFormat;
import org.apache.hadoop.mapred.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes pairs by output formats of Hadoop. The committer of the format publishes the output when all tasks have
 * committed, and removes it if the job fails. Owned by the application.
 * <pre>{@code HadoopOutput.of(counts).saveAsSequenceFile("hdfs:/counts", String.class, Integer.class);}</pre>
 */
public final class HadoopOutput<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopOutput.class);

    private final PairRdd<K, V> pairs;
    private final Configuration configuration;

    private HadoopOutput(PairRdd<K, V> pairs, Configuration configuration) {
        this.pairs = pairs;
        this.configuration = configuration;
    }

    /** Writes {@code pairs}, with the configuration that {@link HadoopContext#of} gives their context. */
    public static <K, V> HadoopOutput<K, V> of(PairRdd<K, V> pairs) {
        return new HadoopOutput<>(
                pairs, HadoopContext.configuration(pairs.context().settings()));
    }

    /** As this, with another configuration, which is copied by each output. */
    public HadoopOutput<K, V> with(Configuration other) {
        return new HadoopOutput<>(pairs, other);
    }

    /** Writes files by an output format of {@code org.apache.hadoop.mapred}. */
    public void saveAsHadoopFile(
            String path,
            Class<?> key,
            Class<?> value,
            @SuppressWarnings("rawtypes") Class<? extends OutputFormat> format) {
        saveAsHadoopDataset(files(path, key, value, format));
    }

    /** As above, with compressed files. */
    public void saveAsHadoopFile(
            String path,
            Class<?> key,
            Class<?> value,
            @SuppressWarnings("rawtypes") Class<? extends OutputFormat> format,
            Class<? extends CompressionCodec> codec) {
        JobConf job = files(path, key, value, format);
        compress(job, codec);
        saveAsHadoopDataset(job);
    }

    /** Writes the output that {@code job} describes, by an output format of {@code org.apache.hadoop.mapred}. */
    public void saveAsHadoopDataset(JobConf job) {
        save(pairs, new OldOutput<>(job));
    }

    /** Writes files by an output format of {@code org.apache.hadoop.mapreduce}. */
    public void saveAsNewAPIHadoopFile(
            String path,
            Class<?> key,
            Class<?> value,
            @SuppressWarnings("rawtypes") Class<? extends org.apache.hadoop.mapreduce.OutputFormat> format) {
        try {
            Job job = Job.getInstance(configuration);
            job.setOutputKeyClass(key);
            job.setOutputValueClass(value);
            job.setOutputFormatClass(format);
            org.apache.hadoop.mapreduce.lib.output.FileOutputFormat.setOutputPath(job, new Path(path));
            saveAsNewAPIHadoopDataset(job.getConfiguration());
        } catch (IOException failure) {
            throw failure("TASK_FAILED", path, failure);
        }
    }

    /** Writes the output that {@code job} describes, by an output format of {@code org.apache.hadoop.mapreduce}. */
    public void saveAsNewAPIHadoopDataset(Configuration job) {
        save(pairs, new NewOutput<>(job));
    }

    /**
     * Writes sequence files. {@code key} and {@code value} are the types of the elements: Writables, or Java types for
     * which {@link WritableTypes} has one.
     */
    public void saveAsSequenceFile(String path, Class<K> key, Class<V> value) {
        saveAsSequenceFile(sequence(path, key, value));
    }

    /** As above, compressed by blocks of records. */
    public void saveAsSequenceFile(String path, Class<K> key, Class<V> value, Class<? extends CompressionCodec> codec) {
        JobConf job = sequence(path, key, value);
        compress(job, codec);
        saveAsSequenceFile(job);
    }

    private void saveAsSequenceFile(JobConf job) {
        Rdd<Pair<Writable, Writable>> writables = pairs.map(new WritableTypes.ToWritables<K, V>());
        save(writables, new OldOutput<>(job));
    }

    private JobConf sequence(String path, Class<K> key, Class<V> value) {
        return files(path, WritableTypes.writable(key), WritableTypes.writable(value), SequenceFileOutputFormat.class);
    }

    private JobConf files(
            String path,
            Class<?> key,
            Class<?> value,
            @SuppressWarnings("rawtypes") Class<? extends OutputFormat> format) {
        JobConf job = new JobConf(configuration);
        job.setOutputKeyClass(key);
        job.setOutputValueClass(value);
        job.setOutputFormat(format);
        FileOutputFormat.setOutputPath(job, new Path(path));
        return job;
    }

    private static void compress(JobConf job, Class<? extends CompressionCodec> codec) {
        FileOutputFormat.setCompressOutput(job, true);
        FileOutputFormat.setOutputCompressorClass(job, codec);
        SequenceFileOutputFormat.setOutputCompressionType(job, CompressionType.BLOCK);
    }

    private static <A, B> void save(Rdd<Pair<A, B>> records, FormatOutput<A, B> output) {
        HearthContext context = records.context();
        String name = UUID.randomUUID().toString().replace("-", "");
        AttemptIds ids = new AttemptIds(name, 0, 0);
        Configuration configuration = output.configuration(ids);
        JobContext job = output.job(configuration, ids);
        try {
            if (Boolean.parseBoolean(context.settings().getOrDefault(FormatSettings.VALIDATE.name(), "true"))) {
                output.check(job);
            }
            OutputCommitter committer = output.committer(output.attempt(configuration, ids));
            committer.setupJob(job);
            boolean committed = false;
            try {
                context.runJob(
                        records,
                        new WriteRecords<>(output, name),
                        IntStream.range(0, records.partitions()).boxed().toList());
                committer.commitJob(job);
                committed = true;
            } finally {
                if (!committed) {
                    abort(committer, job);
                }
            }
        } catch (FileAlreadyExistsException | org.apache.hadoop.mapred.FileAlreadyExistsException there) {
            throw failure("PATH_EXISTS", there.getMessage(), there);
        } catch (IOException failure) {
            throw failure("TASK_FAILED", "job " + name, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HearthException("JOB_CANCELLED", "output: interrupted (expected: it is written)", interrupted);
        }
    }

    private static void abort(OutputCommitter committer, JobContext job) {
        try {
            committer.abortJob(job, JobStatus.State.FAILED);
        } catch (IOException | RuntimeException failure) {
            LOG.warn("{}: what it has written is not removed", job.getJobID(), failure);
        }
    }

    private static HearthException failure(String code, String output, IOException failure) {
        return new HearthException(
                code, "output " + output + ": " + failure.getMessage() + " (expected: it is written)", failure);
    }
}
