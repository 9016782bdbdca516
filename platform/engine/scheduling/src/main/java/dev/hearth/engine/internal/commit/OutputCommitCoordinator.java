package dev.hearth.engine.internal.commit;

import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who may publish the output of a partition: the first attempt that asks, until it ends without success. A state machine,
 * owned by the driver's loop; a stage is known from its first attempt until none is open and none that may publish runs.
 * <p>Invariant: for a partition of a stage at most one attempt at a time may publish, and none after one has.
 */
public final class OutputCommitCoordinator {
    /** Attempts of one stage whose late question is known to be late; the last ones to end badly. */
    private static final int ENDED_MAX = 10_000;

    private final Map<Integer, StageCommits> stages = new LinkedHashMap<>();

    private record Attempt(int stageAttempt, int partition, int attempt) {}

    private static final class StageCommits {
        private final Set<Integer> open = new LinkedHashSet<>();
        private final Map<Integer, Attempt> committers = new LinkedHashMap<>();
        private final Set<Integer> published = new LinkedHashSet<>();
        private final Set<Attempt> ended = new LinkedHashSet<>();

        boolean isOfUse() {
            return !open.isEmpty() || committers.size() > published.size();
        }
    }

    /** An attempt at a stage begins. */
    public void opened(TaskSetId set) {
        stages.computeIfAbsent(set.stage(), id -> new StageCommits()).open.add(set.attempt());
    }

    /** Whether this attempt at a partition may publish; whoever was told yes is told so again. */
    public boolean mayCommit(TaskSetId set, int partition, int attempt) {
        StageCommits stage = stages.get(set.stage());
        Attempt asking = new Attempt(set.attempt(), partition, attempt);
        if (stage == null || !stage.open.contains(set.attempt()) || stage.ended.contains(asking)) {
            return false;
        }
        Attempt committer = stage.committers.putIfAbsent(partition, asking);
        return committer == null || committer.equals(asking);
    }

    /** An attempt ended, however it did. One that may have published keeps its place only when it succeeded. */
    public void ended(TaskInfo task, TaskOutcome outcome) {
        StageCommits stage = stages.get(task.stage());
        if (stage == null || outcome == TaskOutcome.RECALLED) { // that had not begun and cannot ask
            return;
        }
        Attempt ended = new Attempt(task.stageAttempt(), task.partition(), task.attempt());
        boolean committer = ended.equals(stage.committers.get(task.partition()));
        if (outcome == TaskOutcome.SUCCEEDED) {
            if (committer) {
                stage.published.add(task.partition());
            }
        } else if (!stage.published.contains(task.partition()) || !committer) {
            if (committer) {
                stage.committers.remove(task.partition());
            }
            stage.ended.add(ended);
            if (stage.ended.size() > ENDED_MAX) {
                stage.ended.remove(stage.ended.iterator().next());
            }
        }
        dropWhenUseless(task.stage(), stage);
    }

    /** Nobody may ask for this attempt at a stage any more; those that were told yes publish in peace. */
    public void over(TaskSetId set) {
        StageCommits stage = stages.get(set.stage());
        if (stage != null) {
            stage.open.remove(set.attempt());
            dropWhenUseless(set.stage(), stage);
        }
    }

    /** Stages that are known now. */
    int stages() {
        return stages.size();
    }

    private void dropWhenUseless(int id, StageCommits stage) {
        if (!stage.isOfUse()) {
            stages.remove(id);
        }
    }
}
