package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Delay scheduling: near executors first, farther ones after the wait, no wait for tasks without preferred locations.
 */
class LocalityTest {
    private static final Duration WAIT = Duration.ofSeconds(3);
    private static final Duration SHORT_OF_IT = Duration.ofMillis(2_999);
    private static final Duration REST = Duration.ofMillis(1);

    private static SchedulerFixture scene() {
        return new SchedulerFixture("scheduler.executorCredit", "0");
    }

    private static List<String> placed(List<Launched> launched) {
        return launched.stream()
                .map(task -> task.partition() + "@" + task.executor())
                .toList();
    }

    private static List<String> levels(SchedulerFixture scene) {
        return scene.events(ApplicationEvent.TaskStarted.class).stream()
                .map(started ->
                        started.task().partition() + " " + started.task().locality())
                .toList();
    }

    private static PreferredLocations hosts(String... byPartition) {
        return partition -> byPartition[partition].isEmpty() ? List.of() : List.of(byPartition[partition]);
    }

    @Test
    void neverWaitsWithoutPreferences() {
        SchedulerFixture scene = scene().up("a", "host-1", 2);
        scene.submit(1, 2, partition -> List.of());
        assertEquals(List.of("0@a", "1@a"), placed(scene.settle()));
        assertEquals(List.of("0 NO_PREF", "1 NO_PREF"), levels(scene));
    }

    @Test
    void runsNearTasksAtOnceAndFarOnesAfterTheWait() {
        SchedulerFixture scene = scene().up("a", "host-1", 1).up("b", "host-2", 1);
        scene.submit(1, 3, hosts("host-1", "host-2", "host-1"));
        assertEquals(List.of("0@a", "1@b"), placed(scene.settle()));
        scene.succeed(scene.held.get(1L));
        assertEquals(List.of(), scene.settleAfter(SHORT_OF_IT));
        assertEquals(OptionalLong.of(scene.now + REST.toNanos()), scene.scheduler.nextWakeNanos());
        assertEquals(List.of("2@b"), placed(scene.settleAfter(REST)));
        assertEquals(List.of("0 NODE_LOCAL", "1 NODE_LOCAL", "2 ANY"), levels(scene));
    }

    @Test
    void prefersTheExecutorThenItsHostThenAny() {
        SchedulerFixture scene =
                scene().up("1", "host-1", 1).up("2", "host-1", 1).up("3", "host-2", 1);
        scene.submit(1, 3, partition -> List.of("executor_host-1_1"));
        assertEquals(List.of("0@1"), placed(scene.settle()));
        assertEquals(List.of("1@2"), placed(scene.settleAfter(WAIT)));
        assertEquals(List.of("2@3"), placed(scene.settleAfter(WAIT)));
        assertEquals(List.of("0 PROCESS_LOCAL", "1 NODE_LOCAL", "2 ANY"), levels(scene));
    }

    @Test
    void prefersTheRackToAny() {
        SchedulerFixture scene = new SchedulerFixture(
                host -> Optional.of(host.startsWith("near") ? "near" : "far"), "locality.wait", "3s");
        scene.up("far", "far-1", 1).up("near", "near-2", 1).up("at", "near-1", 1);
        scene.submit(1, 3, partition -> List.of("near-1"));
        assertEquals(List.of("0@at"), placed(scene.settle()));
        assertEquals(List.of("1@near"), placed(scene.settleAfter(WAIT)));
        assertEquals(List.of("2@far"), placed(scene.settleAfter(WAIT)));
        assertEquals(List.of("0 NODE_LOCAL", "1 RACK_LOCAL", "2 ANY"), levels(scene));
    }

    /** Hosts 1 and 2 are in one rack, once that is known. */
    private static SchedulerFixture unresolved(Set<String> resolved) {
        SchedulerFixture scene = new SchedulerFixture(
                host -> Optional.of(host.equals("host-9") ? "far" : "near").filter(rack -> resolved.contains(host)),
                "scheduler.executorCredit",
                "0");
        return scene.up("far", "host-9", 1).up("near", "host-2", 1).up("at", "host-1", 1);
    }

