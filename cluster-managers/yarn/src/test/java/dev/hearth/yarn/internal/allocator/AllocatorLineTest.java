package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineRegistration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An allocator over the lines, contexts and nodes of its application, beyond the scenarios of Spark's suite. */
class AllocatorLineTest {
    private final AllocatorScene scene = new AllocatorScene();

    @Test
    void carriesTheAttemptInIdsOfExecutors() {
        AllocatorScene second = new AllocatorScene(AllocatorRules.DEFAULTS, 2);

        second.want(1);
        second.grant("host1");

        assertEquals(Set.of(new ExecutorId("2-1")), second.started.keySet());
    }

    @Test
    void asksAgainForEverythingOnANewLine() {
        scene.want(Demand.of(5), "bad");
        List<String> containers = scene.up("host1", "host2");
        GrantedContainer known = scene.started.get(new ExecutorId("1"));
        GrantedContainer stranger = scene.container("host3", AllocatorScene.COMES, 1);
        scene.perform(scene.allocator.interrupted("relay gone", scene.now));
        Map<Long, ContainerAsk> before = new LinkedHashMap<>(scene.asks);
        scene.asks.clear();
        scene.exclusions.clear();

        scene.perform(scene.allocator.replaced(
                new LineRegistration(AllocatorScene.MAXIMUM, List.of(known, stranger), "root", 2), scene.now));

        assertEquals(before, scene.asks);
        assertEquals(List.of("+bad"), scene.exclusions);
        assertEquals(List.of(stranger.id()), scene.released);
        assertEquals(2, scene.held(), containers::toString);
        assertEquals(Map.of(), scene.lost);
    }

    @Test
    void givesBackAContainerWhoseStartWasLostWithItsLine() {
        scene.want(2);
        List<String> containers = scene.grant("host1", "host2");

        scene.perform(scene.allocator.replaced(
                new LineRegistration(AllocatorScene.MAXIMUM, List.of(), "root", 2), scene.now));
        scene.perform(scene.allocator.arrived(new ExecutorId("2"), scene.now));
        scene.pass(Duration.ofSeconds(59)).tick();
        assertEquals(Map.of(), scene.lost);
        scene.pass(Duration.ofSeconds(1)).tick();

        assertEquals(Set.of(new ExecutorId("1")), scene.lost.keySet());
        assertEquals(List.of(containers.get(0)), scene.released);
        assertEquals(0, scene.allocator.counts(scene.now).failed());
        assertEquals(1, scene.pending());
    }

    @Test
    void repeatsNothingWhenItsLineRegistersAgain() {
        scene.want(3);
        int before = scene.orders.size();

        scene.perform(scene.allocator.interrupted("connection refused", scene.now));
        scene.perform(scene.allocator.registered(
                new LineRegistration(AllocatorScene.MAXIMUM, List.of(), "root", 1), scene.now));

        assertEquals(before, scene.orders.size());
        assertEquals(3, scene.pending());
    }

    @Test
    void countsTheClusterAsLostAfterTheReconnectBound() {
        scene.want(2);
        scene.up("host1");
        scene.perform(scene.allocator.interrupted("connection refused", scene.now));
        assertEquals(Duration.ofMinutes(2), scene.wakes.get(scene.wakes.size() - 1));
        assertTrue(scene.hindrances.get(0).reason().contains("connection refused"));

        scene.pass(Duration.ofMinutes(2)).tick();

        assertEquals(ErrorCode.CLUSTER_LOST, scene.ends.get(0).code());
        assertEquals(1, scene.held());
    }

    @Test
    void stopsContainersThroughTheirNodesWhileTheLineIsDown() {
        scene.want(1);
        String container = scene.grant("host1").get(0);
        scene.perform(scene.allocator.interrupted("connection refused", scene.now));

        scene.release(container);

        assertEquals(List.of(container), scene.stopped);
        assertEquals(List.of(container), scene.released);
    }

