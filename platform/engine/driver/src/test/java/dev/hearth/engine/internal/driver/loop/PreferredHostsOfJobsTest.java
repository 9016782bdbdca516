package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests what backends learn of the hosts that tasks prefer, and that tasks use racks, in virtual time. */
class PreferredHostsOfJobsTest {
    private static final Map<String, String> STATIC = Map.of("hearth.executor.instances", "2");
    private static final Map<String, String> DYNAMIC = Map.of(
            "hearth.dynamicAllocation.enabled", "true",
            "hearth.dynamicAllocation.shuffleTracking.enabled", "true",
            "hearth.executor.cores", "1",
            "hearth.dynamicAllocation.maxExecutors", "4");

    private static List<String> host(int partition) {
        return List.of(partition < 6 ? "host-a" : "host-b");
    }

    @Test
    void reachTheBackendWithAFixedNumberOfExecutors() {
        DriverFixture scene = new DriverFixture(STATIC);
        assertEquals(List.of(Demand.of(2)), scene.demands);
        assertFalse(scene.begin(DriverFixture.placed(8, PreferredHostsOfJobsTest::host))
                .isDone());
        assertEquals(new Demand(2, 8, Map.of("host-a", 6, "host-b", 2)), scene.demands.get(1));
        scene.run(Duration.ofMinutes(1));
        assertEquals(2, scene.demands.size(), "nothing has changed");
    }

    @Test
    void reachTheBackendWithDynamicAllocation() {
        DriverFixture scene = new DriverFixture(DYNAMIC);
        assertFalse(scene.begin(DriverFixture.placed(8, PreferredHostsOfJobsTest::host))
                .isDone());
        scene.run(Duration.ofSeconds(20));
        Demand last = scene.demands.get(scene.demands.size() - 1);
        assertEquals(new Demand(4, 8, Map.of("host-a", 6, "host-b", 2)), last);
        assertTrue(scene.demands.size() <= 5, () -> scene.demands.toString());
    }

    @Test
    void areReportedAgainWhenTheyHaveChangedMuch() {
        DriverFixture scene = new DriverFixture(STATIC);
        ScriptedExecutor only = scene.executor("a").register();
        CompletableFuture<Void> job = scene.begin(DriverFixture.placed(64, partition -> List.of("host-a")));
        scene.run(Duration.ofSeconds(10));
        only.succeedAll();
        assertTrue(job.isDone());
        scene.run(Duration.ofSeconds(1));
        List<Integer> tasks = scene.demands.stream().map(Demand::tasksWithHosts).toList();
        assertTrue(tasks.size() <= 10, tasks::toString);
        assertEquals(0, tasks.get(tasks.size() - 1));
    }

    @Test
    void areThoseOfTheMomentWhenALostExecutorIsReplaced() {
        DriverFixture scene = new DriverFixture(STATIC);
        ScriptedExecutor first = scene.executor("a").register();
        assertFalse(scene.begin(DriverFixture.placed(8, PreferredHostsOfJobsTest::host))
                .isDone());
        int before = scene.demands.size();
        first.process.crash();
        scene.run(Duration.ofSeconds(6));
        assertTrue(scene.demands.size() > before);
        assertEquals(8, scene.demands.get(scene.demands.size() - 1).tasksWithHosts(), "all are pending again");
    }

    @Test
    void areInNoDemandWithoutPreferences() {
        DriverFixture scene = new DriverFixture(STATIC);
        assertFalse(scene.begin(DriverFixture.result(8)).isDone());
        scene.run(Duration.ofMinutes(1));
        assertEquals(List.of(Demand.of(2)), scene.demands);
    }

    /** The first executor that gets the second of two tasks for host-a, where one core is. */
    private static String second(DriverFixture scene, ScriptedExecutor... others) {
        scene.executor("a").register();
        assertFalse(scene.begin(DriverFixture.placed(2, partition -> List.of("host-a")))
                .isDone());
        List<String> got = new ArrayList<>();
        for (int tick = 0; tick < 100 && got.isEmpty(); tick++) {
            scene.run(Duration.ofMillis(100));
            for (ScriptedExecutor other : others) {
                if (!other.orders(LaunchTasks.class).isEmpty()) {
                    got.add(other.id.value());
                }
            }
        }
        return String.join(",", got);
    }

    private static DriverFixture withoutCredit() {
        return new DriverFixture(Map.of("hearth.scheduler.executorCredit", "0"));
    }

    @Test
    void areReplacedByTheirRackThatTheClusterManagerNames() {
        DriverFixture scene = withoutCredit();
        scene.report(cluster -> cluster.started(
                ExecutorStart.of(new ExecutorId("a"), "host-a", 1).inRack("r")));
        scene.report(cluster -> cluster.started(
                ExecutorStart.of(new ExecutorId("near"), "host-near", 1).inRack("r")));
        ScriptedExecutor far = scene.executor("far").register();
        assertEquals("near", second(scene, far, scene.executor("near").register()));
    }

    @Test
    void areReplacedByTheirRackThatABundleNames() {
        DriverFixture scene = withoutCredit();
        scene.racks = Optional.of(hosts -> Map.of("host-a", "r", "host-near", "r", "host-far", "s"));
        ScriptedExecutor far = scene.executor("far").register();
        assertEquals("near", second(scene, far, scene.executor("near").register()));
    }
}
