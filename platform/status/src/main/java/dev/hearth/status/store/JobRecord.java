package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.StageInfo;
import dev.hearth.spi.monitor.JobView;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/** The status of one job that the status store retains. Guarded by the lock of {@link StatusStore}. */
final class JobRecord {
    final JobStarted started;
    final TaskCounter tally = new TaskCounter();
    final Set<Integer> begun = new HashSet<>(); // submitted stages; never iterated, as a HashSet has no fixed order
    JobView.State state = JobView.State.RUNNING;
    String failure = "";
    OptionalLong endedMillis = OptionalLong.empty();
    int activeStages;
    int completedStages;
    int failedStages;
    private int skippedStages;
    private int skippedTasks;

    JobRecord(JobStarted started) {
        this.started = started;
    }

    void end(long millis, String why) {
        endedMillis = OptionalLong.of(millis);
        failure = why;
        state = why.isEmpty() ? JobView.State.SUCCEEDED : JobView.State.FAILED;
        for (StageInfo stage : started.stages()) {
            if (!begun.contains(stage.stage())) {
                skippedStages++;
                skippedTasks += stage.tasks();
            }
        }
    }

    JobView view() {
        return new JobView(
                started.job(),
                started.name(),
                started.description(),
                started.group(),
                started.tags(),
                state,
                failure,
                started.atMillis(),
                endedMillis,
                started.stages().stream().map(StageInfo::stage).toList(),
                new JobView.StageCounts(activeStages, completedStages, skippedStages, failedStages),
                TaskCounter.whole(
                        started.stages().stream().mapToLong(StageInfo::tasks).sum()),
                skippedTasks,
                tally.counts());
    }
}
