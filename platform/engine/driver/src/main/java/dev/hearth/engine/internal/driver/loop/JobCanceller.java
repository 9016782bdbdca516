package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;

/**
 * Cancels jobs of one application by id, stage, group or tag. Thread-safe: each request is posted to the driver's event
 * loop.
 */
public final class JobCanceller {
    private final EventLoop loop;
    private final SchedulerShell scheduling;

    JobCanceller(EventLoop loop, SchedulerShell scheduling) {
        this.loop = loop;
        this.scheduling = scheduling;
    }

    public void job(int job, String reason) {
        job(job, reason, false);
    }

    /**
     * Cancels a job. If {@code interrupt} is set, its tasks are interrupted even if the job was not submitted with that
     * option.
     */
    public void job(int job, String reason, boolean interrupt) {
        loop.execute(() -> scheduling.cancel(interrupt, (stages, now) -> stages.cancelJob(job, reason, now)));
    }

    public void stage(int stage, String reason) {
        loop.execute(() -> scheduling.cancel(false, (stages, now) -> stages.cancelStage(stage, reason, now)));
    }

    public void group(String group, String reason, boolean futureJobs) {
        loop.execute(
                () -> scheduling.cancel(false, (stages, now) -> stages.cancelGroup(group, reason, futureJobs, now)));
    }

    public void tag(String tag, String reason) {
        loop.execute(() -> scheduling.cancel(false, (stages, now) -> stages.cancelTag(tag, reason, now)));
    }

    public void all(String reason) {
        HearthException why = ErrorCode.JOB_CANCELLED.failure("all jobs: cancelled: " + reason);
        loop.execute(() -> scheduling.cancel(false, (stages, now) -> stages.cancelAll(why, now)));
    }
}
