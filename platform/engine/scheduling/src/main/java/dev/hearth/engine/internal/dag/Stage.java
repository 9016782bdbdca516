package dev.hearth.engine.internal.dag;

import dev.hearth.api.event.StageInfo;
import dev.hearth.engine.internal.plan.StagePlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One stage that running jobs need: its parent stages, the stages that read it, its state and its attempts. The
 * {@link StageOutput} records its results and may exist longer than the stage. Owned by {@link DagScheduler}, as long
 * as any job needs the stage.
 */
final class Stage {
    /**
     * Orders stages by the oldest job that needs each of them, then by stage id. Stages that no job needs come last.
     */
    static final Comparator<Stage> OLDEST_FIRST = Comparator.<Stage>comparingInt(
                    stage -> stage.jobs.isEmpty() ? Integer.MAX_VALUE : stage.jobs.firstKey())
            .thenComparingInt(stage -> stage.id);

    private final int id;
    private final StagePlan plan;
    private final StageOutput output;
    private final List<Stage> parents;
    private final Set<Stage> readers = new LinkedHashSet<>();
    private final SortedMap<Integer, JobSpec> jobs = new TreeMap<>();
    private final Map<Integer, StageAttempt> attempts = new LinkedHashMap<>();
    private StageState state = StageState.IDLE;
    private @Nullable StageAttempt current;
    private int attemptsStarted;
    private int consecutiveFailures;

    Stage(int id, StagePlan plan, StageOutput output, List<Stage> parents) {
        this.id = id;
        this.plan = plan;
        this.output = output;
        this.parents = List.copyOf(parents);
        parents.forEach(parent -> parent.readers.add(this));
    }

    int id() {
        return id;
    }

    StagePlan plan() {
        return plan;
    }

    StageOutput output() {
        return output;
    }

    boolean isDone() {
        return output.isComplete();
    }

    List<Stage> parents() {
        return parents;
    }

    Set<Stage> readers() {
        return readers;
    }

    /** The running jobs that need the stage, by job id, oldest first. */
    SortedMap<Integer, JobSpec> jobs() {
        return jobs;
    }

    /** The oldest running job that needs the stage. The stage's task sets take their pool and properties from it. */
    JobSpec oldestJob() {
        return jobs.get(jobs.firstKey());
    }

    StageState state() {
        return state;
    }

    boolean is(StageState asked) {
        return state == asked;
    }

    void move(StageState next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException(this + ": " + state + " -> " + next + " (expected: a legal move)");
        }
        state = next;
    }

    /**
     * Whether the output of this stage is needed now: by its job, or by a reading stage that waits, runs or is to be
     * retried.
     */
    boolean isNeeded() {
        return plan.isResult()
                || readers.stream()
                        .anyMatch(reader -> reader.is(StageState.WAITING)
                                || (reader.is(StageState.RUNNING) && !reader.isCovered())
                                || reader.is(StageState.RETRYING));
    }

    /**
     * Whether the running attempt reads cached blocks in place of the outputs of the parent stages. Only the first
     * attempt of a stage may do so.
     */
    private boolean isCovered() {
        return plan.covered() && attemptsStarted <= 1;
    }

    /** The parent stages whose outputs this stage needs and which are incomplete. */
    List<Stage> missingParents() {
        if (plan.covered() && attemptsStarted == 0) {
            return List.of();
        }
        List<Stage> missing = new ArrayList<>();
        for (Stage parent : parents) {
            if (!parent.isDone()) {
                missing.add(parent);
            }
        }
        return missing;
    }

    /** The newest attempt of this stage, or null if no attempt has begun or the stage has ended. */
    @Nullable
    StageAttempt current() {
        return current;
    }

    /** The attempt of this stage with the given number, or null if no task of that attempt can still run. */
    @Nullable
    StageAttempt attempt(int number) {
        return attempts.get(number);
    }

    List<StageAttempt> attempts() {
        return List.copyOf(attempts.values());
    }

    int attemptsStarted() {
        return attemptsStarted;
    }

    void begin(StageAttempt attempt) {
        attempts.put(attemptsStarted++, attempt);
        current = attempt;
    }

    /**
     * Removes an attempt that has no running task left. {@link #current} still returns it until the next attempt begins
     * or the stage ends.
     */
    void drained(StageAttempt attempt) {
        attempts.remove(attempt.id().attempt());
    }

    /** Removes all attempts of this stage, because no job needs their results any more. */
    void end() {
        attempts.clear();
        current = null;
    }

    int countFailure() {
        return ++consecutiveFailures;
    }

    void clearFailures() {
        consecutiveFailures = 0;
    }

    StageInfo info(int attempt, int tasks) {
        return new StageInfo(
                id,
                attempt,
                plan.name(),
                plan.details(),
                tasks,
                parents.stream().map(Stage::id).toList(),
                plan.datasets(),
                plan.shuffle(),
                plan.barrier(),
                oldestJob().pool(),
                plan.profile().id());
    }

    @Override
    public String toString() {
        return "stage " + id + (plan.name().isEmpty() ? "" : " (" + plan.name() + ")");
    }
}
