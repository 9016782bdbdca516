package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent.ExecutorExcluded;
import dev.hearth.api.event.ApplicationEvent.ExecutorReadmitted;
import dev.hearth.api.event.ApplicationEvent.HostExcluded;
import dev.hearth.api.event.ApplicationEvent.HostReadmitted;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.ExcludeHosts;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.ReleaseExecutor;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Exclusion after failures, for one task, one stage and the application; and its end. */
class ExclusionTest {
    private static final LostExecutor RELEASED = LostExecutor.released("given back");

    private static SchedulerFixture scene(String... more) {
        String[] settings = Stream.concat(
                        Stream.of("excludeOnFailure.enabled", "true", "scheduler.executorCredit", "0"), Stream.of(more))
                .toArray(String[]::new);
        return new SchedulerFixture(settings);
    }

    /** Two hosts of two executors of two cores. */
    private static SchedulerFixture fourExecutors(String... more) {
        return scene(more).up("a1", "a", 2).up("a2", "a", 2).up("b1", "b", 2).up("b2", "b", 2);
    }

    private static void failOn(SchedulerFixture scene, Set<String> executors) {
        for (Launched task : List.copyOf(scene.held.values())) {
            if (executors.contains(task.executor())) {
                scene.fail(task);
            }
        }
    }

    private static List<String> executors(SchedulerFixture scene) {
        return scene.held.values().stream()
                .map(Launched::executor)
                .distinct()
                .sorted()
                .toList();
    }

