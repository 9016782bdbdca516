package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The set that gets the next core. Cores are added one at a time, and tasks never end. */
class PoolTreeTest {
    private static final List<PoolSpec> THREE = List.of(
            new PoolSpec("1", SchedulingMode.FAIR, 1, 2),
            new PoolSpec("2", SchedulingMode.FAIR, 2, 3),
            new PoolSpec("3", SchedulingMode.FIFO, 1, 0));

    /** A task set of the test table. */
    private record Submitted(int stage, int job, String pool, int tasks) {}

    static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of(
                        "first in, first out by job, then by stage",
                        PoolTree.fifo(),
                        List.of(new Submitted(3, 0, "", 2), new Submitted(1, 1, "", 2), new Submitted(2, 0, "", 2)),
                        List.of(2, 2, 3, 3, 1, 1)),
                Arguments.of(
                        "first in, first out ignores pools",
                        PoolTree.fifo(),
                        List.of(new Submitted(0, 1, "2", 2), new Submitted(1, 0, "1", 2)),
                        List.of(1, 1, 0, 0)),
                Arguments.of(
                        "minimum shares first, by how far below, then weights",
                        PoolTree.fair(THREE),
                        List.of(new Submitted(0, 0, "1", 9), new Submitted(1, 1, "2", 9), new Submitted(2, 2, "3", 9)),
                        List.of(0, 1, 1, 0, 1, 2, 2, 1, 0, 1)),
                Arguments.of(
                        "equal sets of one fair pool take turns",
                        PoolTree.fair(List.of(new PoolSpec("fair", SchedulingMode.FAIR, 1, 0))),
                        List.of(new Submitted(0, 0, "fair", 3), new Submitted(1, 1, "fair", 3)),
                        List.of(0, 1, 0, 1, 0, 1)),
                Arguments.of(
                        "sets of a first-in pool do not",
                        PoolTree.fair(List.of(new PoolSpec("fifo", SchedulingMode.FIFO, 1, 0))),
                        List.of(new Submitted(0, 0, "fifo", 2), new Submitted(1, 1, "fifo", 2)),
                        List.of(0, 0, 1, 1)),
                Arguments.of(
                        "an unknown pool is made with defaults, and shares with the default one",
                        PoolTree.fair(List.of()),
                        List.of(new Submitted(0, 0, "", 2), new Submitted(1, 1, "new", 2)),
                        List.of(0, 1, 0, 1)));
    }

    @Test
    void dropsIdleUnconfiguredPools() {
        SchedulerFixture scene = new SchedulerFixture(PoolTree.fair(THREE)).up("a", "host-a", 2);
        for (int job = 0; job < 10_000; job++) {
            scene.submit(SchedulerFixture.spec(
                    job, 0, job, SchedulerFixture.plan(1, PreferredLocations.ANYWHERE, false), "of job " + job));
            scene.settle().forEach(scene::succeed);
        }
        List<String> names =
                scene.scheduler.pools().stream().map(view -> view.pool().name()).toList();
        assertTrue(names.containsAll(List.of("1", "2", "3", "default")), names::toString);
        assertTrue(names.size() < 200, () -> names.size() + " pools");
    }

    @Test
    void releasesThePlanOfAFinishedSet() {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host-a", 2);
        WeakReference<StagePlan> plan = new WeakReference<>(submitted(scene));
        scene.settle().forEach(scene::succeed);
        scene.settle();
        scene.effects.clear();
        for (int tries = 0; tries < 50 && plan.get() != null; tries++) {
            System.gc();
        }
        assertNull(plan.get(), "a plan may hold as much data as the user passed to parallelize");
    }

    private static StagePlan submitted(SchedulerFixture scene) {
        StagePlan plan = SchedulerFixture.plan(2, PreferredLocations.ANYWHERE, false);
        scene.submit(SchedulerFixture.spec(1, 0, 1, plan, ""));
        return plan;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void servesInSparksOrder(String name, PoolTree pools, List<Submitted> sets, List<Integer> stages) {
        SchedulerFixture scene = new SchedulerFixture(pools, "scheduler.executorCredit", "0");
        for (Submitted set : sets) {
            scene.submit(SchedulerFixture.spec(
                    set.stage(),
                    0,
                    set.job(),
                    SchedulerFixture.plan(set.tasks(), PreferredLocations.ANYWHERE, false),
                    set.pool()));
        }
        List<Integer> served = new ArrayList<>();
        for (int core = 0; core < stages.size(); core++) {
            scene.up("executor-" + core, "host", 1);
            scene.settle().stream().map(Launched::stage).forEach(served::add);
        }
        assertEquals(stages, served);
    }

    @Test
    void servesAnOlderAttemptOfAStageFirst() {
        SchedulerFixture scene = new SchedulerFixture("scheduler.executorCredit", "0").up("x", "host", 1);
        StagePlan plan = SchedulerFixture.plan(1, PreferredLocations.ANYWHERE, false);
        scene.submit(SchedulerFixture.spec(7, 1, 0, plan, ""));
        scene.submit(SchedulerFixture.spec(7, 0, 0, plan, ""));
        assertEquals(0, scene.settle().get(0).stageAttempt());
    }

    @Test
    void countsTasksOfACancelledSetUntilTheyEnd() {
        SchedulerFixture scene =
                new SchedulerFixture(PoolTree.fair(THREE), "scheduler.executorCredit", "0").up("x", "host", 2);
        TaskSetId set = scene.submit(
                SchedulerFixture.spec(0, 0, 0, SchedulerFixture.plan(2, PreferredLocations.ANYWHERE, false), "3"));
        scene.settle();
        scene.scheduler.cancel(set, false, "no longer needed");
        scene.settle();
        assertEquals(2, running(scene, "3"), "they hold cores");
        List.copyOf(scene.held.values()).forEach(task -> scene.end(task, TaskOutcome.KILLED));
        scene.settle();
        assertEquals(0, running(scene, "3"));
    }

    private static int running(SchedulerFixture scene, String pool) {
        return scene.scheduler.pools().stream()
                .filter(view -> view.pool().name().equals(pool))
                .mapToInt(PoolSnapshot::runningTasks)
                .sum();
    }

    @Test
    void dividesManyCoresAtOnceByWeight() {
        PoolTree pools = PoolTree.fair(
                List.of(new PoolSpec("a", SchedulingMode.FIFO, 3, 0), new PoolSpec("b", SchedulingMode.FIFO, 1, 0)));
        SchedulerFixture scene = new SchedulerFixture(pools, "scheduler.executorCredit", "0").up("x", "host", 400);
        scene.submit(
                SchedulerFixture.spec(0, 0, 0, SchedulerFixture.plan(1_000, PreferredLocations.ANYWHERE, false), "a"));
        scene.submit(
                SchedulerFixture.spec(1, 0, 1, SchedulerFixture.plan(1_000, PreferredLocations.ANYWHERE, false), "b"));
        long ofA = scene.settle().stream().filter(task -> task.stage() == 0).count();
        assertTrue(Math.abs(ofA - 300) <= 3, () -> ofA + " cores for three quarters of the weight");
        assertEquals(
                List.of("a " + ofA + " [0]", "b " + (400 - ofA) + " [1]", "default 0 []"),
                scene.scheduler.pools().stream()
                        .map(pool -> pool.pool().name() + " " + pool.runningTasks() + " " + pool.stages())
                        .toList());
    }
}
