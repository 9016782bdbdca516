package dev.hearth.api;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link HearthContext} says about jobs: what those of a thread carry, what they do, and how they are ended. */
public interface JobControl {
    /**
     * Sets a property that the jobs of this thread, and of threads it starts from now on, carry to their tasks; null removes it.
     * <pre>{@code context.localProperty("hearth.scheduler.pool", "reports");
     * Optional<String> pool = context.localProperty("hearth.scheduler.pool");}</pre>
     */
    void localProperty(String key, @Nullable String value);

    /**
     * What {@link #localProperty(String, String)} has set for this thread.
     * <pre>{@code String tenant = context.localProperty("tenant").orElse("nobody");}</pre>
     */
    Optional<String> localProperty(String key);

    /**
     * The jobs this thread starts from now on belong to group {@code id}, until another is set or it is cleared.
     * <pre>{@code context.jobGroup("nightly", "what runs at night", true);
     * JobFuture<Long> counting = lines.countAsync();
     * context.cancelJobGroup("nightly", "it is morning", false);}</pre>
     */
    void jobGroup(String id, String description, boolean interruptOnCancel);

    /** As the other, without interrupting tasks. <pre>{@code context.jobGroup("nightly", "what runs at night");}</pre> */
    default void jobGroup(String id, String description) {
        jobGroup(id, description, false);
    }

    /**
     * The jobs this thread starts from now on belong to no group.
     * <pre>{@code context.clearJobGroup();}</pre>
     */
    void clearJobGroup();

    /**
     * What the jobs this thread starts from now on are shown as.
     * <pre>{@code context.jobDescription("how many lines there are");
     * lines.count();}</pre>
     */
    void jobDescription(@Nullable String description);

    /**
     * Where the user's code the jobs of this thread come from is shown to be; null: found on the stack.
     * <pre>{@code context.callSite("report.sql:12");}</pre>
     */
    void callSite(@Nullable String shown);

    /**
     * The jobs this thread starts from now on have this tag beside those they have.
     * <pre>{@code context.addJobTag("report");
     * lines.count();
     * context.removeJobTag("report");}</pre>
     */
    void addJobTag(String tag);

    /**
     * The jobs this thread starts from now on do without this tag.
     * <pre>{@code context.removeJobTag("report");}</pre>
     */
    void removeJobTag(String tag);

    /**
     * The tags of the jobs this thread starts.
     * <pre>{@code boolean tagged = context.jobTags().contains("report");}</pre>
     */
    Set<String> jobTags();

    /**
     * The jobs this thread starts from now on have no tags.
     * <pre>{@code context.clearJobTags();}</pre>
     */
    void clearJobTags();

    /**
     * Ends a running job; who waits for it hears the reason.
     * <pre>{@code JobFuture<Long> counting = lines.countAsync();
     * counting.jobs().forEach(job -> context.cancelJob(job, "no longer needed"));}</pre>
     */
    void cancelJob(int job, String reason);

    /**
     * Ends every job that needs the stage.
     * <pre>{@code context.statusTracker().activeStages().forEach(stage -> context.cancelStage(stage, "too slow"));}</pre>
     */
    void cancelStage(int stage, String reason);

    /**
     * Ends the running jobs of a group; with {@code futureJobs} those it will start as well.
     * <pre>{@code context.cancelJobGroup("nightly", "it is morning", true);}</pre>
     */
    void cancelJobGroup(String group, String reason, boolean futureJobs);

    /** As the other, of the running jobs alone. <pre>{@code context.cancelJobGroup("nightly", "it is morning");}</pre> */
    default void cancelJobGroup(String group, String reason) {
        cancelJobGroup(group, reason, false);
    }

    /** As the other, without a reason of its own. <pre>{@code context.cancelJobGroup("nightly");}</pre> */
    default void cancelJobGroup(String group) {
        cancelJobGroup(group, ArgumentChecks.ASKED);
    }

    /**
     * Ends the running jobs that have a tag.
     * <pre>{@code context.cancelJobsWithTag("report", "its reader has left");}</pre>
     */
    void cancelJobsWithTag(String tag, String reason);

    /** As the other, without a reason of its own. <pre>{@code context.cancelJobsWithTag("report");}</pre> */
    default void cancelJobsWithTag(String tag) {
        cancelJobsWithTag(tag, ArgumentChecks.ASKED);
    }

    /**
     * Ends all running jobs.
     * <pre>{@code context.cancelAllJobs("the program ends");}</pre>
     */
    void cancelAllJobs(String reason);

    /** As the other, without a reason of its own. <pre>{@code context.cancelAllJobs();}</pre> */
    default void cancelAllJobs() {
        cancelAllJobs(ArgumentChecks.ASKED);
    }

    /**
     * Ends one attempt, which is tried again and counts no failure; tells whether it was running.
     * <pre>{@code boolean wasRunning = context.killTask(17, true, "it hangs");}</pre>
     */
    boolean killTask(long task, boolean interrupt, String reason);

    /**
     * What jobs, stages and executors do.
     * <pre>{@code List<Integer> running = context.statusTracker().activeJobs();}</pre>
     */
    StatusTracker statusTracker();
}
