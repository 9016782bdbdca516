package dev.hearth.engine.internal.commit;

import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides which task attempt may commit the output of a partition: the first one that requests it. If that attempt ends
 * without success, another attempt may commit. A state machine, owned by the driver's event loop. It keeps the state of
 * a stage from its first attempt until no attempt is open and no committing task runs.
 * <p>Invariant: at most one attempt at a partition may commit at a time, and none after one has committed.
 */
public final class OutputCommitCoordinator {
    /**
     * Maximum number of unsuccessful task attempts that are remembered per stage, so that their late commit requests
     * are denied.
     */
    private static final int ENDED_MAX = 10_000;

    private final Map<Integer, StageCommits> stages = new LinkedHashMap<>();

    private record Attempt(int stageAttempt, int partition, int attempt) {}

    private static final class StageCommits {
        private final Set<Integer> open = new LinkedHashSet<>();
        private final Map<Integer, Attempt> committers = new LinkedHashMap<>();
        private final Set<Integer> published = new LinkedHashSet<>();
        private final Set<Attempt> ended = new LinkedHashSet<>();

        boolean isInUse() {
            return !open.isEmpty() || committers.size() > published.size();
        }
    }

    /** Handles the start of a stage attempt. From now on, its tasks may request to commit their outputs. */
    public void opened(TaskSetId set) {
        stages.computeIfAbsent(set.stage(), id -> new StageCommits()).open.add(set.attempt());
    }

    /**
     * Whether this task attempt may commit its output. The first attempt that asks for its partition may; an attempt
     * that may commit gets the same answer again.
     */
    public boolean mayCommit(TaskSetId set, int partition, int attempt) {
        StageCommits stage = stages.get(set.stage());
        Attempt asking = new Attempt(set.attempt(), partition, attempt);
        if (stage == null || !stage.open.contains(set.attempt()) || stage.ended.contains(asking)) {
            return false;
        }
        Attempt committer = stage.committers.putIfAbsent(partition, asking);
        return committer == null || committer.equals(asking);
    }

    /**
     * Handles the end of a task attempt. If the attempt was allowed to commit but did not succeed, another attempt may
     * commit.
     */
    public void ended(TaskInfo task, TaskOutcome outcome) {
        StageCommits stage = stages.get(task.stage());
        if (stage == null || outcome == TaskOutcome.RECALLED) { // a recalled attempt never ran and requested nothing
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
        dropIfUnused(task.stage(), stage);
    }

    /**
     * Handles the end of a stage attempt: denies further commit requests. Task attempts that were already allowed to
     * commit can finish.
     */
    public void over(TaskSetId set) {
        StageCommits stage = stages.get(set.stage());
        if (stage != null) {
            stage.open.remove(set.attempt());
            dropIfUnused(set.stage(), stage);
        }
    }

    /** Number of stages whose output commits are still coordinated. */
    int stages() {
        return stages.size();
    }

    private void dropIfUnused(int id, StageCommits stage) {
        if (!stage.isInUse()) {
            stages.remove(id);
        }
    }
}
