package dev.hearth.hadoop;

import dev.hearth.api.task.TaskContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * Names of a job and of a task attempt, as Hadoop's formats and committers expect them. {@code job} is unique among the
 * jobs that write to one place. Immutable.
 */
record AttemptIds(String job, int partition, int attempt) {
    private static final int STAGE_BITS = 16;

    /** The names of the attempt that {@code task} is, counted through all attempts of its stage. */
    static AttemptIds of(String job, TaskContext task) {
        return new AttemptIds(job, task.partition(), (task.stageAttempt() << STAGE_BITS) | task.attempt());
    }

    JobID jobId() {
        return new JobID(job, 0);
    }

    TaskAttemptID attemptId() {
        return new TaskAttemptID(new TaskID(jobId(), TaskType.MAP, partition), attempt);
    }

    /** Sets the keys by which formats and committers find the names. */
    void set(Configuration configuration) {
        configuration.set("mapreduce.job.id", jobId().toString());
        configuration.set("mapreduce.task.id", attemptId().getTaskID().toString());
        configuration.set("mapreduce.task.attempt.id", attemptId().toString());
        configuration.setBoolean("mapreduce.task.ismap", true);
        configuration.setInt("mapreduce.task.partition", partition);
    }
}
