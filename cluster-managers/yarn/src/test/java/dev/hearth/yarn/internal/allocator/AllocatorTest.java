package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.EndedContainer;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.HostChange;
import dev.hearth.yarn.internal.line.LineRegistration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The scenarios of Spark's suite of its allocator, and those that Spark does not have. */
class AllocatorTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AllocatorScene scene = new AllocatorScene();

    @Test
    void startsASingleContainer() {
        scene.want(1);
        assertEquals(0, scene.held());
        assertEquals(1, scene.pending());

        String container = scene.grant("host1").get(0);

        assertEquals(1, scene.held());
        assertEquals(0, scene.pending());
        assertEquals("host1", scene.started.get(new ExecutorId("1")).host());
        assertEquals(container, scene.started.get(new ExecutorId("1")).id());
        assertEquals(List.of(), scene.released);
    }

    @Test
    void startsAContainerOfAnotherProfile() {
        ProfileId gpu = new ProfileId(3);
        scene.needs.put(gpu, needs(2432, 5, Map.of("yarn.io/gpu", 6L)));

        scene.want(Map.of(ProfileId.DEFAULT, Demand.NONE, gpu, Demand.of(1)));
        assertEquals(1, scene.pending());
        ContainerAsk ask = scene.asks.values().iterator().next();
        assertEquals(6L, ask.capability().resources().get("yarn.io/gpu"));
        scene.report(
                List.of(scene.container(
                        "host1", new ContainerCapability(3072, 6, Map.of("yarn.io/gpu", 6L)), ask.priority())),
                List.of());

        assertEquals(1, scene.held());
        assertEquals(0, scene.pending());
    }

    @Test
    void keepsProfilesApartByTheirPriorities() {
        ProfileId second = new ProfileId(1);
        ProfileId third = new ProfileId(2);
        scene.needs.put(second, needs(2432, 5, Map.of("yarn.io/gpu", 6L)));
        scene.needs.put(third, needs(8576, 5, Map.of("yarn.io/fpga", 2L)));
        AllocatorScene wide = scene;
        wide.perform(wide.allocator.registered(
                new LineRegistration(
                        new ContainerCapability(65_536, 64, Map.of("yarn.io/gpu", 8L, "yarn.io/fpga", 8L)),
                        List.of(),
                        "root",
                        1),
                wide.now));
        Map<ProfileId, Demand> demands = new LinkedHashMap<>();
        demands.put(ProfileId.DEFAULT, Demand.NONE);
        demands.put(second, Demand.of(1));
        demands.put(third, Demand.of(2));
        scene.want(demands);
        assertEquals(3, scene.pending());
        List<Integer> priorities = scene.asks.values().stream()
                .map(ContainerAsk::priority)
                .distinct()
                .toList();
        assertEquals(2, priorities.size());

        ContainerCapability large = new ContainerCapability(10_240, 5, Map.of("yarn.io/fpga", 2L));
        ContainerCapability small = new ContainerCapability(3072, 6, Map.of("yarn.io/gpu", 6L));
        scene.report(
                List.of(
                        scene.container("host1", small, priorities.get(0)),
                        scene.container("host2", large, priorities.get(1)),
                        scene.container("host3", large, priorities.get(1))),
                List.of());

        assertEquals(3, scene.held());
        assertEquals(0, scene.pending());
        assertEquals(
                List.of("host1", "host2", "host3"),
                scene.started.values().stream().map(GrantedContainer::host).toList());
    }

    @Test
    void matchesAGrantOfAStrangePriorityBySize() {
        scene.want(1);

        scene.report(List.of(scene.container("host1", AllocatorScene.COMES, 77)), List.of());

        assertEquals(1, scene.held());
    }

    @Test
    void servesTheAsksOfEachPriorityFirst() { // as the line does
        scene.want(1);
        scene.perform(
                scene.allocator.want(2, Map.of(ProfileId.DEFAULT, Demand.of(1)), scene.needs, Set.of(), scene.now));
        int orders = scene.orders.size();

        GrantedContainer second = scene.container("host1", AllocatorScene.COMES, 2);
        GrantedContainer surplus = scene.container("host2", AllocatorScene.COMES, 2);
        GrantedContainer first = scene.container("host3", AllocatorScene.COMES, 1);
        scene.report(List.of(second, surplus, first), List.of());

        assertEquals(List.of(surplus.id()), scene.released);
        assertEquals(List.of(), scene.orders.get(orders).cancels());
        assertEquals(2, scene.held());
    }

    @Test
    void releasesAGrantThatIsTooSmall() {
        scene.want(1);

        scene.report(List.of(scene.container("host1", new ContainerCapability(1024, 5, Map.of()), 1)), List.of());

        assertEquals(0, scene.held());
        assertEquals(1, scene.released.size());
        assertEquals(1, scene.pending());
    }

    @Test
    void usesAGrantWithFewerCoresThanAsked() { // as schedulers grant that count memory alone
        scene.want(1);

        scene.report(List.of(scene.container("host1", new ContainerCapability(3072, 1, Map.of()), 1)), List.of());

        assertEquals(1, scene.held());
    }

    @Test
    void startsNoMoreThanWanted() {
        scene.want(1);
        scene.grant("host1");

        List<String> more = scene.grant("host2");

        assertEquals(1, scene.held());
        assertEquals(more, scene.released);
    }

    @Test
    void startsSomeContainersOfMore() {
        scene.want(4);

        scene.grant("host1", "host1", "host2");

        assertEquals(3, scene.held());
        assertEquals(1, scene.pending());
        assertEquals(
                Set.of(2),
                scene.allocator.pools().stream()
                        .map(pool -> pool.heldOn("host1"))
                        .collect(Collectors.toSet()));
    }

    @Test
    void releasesASurplusGrantAtOnce() {
        scene.want(2);

        List<String> granted = scene.grant("host1", "host2", "host4");

        assertEquals(2, scene.held());
        assertEquals(List.of(granted.get(2)), scene.released);
    }

    @Test
    void cancelsAsksWhenLessIsWanted() {
        scene.want(4);
        assertEquals(4, scene.pending());
        scene.want(3);
        assertEquals(3, scene.pending());
        scene.grant("host1");
        assertEquals(1, scene.held());

        scene.want(2);

        assertEquals(1, scene.pending());
    }

    @Test
    void endsNoExecutorWhenLessIsWantedThanRun() {
        scene.want(4);
        scene.want(3);
        scene.up("host1", "host2");

        scene.want(1);
        assertEquals(0, scene.pending());
        scene.want(0);

        assertEquals(2, scene.held());
        assertEquals(List.of(), scene.released);
    }

    @Test
    void replacesReleasedExecutorsUpToWhatIsWanted() {
        scene.want(4);
        List<String> containers = scene.up("host1", "host2");

        scene.want(1);
        scene.release(containers.get(0), containers.get(1));
        scene.end(0, containers.get(0), containers.get(1));

        assertEquals(0, scene.held());
        assertEquals(1, scene.pending());
        assertEquals(Cause.RELEASED, scene.lost.get(new ExecutorId("1")).cause());
    }

    @Test
    void releasesAnExecutorOnceHoweverOftenItIsReleased() {
        scene.want(2);
        List<String> containers = scene.up("host1", "host2");

        for (int time = 0; time < 4; time++) {
            scene.release(containers.get(0));
            assertEquals(1, scene.held());
        }
        scene.want(2);
        assertEquals(1, scene.pending());
        scene.pass(Duration.ofSeconds(2)).tick();
        scene.release();

        assertEquals(List.of(containers.get(0)), scene.released);
    }

    @Test
    void handlesTheEndOfAContainerOnce() {
        scene.want(2);
        List<String> containers = scene.up("host1", "host2");

        scene.end(0, containers.get(0), containers.get(0), containers.get(1));
        scene.end(0, containers.get(0));

        assertEquals(0, scene.held());
        assertEquals(2, scene.lost.size());
        scene.pass(SECOND).tick(); // two early ends in a row let the pool wait a moment
        assertEquals(2, scene.pending());
    }

    @Test
    void replacesExecutorsThatFailed() {
        scene.want(4);
        List<String> containers = scene.up("host1", "host2");
        scene.want(2);

        scene.end(-1, containers.get(0), containers.get(1));
        scene.pass(SECOND).tick(); // two early ends in a row let the pool wait a moment

        assertEquals(0, scene.held());
        assertEquals(2, scene.pending());
        assertEquals(2, scene.allocator.counts(scene.now).failed());
        assertEquals(2, scene.lost.size());
    }

    @Test
    void ordersDifferencesOfExcludedHosts() {
        scene.want(Demand.of(1), "hostA");
        scene.want(Demand.of(2), "hostA", "hostB");
        scene.want(Demand.of(3));
        scene.want(Demand.of(3));

        assertEquals(List.of("+hostA", "+hostB", "-hostA-hostB"), scene.exclusions);
    }

    @Test
    void countsFailuresWithinTheInterval() {
        AllocatorScene windowed = new AllocatorScene(AllocatorRules.DEFAULTS.with(
                new AllocatorRules.Failures(OptionalInt.empty(), Optional.of(Duration.ofSeconds(100)))));
        windowed.want(4);
        List<String> containers = windowed.up("host1", "host2", "host3", "host4");
        assertEquals(0, windowed.allocator.counts(windowed.now).failed());

        windowed.pass(Duration.ofSeconds(100)).end(-1, containers.get(0));
        assertEquals(1, windowed.allocator.counts(windowed.now).failed());
        windowed.pass(Duration.ofSeconds(101));
        assertEquals(0, windowed.allocator.counts(windowed.now).failed());
        windowed.end(-1, containers.get(1), containers.get(2));
        assertEquals(2, windowed.allocator.counts(windowed.now).failed());
        windowed.pass(Duration.ofSeconds(50)).end(-1, containers.get(3));
        assertEquals(3, windowed.allocator.counts(windowed.now).failed());
        windowed.pass(Duration.ofSeconds(51));
        assertEquals(1, windowed.allocator.counts(windowed.now).failed());
        windowed.pass(Duration.ofSeconds(50));
        assertEquals(0, windowed.allocator.counts(windowed.now).failed());
    }

    @Test
    void excludesHostsOnlyForFailuresThatTheyMayHaveCaused() {
        AllocatorScene strict = new AllocatorScene(
                AllocatorRules.DEFAULTS.with(new AllocatorRules.Exclusion(Set.of(), true, 0, Duration.ofHours(1))));
        String[] hosts = IntStream.range(0, 11).mapToObj(i -> "host" + i).toArray(String[]::new);
        strict.want(11);
        List<String> containers = strict.up(hosts);

        int[] innocent = {0, -102, -103, -104, -106, -105, -107, -100};
        for (int i = 0; i < innocent.length; i++) {
            strict.end(innocent[i], containers.get(i));
        }
        assertEquals(List.of(), strict.exclusions);
        strict.end(-101, containers.get(8)); // Spark does not blame the node whose disks failed
        strict.end(-1000, containers.get(9));
        strict.end(1, containers.get(10));

        assertEquals(List.of("+host8", "+host9", "+host10"), strict.exclusions);
    }

    @Test
    void countsNoFailureAfterItIsClosed() {
        scene.want(5);
        List<String> containers = scene.up("host1", "host2");
        scene.end(-1, containers.get(0));
        assertEquals(1, scene.allocator.counts(scene.now).failed());

        scene.perform(scene.allocator.close(scene.now));
        scene.end(-1, containers.get(1));

        assertEquals(1, scene.allocator.counts(scene.now).failed());
        assertEquals(1, scene.lost.size());
    }

    @Test
    void announcesThatExecutorsOfADecommissionedNodeLeave() {
        scene.want(3);
        scene.up("host1", "host2", "host3");
        assertEquals(List.of(), scene.notices);

        scene.node("host1", HostChange.State.DECOMMISSIONING, OptionalInt.of(600));
        scene.node("host1", HostChange.State.DECOMMISSIONING, OptionalInt.of(600));

        assertEquals(List.of("1 leaves within 600 s: YARN decommissions the node host1"), scene.notices);
        scene.node("host1", HostChange.State.USABLE, OptionalInt.empty());
        assertEquals("1 stays", scene.notices.get(1));
        scene.node("host1", HostChange.State.USABLE, OptionalInt.empty());
        assertEquals(2, scene.notices.size());
    }

    @Test
    void startsNothingInAContainerThatHasEndedAlready() {
        scene.want(1);
        GrantedContainer both = scene.container("host1", AllocatorScene.COMES, 1);

        scene.report(List.of(both), List.of(new EndedContainer(both.id(), 0, "")));
        assertEquals(0, scene.held());
        assertEquals(1, scene.pending());
        scene.report(List.of(both), List.of());
        assertEquals(0, scene.held());
        GrantedContainer late = scene.container("host1", AllocatorScene.COMES, 1);
        scene.report(List.of(), List.of(new EndedContainer(late.id(), 0, "")));
        scene.report(List.of(late), List.of());

        assertEquals(0, scene.held());
        assertEquals(Map.of(), scene.started);
    }

    @Test
    void doesNotUseAContainerTwiceIfAReportIsRepeated() {
        scene.want(2);
        GrantedContainer grant = scene.container("host1", AllocatorScene.COMES, 1);

        scene.report(List.of(grant), List.of());
        scene.report(List.of(grant), List.of());

        assertEquals(1, scene.held());
        assertEquals(1, scene.pending());
        assertEquals(List.of(), scene.released);
    }

    @Test
    void releasesARunningExecutorTwoSecondsLater() {
        scene.want(1);
        String container = scene.up("host1").get(0);

        scene.want(0);
        scene.release(container);
        assertEquals(List.of(Duration.ofSeconds(2)), scene.wakes);
        scene.pass(Duration.ofMillis(1999)).tick();
        assertEquals(List.of(), scene.released);
        scene.pass(Duration.ofMillis(1)).tick();

        assertEquals(List.of(container), scene.released);
        assertEquals("idle for 60 s", scene.lost.get(new ExecutorId("1")).reason());
        scene.end(-105, container);
        assertEquals(1, scene.lost.size());
    }

    @Test
    void releasesAnExecutorThatStartsAtOnce() {
        scene.want(1);
        String container = scene.grant("host1").get(0);

        scene.release(container);

        assertEquals(List.of(container), scene.released);
        assertFalse(scene.allocator.isStarting(container));
    }

    @Test
    void reportsTheMemoryThatEndedAReleasedExecutor() { // the driver had given it up without knowing why
        scene.want(1);
        String container = scene.up("host1").get(0);

        scene.release(container);
        scene.end(-104, container);

        assertEquals(Cause.OUT_OF_MEMORY, scene.lost.get(new ExecutorId("1")).cause());
        assertEquals(0, scene.allocator.counts(scene.now).failed());
    }

    @Test
    void givesUpAfterTooManyFailures() {
        scene.want(1);
        for (int failure = 1; failure <= 3; failure++) {
            String container = scene.up("host" + failure).get(0);
            scene.pass(Duration.ofMinutes(2)).end(1, container);
            assertEquals(failure == 3 ? 1 : 0, scene.ends.size());
        }
        AllocationEffect.GiveUp end = scene.ends.get(0);
        assertEquals(ErrorCode.EXECUTORS_FAILED, end.code());
        assertTrue(end.reason().startsWith("Max number of executor failures (3) reached"), end.reason());
        assertEquals(0, scene.pending());
        List<String> late = scene.grant("host1");
        assertEquals(late, scene.released);
    }

    @Test
    void allowsTwiceAsManyFailuresAsExecutorsWereWanted() {
        scene.want(10);
        scene.want(2);
        for (int failure = 1; failure <= 20; failure++) {
            assertEquals(List.of(), scene.ends);
            String container = scene.up("host1").get(0);
            scene.pass(Duration.ofMinutes(2)).end(1, container);
        }

        assertTrue(scene.ends.get(0).reason().startsWith("Max number of executor failures (20) reached"));
    }

    @Test
    void countsNoPreemptionAsAFailure() {
        scene.want(1);
        for (int time = 0; time < 10; time++) {
            scene.end(-102, scene.up("host1").get(0));
            assertEquals(1, scene.pending(), "asks again without a pause");
        }

        assertEquals(0, scene.allocator.counts(scene.now).failed());
        assertEquals(List.of(), scene.ends);
        assertEquals(Cause.PREEMPTED, scene.lost.get(new ExecutorId("10")).cause());
    }

    @Test
    void pausesAPoolWhoseExecutorsEndEarly() {
        scene.want(10);
        List<String> containers = scene.up("a", "b", "c");
        scene.end(1, containers.get(0));
        assertEquals(8, scene.pending());

        scene.end(1, containers.get(1));
        assertEquals(8, scene.pending());
        assertEquals(Duration.ofMillis(250), scene.wakes.get(scene.wakes.size() - 1));
        scene.pass(Duration.ofMillis(250)).tick();

        assertEquals(9, scene.pending());
    }

    @Test
    void treatsAFailedStartAsAFailureOfItsNode() {
        AllocatorScene strict = new AllocatorScene(
                AllocatorRules.DEFAULTS.with(new AllocatorRules.Exclusion(Set.of(), true, 1, Duration.ofHours(1))));
        strict.want(3);
        for (String container : strict.grant("host1", "host1")) {
            strict.perform(strict.allocator.startFailed(container, "connection refused", strict.now));
        }

        assertTrue(strict.excluded.contains("host1"));
        assertEquals(2, strict.released.size());
        assertEquals(Cause.NEVER_CAME, strict.lost.get(new ExecutorId("1")).cause());
        assertEquals(2, strict.allocator.counts(strict.now).failed());
    }

    @Test
    void ignoresAFailedStartOfAnExecutorThatHasRegistered() {
        scene.want(1);
        String container = scene.grant("host1").get(0);
        scene.perform(scene.allocator.arrived(new ExecutorId("1"), scene.now));

        scene.perform(scene.allocator.startFailed(container, "timeout", scene.now));

        assertEquals(1, scene.held());
        assertEquals(Map.of(), scene.lost);
    }

    @Test
    void beatsThriceForAnExecutorInDoubt() {
        scene.want(1);
        scene.up("host1");
        scene.pass(Duration.ofSeconds(1)).beat();
        scene.pass(Duration.ofSeconds(1));
        scene.beats.clear();

        scene.perform(scene.allocator.doubted(new ExecutorId("1"), scene.now));
        scene.beat();
        scene.pass(Duration.ofMillis(100)).beat();
        scene.pass(Duration.ofMillis(100)).beat();
        scene.perform(scene.allocator.doubted(new ExecutorId("99"), scene.now));

        assertEquals(
                List.of(Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofSeconds(3)),
                scene.beats);
    }

    @Test
    void announcesPreemptionOnceAndTakesItBackAfterTwiceTheNotice() {
        scene.want(3);
        List<String> containers = scene.up("host1", "host2", "host3");

        scene.notice(Set.of(containers.get(0)), Set.of(containers.get(1)));
        scene.beat(); // the capacity scheduler names a container once
        scene.pass(Duration.ofSeconds(10)).notice(Set.of(containers.get(0)), Set.of());
        scene.pass(Duration.ofSeconds(20)).tick();
        assertEquals("2 stays", scene.notices.get(scene.notices.size() - 1));
        scene.pass(Duration.ofSeconds(10)).tick();

        assertEquals(
                List.of(
                        "1 leaves within 15 s: YARN preempts the container",
                        "2 leaves within 15 s: YARN preempts the container",
                        "2 stays",
                        "1 stays"),
                scene.notices);
    }

    @Test
    void keepsAnExecutorLeavingWhoseNodeIsDecommissionedAsWell() {
        scene.want(1);
        List<String> containers = scene.up("host1");
        scene.node("host1", HostChange.State.DECOMMISSIONING, OptionalInt.empty());

        scene.notice(Set.copyOf(containers), Set.of());
        scene.pass(Duration.ofSeconds(30)).tick();
        assertEquals(2, scene.notices.size());
        scene.node("host1", HostChange.State.USABLE, OptionalInt.empty());

        assertEquals("1 stays", scene.notices.get(2));
    }

    @Test
    void endsOfLeavingExecutorsBySignalAreNoFailures() {
        scene.want(1);
        String container = scene.up("host1").get(0);
        scene.node("host1", HostChange.State.DECOMMISSIONING, OptionalInt.of(1));

        scene.end(143, container);

        assertEquals(Cause.RELEASED, scene.lost.get(new ExecutorId("1")).cause());
        assertEquals(0, scene.allocator.counts(scene.now).failed());
    }

    private static ExecutorNeeds needs(long memory, int cores, Map<String, Long> resources) {
        return new ExecutorNeeds(
                new ContainerCapability(memory, cores, resources),
                new ContainerSize((int) memory, 0, 0),
                cores,
                ContainerPlace.ANY,
                false);
    }
}