    @Test
    void holdsNothingAfterItIsClosed() {
        scene.want(4);
        List<String> containers = scene.up("host1", "host2");
        scene.grant("host3");

        scene.perform(scene.allocator.close(scene.now));

        assertEquals(0, scene.held());
        assertEquals(0, scene.pending());
        assertEquals(3, scene.released.size());
        assertTrue(scene.released.containsAll(containers));
        assertEquals(Map.of(), scene.lost);
        List<String> late = scene.grant("host4");
        assertEquals(late, scene.released.subList(3, 4));
        scene.want(3);
        assertEquals(0, scene.pending());
    }

    @Test
    void addsTheDemandsOfTwoContexts() {
        scene.want(2);
        scene.perform(scene.allocator.want(
                2, Map.of(ProfileId.DEFAULT, Demand.of(3)), scene.needs, Set.of("bad"), scene.now));
        assertEquals(5, scene.pending());
        assertEquals(Set.of("bad"), scene.excluded);
        assertEquals(
                List.of(1, 1, 2, 2, 2),
                scene.asks.values().stream().map(ContainerAsk::priority).toList());

        scene.perform(scene.allocator.close(2, scene.now));

        assertEquals(2, scene.pending());
        assertEquals(Set.of(), scene.excluded);
        scene.perform(
                scene.allocator.want(3, Map.of(ProfileId.DEFAULT, Demand.of(1)), scene.needs, Set.of(), scene.now));
        assertEquals(
                List.of(1, 1, 2),
                scene.asks.values().stream().map(ContainerAsk::priority).toList());
    }

    @Test
    void asksForNothingThatNoNodeCouldHold() {
        ProfileId large = new ProfileId(1);
        scene.needs.put(large, needs(100_000, 5, Map.of()));

        scene.want(Map.of(large, Demand.of(1)));

        assertEquals(0, scene.pending());
        AllocationEffect.Hindered hindrance = scene.hindrances.get(0);
        assertTrue(hindrance.unplaceable());
        assertEquals(
                "executor: a container of 100000 MiB and 5 cores (expected: at most 65536 MiB and 64 cores and"
                        + " {yarn.io/gpu=8}, the largest of the cluster); lower hearth.executor.memory,"
                        + " hearth.executor.memoryOverhead or hearth.executor.cores",
                hindrance.reason());
        scene.want(Map.of(large, Demand.NONE));
        assertEquals("", scene.hindrances.get(1).reason());
    }

    @Test
    void saysAfterTenSecondsThatTheQueueGrantsNothing() {
        scene.headroom = new ContainerCapability(512, 0, Map.of());
        scene.want(2);
        scene.pass(Duration.ofSeconds(9)).beat();
        assertEquals(List.of(), scene.hindrances);

        scene.pass(Duration.ofSeconds(1)).beat();
        scene.pass(Duration.ofSeconds(3)).beat();
        scene.grant("host1", "host2");

        assertEquals(
                List.of(
                        "queue root.default grants no container of 2432 MiB and 5 cores at present; it has room for 512"
                                + " MiB and 0 cores",
                        ""),
                scene.hindrances.stream().map(AllocationEffect.Hindered::reason).toList());
    }

    @Test
    void boundsADemandForAllThatTheClusterHas() {
        scene.headroom = new ContainerCapability(2432 * 7, 100, Map.of());
        scene.beat();

        scene.want(Demand.ALL);
        assertEquals(7, scene.pending());
        scene.headroom = ContainerCapability.NONE;
        scene.grant("a", "b", "c", "d", "e", "f", "g");

        assertEquals(7, scene.held());
        assertEquals(1, scene.pending());
    }

    @Test
    void growsByHeadroomWithDynamicAllocation() {
        AllocatorScene dynamic = new AllocatorScene(AllocatorRules.DEFAULTS.growingByHeadroom());
        dynamic.headroom = new ContainerCapability(2432 * 3, 100, Map.of());
        dynamic.want(20);
        assertEquals(20, dynamic.pending(), "the headroom is unknown before the first answer");

        dynamic.beat();
        assertEquals(3, dynamic.pending());
        dynamic.headroom = ContainerCapability.NONE;
        dynamic.grant("a", "b", "c");
        assertEquals(1, dynamic.pending());
        dynamic.pass(Duration.ofSeconds(30)).beat();
        assertEquals(2, dynamic.pending());
        dynamic.pass(Duration.ofSeconds(30)).beat();

        assertEquals(4, dynamic.pending());
        assertEquals(4, new AllocatorScene().want(4).pending(), "a fixed number is asked for at once");
    }

