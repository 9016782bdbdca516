package dev.hearth.engine.internal.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** One scheduling pool: its task sets and the number of their running tasks. Owned by {@link PoolTree}. */
final class Pool {
    /**
     * Fair order, as in Spark: pools below their minimum share come first, in ascending order of running tasks divided
     * by minimum share. The other pools follow in ascending order of running tasks divided by weight.
     */
    static final Comparator<Pool> FAIR_ORDER = (one, other) -> {
        int order = fair(
                one.running,
                one.spec.minShare(),
                one.spec.weight(),
                other.running,
                other.spec.minShare(),
                other.spec.weight());
        return order != 0 ? order : one.spec.name().compareTo(other.spec.name());
    };

    private static final Comparator<TaskSet> FIFO_ORDER = Comparator.comparingInt(
                    (TaskSet set) -> set.spec().job())
            .thenComparingInt(set -> set.id().stage())
            .thenComparingInt(set -> set.id().attempt());
    private static final Comparator<TaskSet> FAIR_SET_ORDER = (one, other) -> {
        int order = fair(one.runningTasks(), 0, 1, other.runningTasks(), 0, 1);
        return order != 0 ? order : FIFO_ORDER.compare(one, other);
    };

    private final PoolSpec spec;
    private final List<TaskSet> sets = new ArrayList<>(); // in FIFO order
    private int running;
    private int begun;

    Pool(PoolSpec spec) {
        this.spec = spec;
    }

    PoolSpec spec() {
        return spec;
    }

    /**
     * Number of attempts of this pool that executors run or queue. Queued attempts count too, because they are part of
     * the pool's share.
     */
    int runningTasks() {
        return running;
    }

    /** Number of the {@link #runningTasks} that have begun on a core, in contrast to those queued at an executor. */
    int begunTasks() {
        return begun;
    }

    void addBegun(int tasks) {
        begun += tasks;
    }

    /**
     * Adds {@code tasks}, which may be negative, to the number of running tasks of this pool. Running tasks of a
     * finished task set still count, because they occupy cores.
     */
    void addRunning(int tasks) {
        running += tasks;
    }

    void add(TaskSet set) {
        int at = Collections.binarySearch(sets, set, FIFO_ORDER);
        sets.add(at < 0 ? -at - 1 : at, set);
    }

    void remove(TaskSet set) {
        sets.remove(set);
    }

    /** Whether the pool has neither task sets nor running tasks. */
    boolean isIdle() {
        return sets.isEmpty() && running == 0;
    }

    int size() {
        return sets.size();
    }

    /** The ids of the stages whose task sets are in this pool, without repetition, in FIFO order. */
    List<Integer> stages() {
        return sets.stream().map(set -> set.id().stage()).distinct().toList();
    }

    /** The task sets of this pool, in the order in which cores are offered to them now. */
    List<TaskSet> order() {
        if (spec.mode() == SchedulingMode.FIFO || sets.size() < 2) {
            return sets;
        }
        List<TaskSet> ordered = new ArrayList<>(sets);
        ordered.sort(FAIR_SET_ORDER);
        return ordered;
    }

    private static int fair(int running1, int share1, int weight1, int running2, int share2, int weight2) {
        boolean needs1 = running1 < share1;
        boolean needs2 = running2 < share2;
        if (needs1 != needs2) {
            return needs1 ? -1 : 1;
        }
        return needs1
                ? Double.compare((double) running1 / Math.max(share1, 1), (double) running2 / Math.max(share2, 1))
                : Double.compare((double) running1 / weight1, (double) running2 / weight2);
    }
}