    private static void resolve(SchedulerFixture scene, Set<String> resolved) {
        resolved.addAll(List.of("host-1", "host-2", "host-9"));
        scene.scheduler.racksFound(resolved);
    }

    @Test
    void usesRacksThatBecomeKnownWhileTasksWait() {
        Set<String> resolved = new LinkedHashSet<>();
        SchedulerFixture scene = unresolved(resolved);
        scene.submit(1, 3, partition -> List.of("host-1"));
        assertEquals(List.of("0@at"), placed(scene.settle()));
        assertEquals(List.of(), scene.settleAfter(SHORT_OF_IT));
        resolve(scene, resolved);
        assertEquals(List.of("1@near"), placed(scene.settleAfter(REST)));
        assertEquals(List.of("2@far"), placed(scene.settleAfter(WAIT)));
        assertEquals(List.of("0 NODE_LOCAL", "1 RACK_LOCAL", "2 ANY"), levels(scene));
    }

    @Test
    void delaysNoTaskForTheAnswerOfARackResolver() {
        SchedulerFixture scene = unresolved(Set.of());
        scene.submit(1, 3, partition -> List.of("host-1"));
        assertEquals(List.of("0@at"), placed(scene.settle()));
        assertEquals(2, scene.settleAfter(WAIT).size(), "as without racks");
    }

    @Test
    void doesNotReturnToANearerLevelWhenARackBecomesKnown() {
        Set<String> resolved = new LinkedHashSet<>();
        SchedulerFixture scene = unresolved(resolved);
        scene.submit(1, 6, partition -> List.of("host-1"));
        scene.settle();
        List<Launched> anywhere = scene.settleAfter(WAIT);
        assertEquals(2, anywhere.size());
        resolve(scene, resolved);
        Launched onFar = anywhere.stream()
                .filter(task -> task.executor().equals("far"))
                .findFirst()
                .orElseThrow();
        scene.succeed(onFar);
        assertEquals(List.of("3@far"), placed(scene.settle()), "at once");
    }

    @Test
    void retriesATaskWithinItsRack() {
        Set<String> resolved = new LinkedHashSet<>();
        SchedulerFixture scene = unresolved(resolved);
        scene.submit(1, 2, partition -> List.of("host-1"));
        Launched first = scene.settle().get(0);
        resolve(scene, resolved);
        scene.lose("at", LostExecutor.because("it crashed"));
        assertEquals(0, first.partition());
        assertEquals(List.of("0@near"), placed(scene.settle()));
        assertEquals(List.of("1@far"), placed(scene.settleAfter(WAIT)));
        assertEquals(List.of("0 NODE_LOCAL", "0 RACK_LOCAL", "1 ANY"), levels(scene));
    }

    @Test
    void skipsLevelsThatNoExecutorCanServe() {
        SchedulerFixture scene = scene().up("a", "host-1", 1);
        scene.submit(1, 1, hosts("host-9"));
        assertEquals(List.of("0@a"), placed(scene.settle()));
    }

    @Test
    void runsTasksWithoutPreferenceWhileOthersWait() {
        SchedulerFixture scene = scene().up("far", "host-3", 2);
        scene.up("near", "host-1", 1);
        scene.submit(0, 1); // takes one core somewhere
        scene.settle();
        scene.submit(1, 3, hosts("host-1", "", "host-1"));
        List<String> placed = placed(scene.settle());
        assertTrue(placed.stream().anyMatch(place -> place.startsWith("1@")), placed.toString());
        assertTrue(placed.stream().noneMatch(place -> place.equals("2@far")), placed.toString());
    }

