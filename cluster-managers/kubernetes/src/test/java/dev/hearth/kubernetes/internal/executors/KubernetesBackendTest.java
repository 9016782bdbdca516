package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One application on a simulated API server: scenarios with bounds, and random faults with invariants. */
class KubernetesBackendTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Simulation simulation = new Simulation(1);
    private SimulatedApiServer server = new SimulatedApiServer(simulation);

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    private SimulatedApplication application(int wanted) {
        SimulatedApplication made = new SimulatedApplication(simulation, server, "app", AllocatorSettings.DEFAULTS);
        made.want(wanted);
        return made;
    }

    private boolean runs(SimulatedApplication application, int executors) {
        return simulation.runUntil(() -> application.live.size() == executors, MINUTE);
    }

    @Test
    void createsTenThousandPodsWithinFiveSeconds() {
        SimulatedApplication application = application(10_000);

        assertTrue(simulation.runUntil(() -> server.size() == 10_001, Duration.ofSeconds(6)));
        assertTrue(simulation.elapsed().toMillis() <= 5_000, simulation.elapsed()::toString);
        assertTrue(server.posts().size() <= 10_010, () -> server.posts().size() + " requests");
        assertEquals(64, application.backend.allocator().pace().window());
    }

    @Test
    void replacesAThousandLostExecutorsByFewRequests() {
        SimulatedApplication application = application(2_000);
        assertTrue(runs(application, 2_000));
        int before = server.posts().size();

        List<String> rack = server.running(application.pods.selector()).subList(0, 1_000);
        rack.forEach(pod -> server.end(pod, 137, "Error"));
        Duration lost = simulation.elapsed();
        assertTrue(simulation.runUntil(() -> application.lost.size() == 1_000, Duration.ofMillis(100)));
        assertTrue(simulation.runUntil(() -> server.posts().size() > before, Duration.ofMillis(300)));
        assertTrue(runs(application, 2_000));

        assertTrue(server.deletionRequests() <= 10, () -> server.deletionRequests() + " requests");
        assertEquals(1_000, server.posts().size() - before, () -> "since " + lost);
        assertEquals(Cause.FAILED, application.lost.values().iterator().next().cause());
    }

    @Test
    void takesBackRequestsWhenNothingIsWantedAnyMore() {
        SimulatedApplication application = application(10_000);
        assertTrue(simulation.runUntil(() -> server.posts().size() > 500, MINUTE));
        server.schedulable = false;
        int before = server.posts().size();

        application.want(0);
        simulation.runFor(Duration.ofMinutes(3));

        assertTrue(server.posts().size() - before <= 64, () -> server.posts().size() - before + " requests");
        assertEquals(0, server.pods(application.pods.selector()).size() - application.live.size());
    }

    @Test
    void waitsForAQuotaWithoutAStorm() {
        server.quota = 10;
        SimulatedApplication application = application(100);
        simulation.runFor(Duration.ofHours(1));
        assertEquals(10, application.live.size());
        assertTrue(server.posts().size() < 10 + 64 + 200, () -> server.posts().size() + " requests in an hour");
        assertEquals(
                1,
                application.hindrances.stream()
                        .filter(words -> words.contains("quota"))
                        .count());

        server.quota = 1_000;
        assertTrue(runs(application, 100));
        assertEquals("", application.hindrances.get(application.hindrances.size() - 1));
    }

    @Test
    void losesNoExecutorWhenWatchesBreak() {
        SimulatedApplication application = application(50);
        assertTrue(runs(application, 50));
        int lists = server.lists();

        for (int i = 0; i < 50; i++) {
            server.compact();
            server.breakWatches(new Answer.Refused(RefusalKind.GONE, "too old resource version"));
            simulation.runFor(Duration.ofSeconds(12));
        }

        assertEquals(Map.of(), application.lost);
        assertTrue(server.lists() - lists <= 50, () -> server.lists() - lists + " lists");
        assertEquals(
                50,
                server.posts().stream().filter(name -> name.contains("-exec-")).count());

        server.compact();
        server.breakWatches(new Answer.Refused(RefusalKind.GONE, "too old resource version"));
        server.end("app-exec-1", 1, "Error");
        assertTrue(
                simulation.runUntil(() -> application.lost.size() == 1, Duration.ofSeconds(15)),
                "a list follows, and tells what was missed");
    }

    @Test
    void losesNothingWhileTheApiServerIsAway() {
        SimulatedApplication application = application(100);
        assertTrue(runs(application, 100));
        int before = server.posts().size();

        server.away = true;
        server.breakWatches(new Answer.Unknown("connection reset"));
        application.want(120);
        simulation.runFor(MINUTE);
        assertEquals(Map.of(), application.lost);
        assertTrue(server.posts().size() - before <= 64, () -> server.posts().size() - before + " requests");
        assertFalse(application.hindrances.isEmpty());

        server.away = false;
        Duration back = simulation.elapsed();
        assertTrue(runs(application, 120));
        assertTrue(simulation.elapsed().minus(back).toSeconds() < 15, () -> "" + simulation.elapsed());
    }

    @Test
    void endsAnApplicationWhoseExecutorsEndAtOnce() {
        server.endsAtOnceWith = 1;
        SimulatedApplication application = application(10);
        application.registering = false;

        assertTrue(simulation.runUntil(() -> application.end.isPresent(), Duration.ofMinutes(30)));
        assertTrue(server.posts().size() <= 1 + 10 + 20, () -> server.posts().size() + " requests");
        assertEquals("EXECUTORS_FAILED", application.end.orElseThrow().code());
        assertTrue(application.end.orElseThrow().getMessage().contains("exit status 1"));
    }

    @Test
    void namesTheImageThatCannotBeUsed() {
        server.imageExists = false;
        SimulatedApplication application = application(2);
        simulation.runFor(Duration.ofSeconds(3));

        assertTrue(application.hindrances.get(0).contains("ErrImageNeverPull"), application.hindrances::toString);
        simulation.runFor(Duration.ofMinutes(5));
        assertTrue(server.posts().size() < 20, () -> server.posts().size() + " requests");
        assertEquals(Map.of(), application.lost);
    }

    @Test
    void namesWhatTheSchedulerLacks() {
        server.schedulable = false;
        SimulatedApplication application = application(2);
        simulation.runFor(Duration.ofSeconds(2));
        assertTrue(application.hindrances.get(0).contains("Insufficient cpu"), application.hindrances::toString);

        server.schedulable = true;
        assertTrue(runs(application, 2));
        assertEquals("", application.hindrances.get(application.hindrances.size() - 1));
    }

    @Test
    void failsAtOnceWithoutTheRightToCreatePods() {
        server.refusal = Optional.of(new Answer.Refused(RefusalKind.DENIED, "pods is forbidden: cannot create"));
        SimulatedApplication application = application(2);
        simulation.runFor(Duration.ofSeconds(2));

        assertEquals("CLUSTER_LOST", application.end.orElseThrow().code());
        assertTrue(application.end.orElseThrow().getMessage().contains("forbidden"));
    }

    @Test
    void announcesAPodThatIsBeingDeletedAndReplacesIt() {
        SimulatedApplication application = application(3);
        assertTrue(runs(application, 3));
        server.deleteByStranger("app-exec-2", 30);
        assertTrue(simulation.runUntil(() -> !application.leaving.isEmpty(), Duration.ofMillis(300)));
        assertEquals(Set.of(new ExecutorId("2")), application.leaving);

        assertTrue(simulation.runUntil(() -> application.lost.size() == 1 && application.live.size() == 3, MINUTE));
        assertEquals(
                Cause.PREEMPTED, application.lost.values().iterator().next().cause());
        assertTrue(application.live.contains(new ExecutorId("4")), application.live::toString);
    }

    @Test
    void releasesExecutorsWithoutFailures() {
        SimulatedApplication application = application(5);
        assertTrue(runs(application, 5));
        application.want(3);
        application.release(Set.of(new ExecutorId("1"), new ExecutorId("2")));
        simulation.runFor(MINUTE);

        assertEquals(3, application.live.size());
        assertTrue(application.lost.values().stream().allMatch(why -> why.cause() == Cause.RELEASED));
        assertEquals(3, server.pods(application.pods.selector()).size());
        assertEquals(1, server.deletionRequests());
    }

    @Test
    void leavesNothingBehindAndNothingElseAlone() {
        SimulatedApplication other = new SimulatedApplication(simulation, server, "other", AllocatorSettings.DEFAULTS);
        other.want(4);
        SimulatedApplication application = application(20);
        assertTrue(simulation.runUntil(() -> application.live.size() > 5, MINUTE));
        application.close();
        assertTrue(simulation.runUntil(() -> application.closed, Duration.ofSeconds(6)));
        simulation.runFor(Duration.ofSeconds(10));

        assertEquals(List.of(), server.pods(application.pods.selector()));
        assertFalse(server.exists(Resource.SECRET, "app-orders"));
        assertEquals(4, other.live.size());
        assertEquals(Map.of(), other.lost);
    }

    @Test
    void explainsTheSilenceOfAnExecutorByThatOfItsNode() {
        SimulatedApplication application = application(2);
        assertTrue(runs(application, 2));
        String pod = server.running(application.pods.selector()).get(0);
        ExecutorId executor = application.live.iterator().next();
        server.change(pod, facts -> facts.withNodeSilent(true));
        simulation.runFor(MINUTE);
        assertEquals(Map.of(), application.lost, "the driver receives its messages");

        application.doubt(executor);
        assertTrue(simulation.runUntil(() -> application.lost.containsKey(executor), Duration.ofSeconds(5)));
        assertEquals(Cause.HOST_LOST, application.lost.get(executor).cause());
        assertTrue(runs(application, 2), "it is replaced");
    }

    @Test
    void waitsForNoReportWhileTheServerIsAway() {
        SimulatedApplication application = application(1);
        assertTrue(runs(application, 1));
        assertEquals(Duration.ofSeconds(5), application.backend.lossReportWait());
        server.away = true;
        server.breakWatches(new Answer.Unknown("connection reset"));
        simulation.runFor(MINUTE);
        assertEquals(Duration.ZERO, application.backend.lossReportWait());
        server.away = false;
        simulation.runFor(MINUTE);
        assertEquals(Duration.ofSeconds(5), application.backend.lossReportWait());
    }

    @Test
    void skipsANameThatBelongsToAnotherPod() {
        ApiObject foreign = new ApiObject(Resource.POD, "app-exec-1", Map.of("app", "web"), Optional.empty(), "{}");
        server.create(foreign, answer -> {});
        simulation.runFor(Duration.ofSeconds(1));
        SimulatedApplication application = application(2);

        assertTrue(runs(application, 2));
        assertEquals(Set.of(new ExecutorId("2"), new ExecutorId("3")), application.live);
        application.close();
        simulation.runFor(MINUTE);
        assertTrue(server.exists(Resource.POD, "app-exec-1"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsItsInvariantsUnderFaults(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        SimulatedApplication other = new SimulatedApplication(simulation, server, "other", AllocatorSettings.DEFAULTS);
        other.want(2);
        simulation.runFor(MINUTE);
        SimulatedApplication application = application(10);
        simulation.runFor(Duration.ofSeconds(2));
        server.faultRate = simulation.random().nextDouble() * 0.1;
        RandomFaults faults = new RandomFaults(simulation, server, application, 30);
        for (int i = 0; i < 60; i++) {
            faults.next();
            simulation.runFor(Duration.ofMillis(simulation.random().nextInt(8_000)));
        }

        faults.calmDown();
        int wanted = application.wanted;
        assertTrue(
                simulation.runUntil(
                        () -> application.end.isPresent()
                                || (application.live.size() == wanted
                                        && server.running(application.pods.selector())
                                                        .size()
                                                == wanted),
                        Duration.ofMinutes(6)),
                () -> "wanted " + wanted + ", live " + application.live + ", "
                        + application.backend.allocator().slots() + " " + application.hindrances);
        assertEquals(Optional.empty(), application.end);
        assertEquals(wanted, new LinkedHashSet<>(server.running(application.pods.selector())).size());
        application.close();
        simulation.runFor(Duration.ofMinutes(2));
        assertTrue(application.closed);
        assertEquals(List.of(), server.pods(application.pods.selector()));
        assertEquals(2, server.pods(other.pods.selector()).size());
    }
}