    static Stream<Arguments> stageTable() {
        return Stream.of(
                Arguments.of("one failed task", 1, Set.of("a1"), List.of(), List.of(), List.of("a2", "b1", "b2")),
                Arguments.of(
                        "two failed tasks exclude an executor",
                        2,
                        Set.of("a1"),
                        List.of("a1"),
                        List.of(),
                        List.of("a2", "b1", "b2")),
                Arguments.of(
                        "two excluded executors exclude their host",
                        2,
                        Set.of("a1", "a2"),
                        List.of("a1", "a2"),
                        List.of("a"),
                        List.of("b1", "b2")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stageTable")
    void excludesForAStage(
            String name,
            int tasksPerExecutor,
            Set<String> failing,
            List<String> executorsExcluded,
            List<String> hostsExcluded,
            List<String> then) {
        SchedulerFixture scene = fourExecutors();
        scene.submit(1, tasksPerExecutor * 4);
        scene.settle();
        failOn(scene, failing);
        scene.settle(); // failed tasks may run on free cores of other executors
        assertEquals(
                executorsExcluded,
                scene.events(ExecutorExcluded.class).stream()
                        .map(ExecutorExcluded::executor)
                        .toList());
        assertEquals(
                hostsExcluded,
                scene.events(HostExcluded.class).stream()
                        .map(HostExcluded::host)
                        .toList());
        assertTrue(scene.events(ExecutorExcluded.class).stream().allMatch(event -> event.stage() == 1));
        scene.held.values().stream()
                .filter(task -> !failing.contains(task.executor()))
                .toList()
                .forEach(scene::succeed);
        scene.settle();
        List<String> retried = executors(scene);
        assertTrue(then.containsAll(retried), retried + " of " + then);
        scene.submit(2, 8); // another stage is not affected
        scene.settle();
        assertTrue(executors(scene).contains("a1"));
    }

    @Test
    void triesATaskOnAnotherHostAfterTwoFailuresOnOne() {
        SchedulerFixture scene = scene().up("a1", "a", 1).up("a2", "a", 1).up("a3", "a", 1);
        scene.submit(1, 1);
        Launched first = scene.settle().get(0);
        scene.fail(first);
        Launched second = scene.settle().get(0);
        assertNotEquals(first.executor(), second.executor());
        scene.fail(second);
        assertEquals(List.of(), scene.settle()); // a3 never ran the task, but is on the same host
        scene.up("b1", "b", 1);
        assertEquals("b1", scene.settle().get(0).executor());
    }

    @Test
    void excludesFromTheApplicationOnlyOnceTheSetSucceeds() {
        SchedulerFixture scene = fourExecutors("excludeOnFailure.timeout", "1h");
        scene.submit(1, 8);
        scene.settle();
        failOn(scene, Set.of("a1", "a2"));
        runToTheEnd(scene);
        List<ExecutorExcluded> excluded = scene.events(ExecutorExcluded.class).stream()
                .filter(event -> event.stage() == -1)
                .toList();
        assertEquals(
                List.of("a1", "a2"),
                excluded.stream().map(ExecutorExcluded::executor).toList());
        assertEquals(List.of(new ExcludeHosts(Set.of("a"))), scene.all(ExcludeHosts.class));
        scene.submit(2, 8);
        scene.settle();
        assertEquals(List.of("b1", "b2"), executors(scene));
        scene.up("a3", "a", 2); // on a host that is excluded
        scene.settle();
        assertEquals(List.of("b1", "b2"), executors(scene));
        scene.settleAfter(Duration.ofMinutes(59));
        assertEquals(List.of("b1", "b2"), executors(scene));
        scene.settleAfter(Duration.ofMinutes(1));
        assertEquals(List.of("a1", "a2", "a3", "b1", "b2"), executors(scene));
        assertEquals(2, scene.events(ExecutorReadmitted.class).size());
        assertEquals(1, scene.events(HostReadmitted.class).size());
        assertEquals(List.of(new ExcludeHosts(Set.of("a")), new ExcludeHosts(Set.of())), scene.all(ExcludeHosts.class));
    }

    @Test
    void ignoresFailuresOfASetThatFailed() {
        SchedulerFixture scene = fourExecutors("excludeOnFailure.taskAndStage.enabled", "false");
        TaskSetId set = scene.submit(1, 1);
        for (int failures = 0; failures < 4; failures++) {
            scene.fail(scene.settle().get(0));
        }
        scene.settle();
        assertEquals("TASK_FAILED", scene.failureOf(set).code());
        assertEquals(List.of(), scene.events(ExecutorExcluded.class));
    }

    @Test
    void releasesExcludedExecutorsIfConfigured() {
        SchedulerFixture scene = fourExecutors("excludeOnFailure.killExcludedExecutors", "true");
        scene.submit(1, 8);
        scene.settle();
        failOn(scene, Set.of("a1"));
        runToTheEnd(scene);
        assertEquals(
                List.of(new ExecutorId("a1")),
                scene.all(ReleaseExecutor.class).stream()
                        .map(ReleaseExecutor::executor)
                        .toList());
    }

    @Test
    void excludesAtOnceAfterAFetchFailureIfConfigured() {
        SchedulerFixture scene = fourExecutors("excludeOnFailure.application.fetchFailure.enabled", "true");
        TaskSetId set = scene.submit(1, 1);
        Launched task = scene.settle().get(0);
        FetchFailure fetch = new FetchFailure(0, 3, Optional.of(new ExecutorId("b2")), "b", "gone");
        scene.end(task, TaskEnd.fetchFailed(task.task(), fetch, TaskFailure.NONE, TaskMetrics.NONE));
        scene.submit(2, 8);
        scene.settle();
        assertEquals(List.of("a1", "a2", "b1"), executors(scene));
        assertEquals(1, scene.all(SchedulerEffect.FetchFailed.class).size());
        assertEquals(List.of(set), scene.drained());
    }

    @Test
    void failsAnUnschedulableSetAfterTheTimeoutAndReleasesAnIdleExecutor() {
        SchedulerFixture scene = scene().up("a1", "a", 1).up("b1", "b", 1);
        TaskSetId set = scene.submit(1, 1);
        scene.fail(scene.settle().get(0));
        scene.fail(scene.settle().get(0));
        scene.settle();
        assertEquals(1, scene.all(ReleaseExecutor.class).size());
        scene.settleAfter(Duration.ofSeconds(119));
        assertEquals(List.of(), scene.drained());
        assertEquals(
                scene.now + Duration.ofSeconds(1).toNanos(),
                scene.scheduler.nextWakeNanos().orElseThrow());
        scene.settleAfter(Duration.ofSeconds(1));
        HearthException failure = scene.failureOf(set);
        assertEquals("NOWHERE_TO_RUN", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("task for partition 0 of stage 1.0"));
        assertEquals(List.of(set), scene.drained());
        assertEquals(1, scene.all(ReleaseExecutor.class).size());
    }

    @Test
    void runsOnAnExecutorThatComesInTime() {
        SchedulerFixture scene = scene().up("a1", "a", 1);
        scene.submit(1, 1);
        scene.fail(scene.settle().get(0));
        scene.settle();
        scene.lose("a1", LostExecutor.released("given back"));
        scene.settleAfter(Duration.ofHours(2)); // without any executor a set waits forever
        scene.up("b1", "b", 1);
        assertEquals(1, scene.settle().size());
    }

    @Test
    void failsAnUnschedulableSetThoughReleasedExecutorsAreReplacedOnTheSameHost() {
        SchedulerFixture scene = scene().up("a1", "a", 1).up("a2", "a", 1);
        TaskSetId set = scene.submit(1, 1);
        scene.fail(scene.settle().get(0));
        scene.fail(scene.settle().get(0)); // the host is excluded for the task
        scene.settle();
        scene.lose("a1", RELEASED);
        scene.lose("a2", RELEASED);
        for (int second = 0; second < 120; second++) {
            assertEquals(List.of(), scene.drained());
            scene.up("new-" + second, "a", 1).settle();
            scene.settleAfter(Duration.ofSeconds(1));
            scene.lose("new-" + second, RELEASED);
            scene.settle();
        }
        assertEquals("NOWHERE_TO_RUN", scene.failureOf(set).code());
    }

    @Test
    void countsTheTimeoutOfASetFromWhenItBecameUnschedulableLast() {
        SchedulerFixture scene = scene("task.maxFailures", "9").up("a1", "a", 1);
        TaskSetId set = scene.submit(1, 1);
        scene.fail(scene.settle().get(0));
        scene.settle();
        scene.now += Duration.ofSeconds(100).toNanos();
        scene.up("b1", "b", 1);
        Launched again = scene.settle().get(0);
        scene.fail(again);
        scene.settle();
        scene.settleAfter(Duration.ofSeconds(119));
        assertEquals(List.of(), scene.drained());
        scene.settleAfter(Duration.ofSeconds(1));
        assertEquals("NOWHERE_TO_RUN", scene.failureOf(set).code());
    }

    /** Runs a stage on two executors of four cores; {@code failures} of its tasks fail on the first one and succeed elsewhere. */
    private static void runFailing(SchedulerFixture scene, int stage, int failures) {
        scene.submit(stage, 8);
        scene.settle();
        scene.held.values().stream()
                .filter(task -> task.stage() == stage && task.executor().equals("a1"))
                .limit(failures)
                .toList()
                .forEach(scene::fail);
        while (scene.held.values().stream().anyMatch(task -> task.stage() == stage)
                || scene.scheduler.waitingTasks() > 0) {
            scene.held.values().stream()
                    .filter(task -> task.stage() == stage)
                    .toList()
                    .forEach(scene::succeed);
            scene.settle();
        }
    }

    private static long exclusions(SchedulerFixture scene) {
        return scene.events(ExecutorExcluded.class).stream()
                .filter(event -> event.stage() == -1)
                .count();
    }

    @Test
    void forgetsFailuresAfterTheTimeout() {
        SchedulerFixture scene = scene().up("a1", "a", 4).up("b1", "b", 4);
        runFailing(scene, 1, 1);
        scene.settleAfter(Duration.ofMinutes(61));
        runFailing(scene, 2, 1);
        assertEquals(0, exclusions(scene), "one failure within the hour");
        scene.settleAfter(Duration.ofMinutes(59));
        runFailing(scene, 3, 1);
        assertEquals(1, exclusions(scene));
    }

    @Test
    void startsWithoutFailuresAfterAnExclusion() {
        SchedulerFixture scene = scene().up("a1", "a", 4).up("b1", "b", 4);
        scene.submit(9, 1);
        Launched late = scene.settle().get(0);
        assertEquals("a1", late.executor());
        runFailing(scene, 1, 2);
        assertEquals(1, exclusions(scene));
        assertEquals(OptionalLong.of(scene.now + Duration.ofHours(1).toNanos()), scene.scheduler.nextWakeNanos());
        scene.settleAfter(Duration.ofMinutes(30));
        scene.fail(late); // while its executor is excluded
        scene.succeed(scene.settle().get(0));
        scene.settleAfter(Duration.ofMinutes(30));
        assertEquals(1, scene.events(ExecutorReadmitted.class).size());
        runFailing(scene, 2, 1);
        assertEquals(1, exclusions(scene), "one failure since its exclusion ended");
    }

    @Test
    void failsAtOnceIfTheExecutorsAreFixed() {
        SchedulerSettings settings =
                SchedulerFixture.settings("excludeOnFailure.enabled", "true").withExecutorsFixed();
        SchedulerFixture scene = new SchedulerFixture(new TaskScheduler(settings, PoolTree.fifo())).up("a1", "a", 1);
        TaskSetId set = scene.submit(1, 1);
        scene.fail(scene.settle().get(0));
        scene.settle();
        assertEquals("NOWHERE_TO_RUN", scene.failureOf(set).code());
        assertEquals(List.of(), scene.all(ReleaseExecutor.class));
    }

    @Test
    void refusesBoundsThatLetOneHostFailAJob() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> SchedulerFixture.settings(
                        "excludeOnFailure.enabled", "true", "excludeOnFailure.task.maxTaskAttemptsPerNode", "4"));
        assertTrue(
                String.valueOf(failure.getMessage()).contains("less than hearth.task.maxFailures = 4"),
                failure.getMessage());
    }

    private static void runToTheEnd(SchedulerFixture scene) {
        while (scene.scheduler.taskSets() > 0) {
            scene.settle();
            List.copyOf(scene.held.values()).forEach(scene::succeed);
        }
        scene.settle();
    }

    @Test
    void ignoresFetchFailuresUnlessConfigured() {
        SchedulerFixture scene = fourExecutors();
        scene.submit(1, 1);
        Launched task = scene.settle().get(0);
        FetchFailure fetch = new FetchFailure(0, 3, Optional.of(new ExecutorId("b2")), "b", "gone");
        scene.end(task, TaskEnd.fetchFailed(task.task(), fetch, TaskFailure.NONE, TaskMetrics.NONE));
        scene.settle();
        assertEquals(List.of(), scene.events(ExecutorExcluded.class));
    }

    @Test
    void retriesATaskWhereItFailedIfOnlyTheApplicationExcludes() {
        SchedulerFixture scene =
                scene("excludeOnFailure.taskAndStage.enabled", "false").up("a1", "a", 1);
        scene.submit(1, 1);
        for (int failures = 0; failures < 3; failures++) {
            scene.fail(scene.settle().get(0));
        }
        assertEquals("a1", scene.settle().get(0).executor());
    }

    @ParameterizedTest
    @EnumSource(
            value = Cause.class,
            names = {"FAILED", "OUT_OF_MEMORY"})
    void excludesHostsAfterFailuresButNotAfterALackOfMemory(Cause cause) {
        SchedulerFixture scene = scene().up("a1", "a", 1);
        scene.submit(1, 1);
        for (int lost = 2; lost < 4; lost++) {
            assertEquals(1, scene.settle().size());
            scene.lose("a" + (lost - 1), LostExecutor.of(cause, "ended"));
            scene.up("a" + lost, "a", 1);
        }
        assertEquals(cause == Cause.OUT_OF_MEMORY ? List.of("a3") : List.of(), launched(scene));
    }

    private static List<String> launched(SchedulerFixture scene) {
        return scene.settle().stream().map(Launched::executor).toList();
    }
}