    @Test
    void usesNearerExecutorsThatComeLate() {
        SchedulerFixture scene = scene().up("far", "host-9", 1);
        scene.submit(1, 3, hosts("host-1", "host-1", "host-1"));
        assertEquals(List.of("0@far"), placed(scene.settle()));
        scene.up("near", "host-1", 1);
        scene.succeed(scene.held.get(0L));
        assertEquals(List.of("1@near"), placed(scene.settle()));
        assertEquals(List.of("2@far"), placed(scene.settleAfter(WAIT)));
    }

    @Test
    void restartsTheWaitOnlyWhenAllFreeCoresWereTaken() {
        SchedulerFixture scene = scene().up("a", "host-1", 1).up("idle", "host-2", 1);
        scene.submit(1, 10, partition -> List.of("host-1"));
        scene.settle();
        // launches on one core do not restart the wait while the other core stays idle
        for (int task = 0; task < 2; task++) {
            scene.now += Duration.ofSeconds(1).toNanos();
            scene.succeed(scene.held.values().iterator().next());
            assertEquals(1, scene.settle().size());
        }
        assertEquals(List.of("3@idle"), placed(scene.settleAfter(Duration.ofSeconds(1))));
    }

    @Test
    void restartsTheWaitWithEveryLaunchIfConfigured() {
        SchedulerFixture scene =
                new SchedulerFixture("scheduler.executorCredit", "0", "locality.wait.legacyResetOnTaskLaunch", "true");
        scene.up("a", "host-1", 1).up("idle", "host-2", 1);
        scene.submit(1, 10, partition -> List.of("host-1"));
        scene.settle();
        for (int task = 0; task < 5; task++) {
            scene.now += Duration.ofSeconds(1).toNanos();
            scene.succeed(scene.held.values().iterator().next());
            assertEquals(
                    List.of("a"),
                    scene.settle().stream().map(Launched::executor).toList());
        }
        assertEquals(List.of("6@idle"), placed(scene.settleAfter(WAIT)));
    }

    @Test
    void doesNotWaitIfTheWaitIsZero() {
        SchedulerFixture scene =
                new SchedulerFixture("locality.wait", "0").up("b", "host-2", 2).up("a", "host-1", 1);
        scene.submit(1, 3, partition -> List.of("host-1"));
        assertEquals(3, scene.settle().size());
    }

    /** One core on host-1, which holds the data, and one on host-2. */
    private static SchedulerFixture nearAndFar() {
        SchedulerFixture scene = scene().up("near", "host-1", 1);
        scene.submit(1, 6, partition -> List.of("host-1"));
        assertEquals(List.of("0@near"), placed(scene.settle()));
        return scene;
    }

    @Test
    void doesNotAddUpLatenessOverTheLevels() {
        SchedulerFixture scene =
                scene().up("1", "host-1", 1).up("2", "host-1", 1).up("3", "host-2", 1);
        scene.submit(1, 3, partition -> List.of("executor_host-1_1"));
        assertEquals(List.of("0@1"), placed(scene.settle()));
        assertEquals(List.of("1@2"), placed(scene.settleAfter(WAIT.plusSeconds(2))), "two seconds late");
        long due = scene.now + WAIT.minusSeconds(2).toNanos();
        assertEquals(OptionalLong.of(due), scene.scheduler.nextWakeNanos());
        assertEquals(List.of(), scene.settleAfter(WAIT.minusSeconds(2).minus(REST)));
        assertEquals(List.of("2@3"), placed(scene.settleAfter(REST)), "on time all the same");
    }

    @Test
    void goesThroughSeveralLevelsAtOnceAfterALongTimeWithoutOffers() {
        SchedulerFixture scene =
                scene().up("3", "host-2", 1).up("2", "host-1", 1).up("1", "host-1", 1);
        scene.submit(0, 3); // all cores are busy with another set
        assertEquals(3, scene.settle().size());
        scene.submit(1, 1, partition -> List.of("executor_host-1_1"));
        assertEquals(List.of(), scene.settle());
        scene.succeed(scene.held.get(0L));
        assertEquals(List.of("0@3"), placed(scene.settleAfter(WAIT.multipliedBy(2))));
    }