    @Test
    void movesAsksToTheHostsThatTasksPrefer() {
        scene.want(4);
        assertEquals(List.of(List.of(), List.of(), List.of(), List.of()), hosts());

        scene.want(Demand.of(4).preferring(20, Map.of("host3", 20)));
        assertEquals(List.of(List.of("host3"), List.of("host3"), List.of("host3"), List.of("host3")), hosts());
        scene.want(Demand.of(4).preferring(10, Map.of("host5", 10)));
        assertEquals(List.of(List.of(), List.of(), List.of("host5"), List.of("host5")), hosts());
        scene.want(Demand.of(4).preferring(10, Map.of("host5", 10)), "host5");

        assertEquals(List.of(List.of(), List.of(), List.of(), List.of()), hosts());
    }

    @Test
    void servesTheAskThatNamesAHostOfTheRackOfTheGrant() {
        scene.want(2);
        scene.up("host1", "host3"); // so that their racks are known
        Map<String, Integer> byHost = new LinkedHashMap<>();
        byHost.put("host7", 5);
        byHost.put("host1", 15);
        scene.want(Demand.of(6).preferring(20, byHost));
        assertEquals(
                List.of(List.of(), List.of("host7", "host1"), List.of("host7", "host1"), List.of("host1")), hosts());

        scene.grant("host2"); // in the rack of host1

        assertEquals(List.of(List.of(), List.of("host7", "host1"), List.of("host1")), hosts());
    }

    @Test
    void givesBackAGrantOnAHostThatWasExcludedMeanwhile() {
        scene.want(Demand.of(1));
        scene.want(Demand.of(1), "host1");

        List<String> granted = scene.grant("host1");

        assertEquals(granted, scene.released);
        assertEquals(1, scene.pending());
        assertEquals(0, scene.held());
    }

    @Test
    void asksAgainWithoutAHostThatIsExcluded() {
        Map<String, Integer> byHost = new LinkedHashMap<>();
        byHost.put("host1", 10);
        byHost.put("host2", 10);
        Demand demand = Demand.of(2).preferring(20, byHost);
        scene.want(demand);
        assertEquals(List.of(List.of("host1", "host2"), List.of("host1", "host2")), hosts());

        scene.want(demand, "host1");

        assertEquals(List.of(List.of("host2"), List.of("host2")), hosts());
    }

    @Test
    void leavesExecutorsOnAnExcludedHostAlone() {
        scene.want(1);
        scene.up("host1");

        scene.want(Demand.of(1), "host1");

        assertEquals(1, scene.held());
        assertEquals(List.of(), scene.released);
    }

    @Test
    void refusesAProfileWithoutNeeds() {
        assertThrows(IllegalArgumentException.class, () -> scene.want(Map.of(new ProfileId(9), Demand.of(1))));
    }

    @Test
    void countsAnExecutorAsNeverComeUntilItHasRegisteredWithItsDriver() {
        scene.want(2);
        List<String> containers = scene.up("host1", "host2");
        scene.perform(scene.allocator.arrived(new ExecutorId("2"), scene.now));

        scene.end(56, containers.get(0));
        scene.end(56, containers.get(1));

        assertEquals(Cause.NEVER_CAME, scene.lost.get(new ExecutorId("1")).cause());
        assertEquals(Cause.UNREACHABLE, scene.lost.get(new ExecutorId("2")).cause());
        assertEquals(1, scene.allocator.counts(scene.now).failed());
    }

    private List<List<String>> hosts() {
        return scene.asks.values().stream().map(ContainerAsk::hosts).toList();
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
