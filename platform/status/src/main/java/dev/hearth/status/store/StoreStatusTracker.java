package dev.hearth.status.store;

import dev.hearth.api.StatusTracker;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.StageView;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Status tracker of one application: answers its queries about jobs, stages and executors from the
 * {@link ApplicationStatus}. Thread-safe.
 */
public final class StoreStatusTracker implements StatusTracker {
    private final ApplicationStatus status;

    public StoreStatusTracker(ApplicationStatus status) {
        this.status = status;
    }

    @Override
    public List<Integer> activeJobs() {
        return jobs(job -> job.state() == JobView.State.RUNNING);
    }

    @Override
    public List<Integer> activeStages() {
        return status.activeStages().stream().map(StageView::id).distinct().toList();
    }

    @Override
    public List<Integer> jobsOfGroup(String group) {
        return jobs(job -> job.group().equals(group));
    }

    @Override
    public List<Integer> jobsWithTag(String tag) {
        return jobs(job -> job.tags().contains(tag));
    }

    @Override
    public Optional<JobStatus> job(int id) {
        return status.job(id).map(job -> new JobStatus(id, state(job.state()), job.stages()));
    }

    @Override
    public Optional<StageStatus> stage(int id) {
        List<StageView> attempts = status.stage(id);
        return attempts.isEmpty() ? Optional.empty() : Optional.of(status(attempts.get(attempts.size() - 1)));
    }

    @Override
    public List<ExecutorStatus> executors() {
        List<ExecutorView> live = status.executors().stream()
                .filter(executor -> executor.removedMillis().isEmpty())
                .toList();
        if (live.size() == 1) { // the only executor runs all active tasks, even if task events arrive as sums
            int running = status.activeStages().stream()
                    .mapToInt(stage -> stage.taskCounts().active())
                    .sum();
            return List.of(status(live.get(0), running));
        }
        return live.stream()
                .map(executor -> status(executor, executor.taskCounts().active()))
                .toList();
    }

    private List<Integer> jobs(Predicate<JobView> wanted) {
        return status.jobs().stream().filter(wanted).map(JobView::id).toList();
    }

    private static State state(JobView.State state) {
        return switch (state) {
            case RUNNING -> State.RUNNING;
            case SUCCEEDED -> State.SUCCEEDED;
            case FAILED -> State.FAILED;
        };
    }

    private static StageStatus status(StageView stage) {
        return new StageStatus(
                stage.id(),
                stage.attempt(),
                stage.info().name(),
                stage.submittedMillis().orElse(0),
                stage.info().tasks(),
                stage.taskCounts().active(),
                stage.taskCounts().succeeded(),
                stage.taskCounts().failed());
    }

    private static ExecutorStatus status(ExecutorView executor, int running) {
        return new ExecutorStatus(executor.id(), executor.host(), executor.cores(), running);
    }
}
