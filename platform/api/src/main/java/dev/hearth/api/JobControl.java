package dev.hearth.api;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@link HearthContext} that controls jobs: it sets the properties, groups and tags of the jobs that a
 * thread starts, cancels jobs and shows their status.
 */
public interface JobControl {
    /**
     * Defines a local property: jobs of this thread, and of threads that this thread starts later, pass the property to
     * their tasks. A null value removes it.
     * <pre>{@code context.localProperty("hearth.scheduler.pool", "reports");
     * Optional<String> pool = context.localProperty("hearth.scheduler.pool");}</pre>
     */
    void localProperty(String key, @Nullable String value);

    /**
     * The value of a local property of this thread; empty if neither this thread nor its creator has set it.
     * <pre>{@code String tenant = context.localProperty("tenant").orElse("none");}</pre>
     */
    Optional<String> localProperty(String key);

    /**
     * Assigns the jobs that this thread starts from now on to group {@code id}, until {@link #clearJobGroup} or the
     * next call of this method. If {@code interruptOnCancel}, cancelling a job interrupts the threads of its running
     * tasks.
     * <pre>{@code context.jobGroup("nightly", "what runs at night", true);
     * JobFuture<Long> counting = lines.countAsync();
     * context.cancelJobGroup("nightly", "it is morning", false);}</pre>
     */
    void jobGroup(String id, String description, boolean interruptOnCancel);

    /**
     * As {@link #jobGroup(String, String, boolean)}; cancelling a job does not interrupt the threads of its tasks.
     * <pre>{@code context.jobGroup("nightly", "what runs at night");}</pre>
     */
    default void jobGroup(String id, String description) {
        jobGroup(id, description, false);
    }

    /**
     * Ends the effect of {@link #jobGroup}: jobs that this thread starts from now on belong to no group.
     * <pre>{@code context.clearJobGroup();}</pre>
     */
    void clearJobGroup();

    /**
     * Sets the description that web pages and events show for jobs that this thread starts from now on; null removes
     * it.
     * <pre>{@code context.jobDescription("how many lines there are");
     * lines.count();}</pre>
     */
    void jobDescription(@Nullable String description);

    /**
     * Sets the call site that web pages and events show for jobs of this thread. Null restores the default: the line of
     * user code that started the job.
     * <pre>{@code context.callSite("report.sql:12");}</pre>
     */
    void callSite(@Nullable String shown);

    /**
     * Adds a tag to jobs that this thread starts from now on.
     * <pre>{@code context.addJobTag("report");
     * lines.count();
     * context.removeJobTag("report");}</pre>
     */
    void addJobTag(String tag);

    /**
     * Removes a tag from jobs that this thread starts from now on.
     * <pre>{@code context.removeJobTag("report");}</pre>
     */
    void removeJobTag(String tag);

    /**
     * The tags of jobs that this thread starts.
     * <pre>{@code boolean tagged = context.jobTags().contains("report");}</pre>
     */
    Set<String> jobTags();

    /**
     * Removes all tags from jobs that this thread starts from now on.
     * <pre>{@code context.clearJobTags();}</pre>
     */
    void clearJobTags();

    /**
     * Cancels a running job; the exception that its action throws contains {@code reason}.
     * <pre>{@code JobFuture<Long> counting = lines.countAsync();
     * counting.jobs().forEach(job -> context.cancelJob(job, "no longer needed"));}</pre>
     */
    void cancelJob(int job, String reason);

    /**
     * Cancels all running jobs that depend on stage {@code stage}.
     * <pre>{@code context.statusTracker().activeStages().forEach(stage -> context.cancelStage(stage, "too slow"));}</pre>
     */
    void cancelStage(int stage, String reason);

    /**
     * Cancels the running jobs of a group; with {@code futureJobs} also jobs that start later in the group.
     * <pre>{@code context.cancelJobGroup("nightly", "it is morning", true);}</pre>
     */
    void cancelJobGroup(String group, String reason, boolean futureJobs);

    /**
     * As {@link #cancelJobGroup(String, String, boolean)}, for running jobs only.
     * <pre>{@code context.cancelJobGroup("nightly", "it is morning");}</pre>
     */
    default void cancelJobGroup(String group, String reason) {
        cancelJobGroup(group, reason, false);
    }

    /**
     * As {@link #cancelJobGroup(String, String)}, with a standard reason.
     * <pre>{@code context.cancelJobGroup("nightly");}</pre>
     */
    default void cancelJobGroup(String group) {
        cancelJobGroup(group, ArgumentChecks.ASKED);
    }

    /**
     * Cancels the running jobs that have a tag.
     * <pre>{@code context.cancelJobsWithTag("report", "its reader has left");}</pre>
     */
    void cancelJobsWithTag(String tag, String reason);

    /**
     * As {@link #cancelJobsWithTag(String, String)}, with a standard reason.
     * <pre>{@code context.cancelJobsWithTag("report");}</pre>
     */
    default void cancelJobsWithTag(String tag) {
        cancelJobsWithTag(tag, ArgumentChecks.ASKED);
    }

    /**
     * Cancels all running jobs.
     * <pre>{@code context.cancelAllJobs("the program ends");}</pre>
     */
    void cancelAllJobs(String reason);

    /** As {@link #cancelAllJobs(String)}, with a standard reason. <pre>{@code context.cancelAllJobs();}</pre> */
    default void cancelAllJobs() {
        cancelAllJobs(ArgumentChecks.ASKED);
    }

    /**
     * Kills one task attempt, which is retried and does not count as a failure. Returns whether the attempt was
     * running.
     * <pre>{@code boolean wasRunning = context.killTask(17, true, "it hangs");}</pre>
     */
    boolean killTask(long task, boolean interrupt, String reason);

    /**
     * The status of jobs, stages and executors.
     * <pre>{@code List<Integer> running = context.statusTracker().activeJobs();}</pre>
     */
    StatusTracker statusTracker();
}
