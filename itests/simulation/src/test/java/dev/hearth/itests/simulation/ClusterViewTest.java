package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Asks a simulated standalone cluster what it runs, after random delays and the kill of one process: what it lists is
 * what there is, and everything that ended has ended as it should.
 */
class ClusterViewTest {
    private static final Duration BOUND = Duration.ofMinutes(10);

    static LongStream seeds() {
        return Simulation.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void showsTheExecutorThatWasKilledAndTheApplicationAsFinished(long seed) {
        SimulatedCluster cluster = begin(seed);
        crash(cluster, "executor");
        cluster.submit();
        decide(cluster);

        assertEquals(List.of(ApplicationEntry.State.FINISHED), states(cluster), "seed " + seed);
        List<ExecutorEntry> executors = list(cluster, view -> view.executors(Optional.empty()));
        assertTrue(executors.stream().allMatch(executor -> executor.state().isFinal()), executors::toString);
        assertTrue(
                executors.stream()
                        .anyMatch(executor -> executor.state() == ExecutorEntry.State.EXITED
                                && executor.exitStatus().orElse(0) == 137),
                executors::toString);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void showsAnApplicationWhoseDriverDiedAsFailed(long seed) {
        SimulatedCluster cluster = begin(seed);
        crash(cluster, "driver");
        cluster.submit();
        decide(cluster);

        assertFalse(states(cluster).contains(ApplicationEntry.State.FINISHED), "seed " + seed);
        List<DriverEntry> drivers = list(cluster, ClusterView::drivers);
        assertEquals(
                List.of(SubmissionState.FAILED),
                drivers.stream().map(DriverEntry::state).toList());
        // before it had registered, the application is not known
        list(cluster, ClusterView::applications)
                .forEach(application -> assertEquals(ApplicationEntry.State.FAILED, application.state()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void showsAnApplicationThatWasKilledAsKilled(long seed) {
        SimulatedCluster cluster = begin(seed);
        cluster.submit();
        Predicate<ApplicationEntry> runs = application -> application.state() == ApplicationEntry.State.RUNNING;
        cluster.simulation().runUntil(() -> cluster.state() == SubmissionState.RUNNING, BOUND);
        List<ApplicationEntry> running = list(cluster, ClusterView::applications);
        if (running.stream().noneMatch(runs)) {
            return; // not registered yet, or over already: nothing to kill
        }
        ApplicationEntry before =
                await(cluster, view -> view.kill(running.get(0).id(), "a test"));
        decide(cluster);

        assertEquals(
                List.of(runs.test(before) ? ApplicationEntry.State.KILLED : ApplicationEntry.State.FINISHED),
                states(cluster),
                "seed " + seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void showsALostWorkerAsDeadWithNothingOnIt(long seed) {
        SimulatedCluster cluster = begin(seed);
        cluster.submit();
        cluster.simulation()
                .schedule(Duration.ofMillis(cluster.simulation().random().nextLong(2_000)), cluster.machine()::crash);
        cluster.simulation().runFor(Duration.ofMinutes(5));

        list(cluster, ClusterView::workers)
                .forEach(worker -> assertEquals(WorkerEntry.State.DEAD, worker.state(), "seed " + seed));
        List<ExecutorEntry> executors = list(cluster, view -> view.executors(Optional.empty()));
        assertTrue(executors.stream().allMatch(executor -> executor.state().isFinal()), executors::toString);
        assertFalse(states(cluster).contains(ApplicationEntry.State.RUNNING), "seed " + seed);
    }

    private static SimulatedCluster begin(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        cluster.simulation()
                .network()
                .delayUpTo(Duration.ofMillis(cluster.simulation().random().nextLong(1, 50)));
        return cluster;
    }

    private static void crash(SimulatedCluster cluster, String role) {
        boolean[] chosen = {false};
        cluster.whenStarted(child -> {
            if (child.role().equals(role) && !chosen[0]) {
                chosen[0] = true;
                Duration after = Duration.ofMillis(cluster.simulation().random().nextLong(2_000));
                cluster.simulation().schedule(after, child::crash);
            }
        });
    }

    /** Runs until the submission has ended; then nothing may be in use on the worker. */
    private static void decide(SimulatedCluster cluster) {
        cluster.simulation().runUntil(cluster::isDecided, BOUND);
        cluster.simulation().runFor(Duration.ofMinutes(1));
        WorkerEntry worker = list(cluster, ClusterView::workers).get(0);
        assertEquals(WorkerEntry.State.ALIVE, worker.state());
        assertEquals(0, worker.coresUsed().orElse(-1));
        assertEquals(0, worker.memoryUsedMebibytes().orElse(-1));
        assertEquals(0, worker.executors().orElse(-1) + worker.drivers().orElse(-1));
    }

    private static List<ApplicationEntry.State> states(SimulatedCluster cluster) {
        return list(cluster, ClusterView::applications).stream()
                .map(ApplicationEntry::state)
                .toList();
    }

    private static <T> List<T> list(
            SimulatedCluster cluster, Function<ClusterView, CompletionStage<ClusterListing<T>>> question) {
        ClusterListing<T> found = await(cluster, question);
        assertTrue(found.known());
        return found.entries();
    }

    private static <T> T await(SimulatedCluster cluster, Function<ClusterView, CompletionStage<T>> question) {
        CompletableFuture<T> answer =
                cluster.ask((manager, services) -> question.apply(manager.view(cluster.master(), services)));
        cluster.simulation().runUntil(answer::isDone, BOUND);
        return answer.join();
    }
}