    @Test
    void startsTheWaitOfALevelWhenTheLastTaskOfTheNearerLevelIsLaunched() {
        SchedulerFixture scene = scene().up("1", "host-1", 1).up("2", "host-2", 1);
        scene.submit(0, 2);
        List<Launched> others = scene.settle();
        scene.up("3", "host-3", 1);
        scene.submit(1, 2, partition -> List.of(partition == 0 ? "executor_host-1_1" : "host-2"));
        assertEquals(List.of(), scene.settle());
        scene.now += Duration.ofSeconds(2).toNanos();
        scene.succeed(others.get(0));
        assertEquals(List.of("0@1"), placed(scene.settle()));
        assertEquals(List.of(), scene.settleAfter(SHORT_OF_IT));
        assertEquals(List.of("1@3"), placed(scene.settleAfter(REST)));
    }

    @Test
    void restartsTheWaitWhenEveryOfferedCoreWasTaken() {
        SchedulerFixture scene = nearAndFar();
        scene.now += Duration.ofSeconds(2).toNanos();
        scene.succeed(scene.held.get(0L));
        assertEquals(List.of("1@near"), placed(scene.settle()));
        scene.up("far", "host-2", 1);
        assertEquals(List.of(), scene.settle());
        assertEquals(List.of(), scene.settleAfter(SHORT_OF_IT));
        assertEquals(List.of("2@far"), placed(scene.settleAfter(REST)));
    }

    @Test
    void goesBackToTheNearestLevelAtWhichEveryOfferedCoreWasTaken() {
        SchedulerFixture scene = nearAndFar().up("far", "host-2", 1);
        scene.settle();
        assertEquals(List.of("1@far"), placed(scene.settleAfter(WAIT)));
        scene.succeed(scene.held.get(0L));
        assertEquals(List.of("2@near"), placed(scene.settle()));
        scene.succeed(scene.held.get(1L));
        assertEquals(List.of(), scene.settle(), "a launch near the data: the wait starts again");
        assertEquals(List.of(), scene.settleAfter(SHORT_OF_IT));
        assertEquals(List.of("3@far"), placed(scene.settleAfter(REST)));
    }

    @Test
    void continuesTheWaitWhenExecutorsComeAndGo() {
        SchedulerFixture scene = nearAndFar().up("far", "host-2", 1);
        scene.settle();
        for (int second = 1; second <= 2; second++) {
            scene.now += Duration.ofSeconds(1).toNanos();
            scene.up("new-" + second, "host-3", 1);
            assertEquals(List.of(), scene.settle());
            scene.lose("new-" + second, LostExecutor.released("given back"));
            assertEquals(List.of(), scene.settle());
        }
        assertEquals(List.of("1@far"), placed(scene.settleAfter(Duration.ofSeconds(1))));
    }

    @Test
    void queuesNothingWhileASetWaitsForLocality() {
        SchedulerFixture scene = new SchedulerFixture().up("near", "host-1", 1).up("far", "host-2", 1);
        scene.submit(1, 4, partition -> List.of("host-1"));
        assertEquals(List.of("0@near"), placed(scene.settle()));
        assertEquals(List.of("1@far", "2@far"), placed(scene.settleAfter(WAIT)), "one runs, one is queued");
    }

    @Test
    void retriesATaskNearItsDataToo() {
        SchedulerFixture scene = scene().up("far", "host-2", 1).up("near", "host-1", 1);
        scene.submit(1, 1, partition -> List.of("host-1"));
        scene.fail(scene.settle().get(0));
        assertEquals(List.of("0@near"), placed(scene.settle()));
        assertEquals(List.of("0 NODE_LOCAL", "0 NODE_LOCAL"), levels(scene));
    }
}
