package dev.hearth.yarn.internal.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.metrics.MetricSource.Sample;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A backend on a simulated cluster without faults: the reports to its driver, and what the cluster is left with. */
class YarnBackendTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private YarnWorld world = new YarnWorld(1, 6, false);

    @Test
    void describesExecutorsWithTheirContainersAndLogs() {
        running(1);

        ExecutorStart start = world.driver.starts.get(new ExecutorId("1"));
        String container = world.yarn.containers().iterator().next();
        assertEquals(
                Map.of(
                        "HTTP_SCHEME", "http://",
                        "NM_HOST", start.host(),
                        "NM_PORT", "45454",
                        "NM_HTTP_PORT", "8042",
                        "NM_HTTP_ADDRESS", start.host() + ":8042",
                        "CLUSTER_ID", "cluster1",
                        "CONTAINER_ID", container,
                        "USER", "ada",
                        "LOG_FILES", "stdout,stderr"),
                start.attributes());
        assertEquals(
                "http://" + start.host() + ":8042/node/containerlogs/" + container + "/ada/stderr?start=-4096",
                start.logs().get("stderr"));
        assertEquals(Set.of("stdout", "stderr"), start.logs().keySet());
        assertTrue(start.rack().orElseThrow().startsWith("/rack"));
        assertEquals(1, start.cores());
    }

    @Test
    void knowsNoRackOnAClusterWithoutRacks() {
        GrantedContainer container = new GrantedContainer(
                "container_1", "host1", "host1:1", "", "/default-rack", AllocatingDriver.NEEDS.capability(), 1, 1);

        ExecutorStart start = new ContainerPages(world.application.identity())
                .start(new ExecutorId("1"), 1, ProfileId.DEFAULT, container);

        assertEquals(Optional.empty(), start.rack());
        assertEquals(Map.of(), start.logs());
    }

    @Test
    void namesTheLogsOfAnExecutorThatFailed() {
        running(2);

        world.executors.exit(world.executors.running().get(0), 137);
        run(() -> world.driver.lost.size() == 1);

        LostExecutor lost = world.driver.lost.values().iterator().next();
        assertEquals(Cause.FAILED, lost.cause());
        List<String> logs = lost.logs();
        assertEquals(2, logs.size());
        assertTrue(logs.get(0).contains("/node/containerlogs/"), logs::toString);
        run(() -> world.driver.live.size() == 2);
    }

    @Test
    void startsAnotherExecutorIfALaunchCannotBeBuilt() {
        world.driver.failsLaunches = true;

        world.driver.want(8);
        run(() -> world.driver.lost.values().stream().anyMatch(lost -> lost.cause() == Cause.NEVER_CAME));
        world.driver.failsLaunches = false;

        run(() -> world.driver.live.size() == 8 && world.isQuiet());
    }

    @Test
    void startsNothingInAContainerThatIsReleasedBeforeItsLaunch() {
        world.driver.releasesAtOnce = true;

        world.driver.want(1);
        run(() -> world.driver.lost.size() == 1 && world.driver.registered.size() == 1);

        assertEquals(Set.of(new ExecutorId("2")), world.driver.registered);
        assertEquals(1, world.line.started().size());
        assertEquals(1, world.line.released().size());
    }

    @Test
    void takesRequestsBack() {
        world.yarn.granting = false;
        world.driver.want(10);
        run(() -> world.yarn.asked() == 10);

        world.driver.want(2);

        run(() -> world.yarn.asked() == 2);
        assertEquals(2, world.line.openAsks());
        world.driver.want(0);
        run(() -> world.yarn.asked() == 0);
    }

    @Test
    void passesExcludedHostsOn() {
        running(1);

        world.driver.want(1, Map.of(), Set.of("host1", "host2"));
        run(() -> world.yarn.excluded().equals(Set.of("host0", "host1", "host2")));
        world.driver.want(1, Map.of(), Set.of("host2"));

        run(() -> world.yarn.excluded().equals(Set.of("host0", "host2")));
    }

    @Test
    void asksForTheHostsThatTasksPrefer() {
        world.driver.want(4, Map.of("host3", 2, "host4", 2), Set.of());

        run(() -> world.driver.live.size() == 4);

        assertTrue(world.driver.live.values().stream()
                        .filter(Set.of("host3", "host4")::contains)
                        .count()
                >= 3);
    }

    @Test
    void endsTheApplicationWithItsOnlyContext() {
        running(3);

        world.driver.close();
        run(() -> world.driver.closed);
        world.simulation.runFor(MINUTE);

        assertEquals(Set.of(), world.yarn.containers());
        assertEquals(0, world.application.counts().running());
        assertTrue(world.driver.end.isEmpty());
    }

    @Test
    void givesEachContextOfAnApplicationItsOwnIdAndExecutors() {
        world = new YarnWorld(1, 6, true);
        AllocatingDriver second = world.second().orElseThrow();
        assertEquals(new ApplicationId("application_1_0001"), world.driver.backend.application());
        assertEquals(new ApplicationId("application_1_0001-2"), second.backend.application());

        world.driver.want(3);
        second.want(2);
        run(() -> world.driver.live.size() == 3 && second.live.size() == 2 && world.isQuiet());
        assertEquals(5, world.yarn.containers().size());
        second.close();
        run(() -> second.closed);

        run(() -> world.yarn.containers().size() == 3);
        assertEquals(3, world.driver.live.size());
        assertEquals(Map.of(), world.driver.lost);
    }

    @Test
    void hasAnAttemptOnlyIfItsDriverRunsOnTheCluster() {
        running(1);

        assertEquals(Optional.empty(), world.driver.backend.attempt());
        assertEquals(Optional.of(1), world.application.attempt());
    }

    @Test
    void endsTheDriverIfTheApplicationIsOver() {
        running(1);

        world.inLoop(() -> world.application.lost(
                ErrorCode.APPLICATION_KILLED.failure("application application_1_0001: killed by bob")));
        run(() -> world.driver.end.isPresent());

        assertEquals("APPLICATION_KILLED", world.driver.end.orElseThrow().code());
        assertTrue(world.application.loss().toCompletableFuture().isDone());
    }

    @Test
    void reportsMetricsWithTheNamesOfSpark() {
        running(2);
        world.driver.want(2, Map.of("host3", 7), Set.of());
        world.simulation.runFor(Duration.ofSeconds(1));

        Map<String, Double> values = new LinkedHashMap<>();
        for (Sample sample : world.metrics.samples()) {
            assertEquals(Map.of("application", "metrics"), sample.labels());
            values.put(sample.name(), sample.value());
        }
        assertEquals(
                Map.of(
                        "yarn.numExecutorsFailed", 0.0,
                        "yarn.numExecutorsRunning", 2.0,
                        "yarn.numExecutorsStarting", 0.0,
                        "yarn.numReleasedContainers", 0.0,
                        "yarn.numLocalityAwareTasks", 7.0,
                        "yarn.numContainersPendingAllocate", 0.0),
                values);
        world.inLoop(() -> world.application.finish(FinalOutcome.SUCCEEDED, ""));
        assertEquals(List.of(), world.metrics.samples());
    }

    @Test
    void leavesTheApplicationToALaterAttempt() {
        running(2);

        world.inLoop(world.application::abandon);
        world.simulation.runFor(MINUTE);

        assertEquals(2, world.yarn.containers().size());
        assertTrue(world.driver.end.isEmpty());
    }

    private void running(int executors) {
        world.driver.want(executors);
        run(() -> world.driver.registered.size() == executors && world.isQuiet());
    }

    private void run(BooleanSupplier condition) {
        assertTrue(world.simulation.runUntil(condition, MINUTE), world::state);
    }
}
