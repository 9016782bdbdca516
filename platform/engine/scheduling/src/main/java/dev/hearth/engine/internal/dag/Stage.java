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
 * One stage that active jobs need: its place among the others, its state, its attempts. Owned by the stage scheduler; lives
 * from the first job that needs it until none does. What it has made is in its {@link StageOutput}, which may live longer.
 */
final class Stage {
    /** The stage of the oldest job first, then in the order of their making. */
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
    private int attemptsMade;
    private int failuresInARow;

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

    /** Active jobs that need it, the oldest first. */
    SortedMap<Integer, JobSpec> jobs() {
        return jobs;
    }

    /** The job it is run for. */
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

    /** Whether somebody waits for what it makes. */
    boolean isNeeded() {
        return plan.isResult()
                || readers.stream()
                        .anyMatch(reader -> reader.is(StageState.WAITING)
                                || (reader.is(StageState.RUNNING) && !reader.isCovered())
                                || reader.is(StageState.RETRYING));
    }

    /** Whether its attempt reads what is kept and no parents, as it seemed when it was planned: the first one may. */
    private boolean isCovered() {
        return plan.covered() && attemptsMade <= 1;
    }

    /** What it has to wait for. */
    List<Stage> missingParents() {
        if (plan.covered() && attemptsMade == 0) {
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

    /** Its newest attempt while there is one that may still bring something. */
    @Nullable
    StageAttempt current() {
        return current;
    }

    /** An attempt whose tasks may still run. */
    @Nullable
    StageAttempt attempt(int number) {
        return attempts.get(number);
    }

    List<StageAttempt> attempts() {
        return List.copyOf(attempts.values());
    }

    int attemptsMade() {
        return attemptsMade;
    }

    void begin(StageAttempt attempt) {
        attempts.put(attemptsMade++, attempt);
        current = attempt;
    }

    /** None of the attempt's tasks runs any more; the current one stays current until another begins or the stage ends. */
    void drained(StageAttempt attempt) {
        attempts.remove(attempt.id().attempt());
    }

    /** Forgets all attempts: what they still bring is of no use. */
    void end() {
        attempts.clear();
        current = null;
    }

    int failAgain() {
        return ++failuresInARow;
    }

    void clearFailures() {
        failuresInARow = 0;
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
                oldestJob().pool());
    }

    @Override
    public String toString() {
        return "stage " + id + (plan.name().isEmpty() ? "" : " (" + plan.name() + ")");
    }
}
