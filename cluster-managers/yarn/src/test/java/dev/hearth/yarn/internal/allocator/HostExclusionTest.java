package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.yarn.internal.line.HostChange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The scenarios of Spark's suite of the health of nodes, with four nodes and two failures allowed on each. */
class HostExclusionTest {
    private static final int NODES = 4;
    private static final long TIMEOUT = Duration.ofMillis(100).toNanos();

    private long now = -7;

    @Test
    void admitsItsOwnHostsAgainAfterTheTimeout() {
        HostExclusion exclusion = exclusion(Set.of());
        assertEquals("", change(exclusion));
        fail(exclusion, "host");
        fail(exclusion, "host");
        assertFalse(exclusion.isEverything(1, Set.of()));

        fail(exclusion, "host");
        assertTrue(exclusion.contains("host"));
        assertTrue(exclusion.isEverything(1, Set.of()));
        now += Duration.ofSeconds(10).toNanos(); // beyond the timeout and the back-off

        assertEquals("-host", change(exclusion));
        assertFalse(exclusion.isEverything(1, Set.of()));
    }

    @Test
    void keepsHostsOfTheSchedulerUntilItAdmitsThem() {
        HostExclusion exclusion = exclusion(Set.of());
        exclusion.excludes(1, Set.of("host1", "host2"));
        assertEquals("+host1+host2", change(exclusion));

        now += 2 * TIMEOUT;
        exclusion.excludes(1, Set.of("host1", "host2"));

        assertEquals("", change(exclusion));
    }

    @Test
    void combinesHostsOfTheSettingsTheSchedulerAndFailures() {
        HostExclusion exclusion = exclusion(Set.of("initial1", "initial2"));
        exclusion.excludes(1, Set.of());
        assertEquals("+initial1+initial2", change(exclusion));
        fail(exclusion, "host1");
        fail(exclusion, "host1");
        fail(exclusion, "host1");
        assertTrue(exclusion.contains("host1"));

        exclusion.excludes(1, Set.of("host2", "host3"));
        assertEquals("+host2+host3", change(exclusion));
        now += TIMEOUT / 10;
        exclusion.excludes(1, Set.of("host3", "host4"));

        assertEquals("+host4-host2", change(exclusion));
    }

    @Test
    void noticesThatNoNodeIsLeft() {
        HostExclusion exclusion = exclusion(Set.of());
        exclusion.excludes(1, Set.of("host1", "host2", "host3"));
        assertEquals("+host1+host2+host3", change(exclusion));
        now += TIMEOUT / 2;
        fail(exclusion, "host4");
        fail(exclusion, "host4");
        assertFalse(exclusion.isEverything(NODES, Set.of()));

        fail(exclusion, "host4");

        assertTrue(exclusion.isEverything(NODES, Set.of()));
        assertFalse(exclusion.isEverything(0, Set.of()), "an unknown number of nodes");
    }

    @Test
    void excludesNodesOfTheSettingsWithoutAnyWant() {
        AllocatorScene scene = new AllocatorScene(AllocatorRules.DEFAULTS.with(
                new AllocatorRules.Exclusion(Set.of("bad1", "bad2"), false, 2, Duration.ofHours(1))));

        assertEquals(List.of("+bad1+bad2"), scene.exclusions);
        scene.want(Demand.of(1), "bad2", "bad3");
        scene.want(Demand.of(1));
        assertEquals(List.of("+bad1+bad2", "+bad3", "-bad3"), scene.exclusions);
    }

    @Test
    void endsTheApplicationIfAllNodesAreExcluded() {
        AllocatorScene scene = new AllocatorScene(
                AllocatorRules.DEFAULTS.with(new AllocatorRules.Exclusion(Set.of(), true, 0, Duration.ofHours(1))));
        scene.nodes = 2;
        scene.want(6);
        List<String> containers = scene.up("host1", "host2");
        scene.end(1, containers.get(0));
        assertEquals(List.of(), scene.ends);

        scene.end(1, containers.get(1));
        assertEquals(List.of(), scene.ends, "a node may come back");
        scene.pass(Duration.ofSeconds(29)).beat();
        assertEquals(List.of(), scene.ends);
        scene.pass(Duration.ofSeconds(1)).tick();

        assertEquals(ErrorCode.EXECUTORS_FAILED, scene.ends.get(0).code());
        assertTrue(scene.ends
                .get(0)
                .reason()
                .startsWith("Due to executor failures all available nodes are excluded (expected: at least one of 2"));
    }

    @Test
    void goesOnWhileExecutorsRunOrAnExcludedNodeIsGone() {
        AllocatorScene scene = new AllocatorScene();
        scene.nodes = 2;
        scene.want(2);
        scene.up("host1");
        scene.want(Demand.of(2), "host1", "host2");
        scene.pass(Duration.ofMinutes(1)).beat();
        assertEquals(List.of(), scene.ends);

        scene.node("host1", HostChange.State.GONE, OptionalInt.empty());
        scene.end(-100, scene.started.values().iterator().next().id());
        scene.pass(Duration.ofMinutes(1)).beat();

        assertEquals(List.of(), scene.ends);
        scene.node("host1", HostChange.State.USABLE, OptionalInt.empty());
        scene.pass(Duration.ofMinutes(1)).beat();
        assertEquals(1, scene.ends.size());
    }

    @Test
    void restsAHostOnWhichContainersFailInARow() {
        HostExclusion exclusion =
                new HostExclusion(AllocatorRules.DEFAULTS.exclusion(), new FailureWindows(Optional.empty()));
        fail(exclusion, "host1");
        assertFalse(exclusion.contains("host1"), "a first failure says little");

        fail(exclusion, "host1");
        assertTrue(exclusion.contains("host1"));
        assertEquals(Duration.ofMillis(250).toNanos(), exclusion.remaining(now));
        assertFalse(exclusion.isEverything(1, Set.of()), "a rest is no exclusion");
        now += Duration.ofMillis(250).toNanos();

        assertEquals("-host1", change(exclusion));
    }

    private void fail(HostExclusion exclusion, String host) {
        exclusion.failed(host, now, now);
        exclusion.refresh(now);
    }

    private String change(HostExclusion exclusion) {
        HostExclusion.Difference difference = exclusion.refresh(now);
        StringBuilder change = new StringBuilder();
        difference.exclude().forEach(host -> change.append('+').append(host));
        difference.admit().forEach(host -> change.append('-').append(host));
        return change.toString();
    }

    private static HostExclusion exclusion(Set<String> nodes) {
        return new HostExclusion(
                new AllocatorRules.Exclusion(nodes, true, 2, Duration.ofNanos(TIMEOUT)),
                new FailureWindows(Optional.empty()));
    }
}
