package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several drivers of one application, one after another and at the same time, and anchors that strangers delete. */
class EpochScenariosTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String ANCHOR = "app-orders";
    private static final int EXECUTORS = 20;

    private Simulation simulation = new Simulation(1);
    private SimulatedApiServer server = new SimulatedApiServer(simulation);
    private Optional<Owner> pod = Optional.empty();
    private int runs;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    private void reset(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        pod = Optional.empty();
        runs = 0;
    }

    /** Puts the drivers of the application into a pod, as in cluster mode. */
    private void inPod() {
        server.create(
                new ApiObject(Resource.POD, "app-driver", Map.of("spark-role", "driver"), Optional.empty(), "{}"),
                answer -> {});
        simulation.runFor(Duration.ofSeconds(2));
        pod = Optional.of(new Owner("Pod", "app-driver", server.uidOf(Resource.POD, "app-driver")));
    }

    private SimulatedApplication driver(int wanted) {
        SimulatedApplication made =
                new SimulatedApplication(simulation, server, "app", AllocatorSettings.DEFAULTS, ++runs, pod);
        made.want(wanted);
        return made;
    }

    private boolean runs(SimulatedApplication application, int executors) {
        return simulation.runUntil(() -> application.live.size() == executors, MINUTE);
    }

    private List<String> podsOfEpoch(long epoch) {
        return server.pods("spark-role=executor," + AnchorMarks.EPOCH + "=" + epoch);
    }

    /** Runs a driver until {@code events} events have happened; returns whether there were as many. */
    private boolean dieAfter(int events) {
        SimulatedApplication first = driver(EXECUTORS);
        int[] passed = {0};
        boolean reached = simulation.runUntil(() -> ++passed[0] >= events, Duration.ofSeconds(8));
        first.process.crash();
        Set<Long> used = new LinkedHashSet<>(first.requestedExecutors);
        simulation.runFor(Duration.ofMillis(simulation.random().nextInt(1_500)));

        SimulatedApplication second = driver(EXECUTORS);
        assertTrue(runs(second, EXECUTORS), () -> "after event " + events + ": " + second.live);
        simulation.runFor(MINUTE);
        long epoch = second.backend.epoch();
        assertEquals(EXECUTORS, podsOfEpoch(epoch).size(), () -> "after event " + events + ", epoch " + epoch);
        assertEquals(
                EXECUTORS,
                server.pods("spark-role=executor").size(),
                () -> "after event " + events + " pods of an older epoch are left");
        used.retainAll(second.requestedExecutors);
        assertEquals(Set.of(), used, () -> "numbers used twice after event " + events);
        assertTrue(first.end.isEmpty() && second.end.isEmpty());
        return reached;
    }

    @Test
    void clearsAwayThePodsOfADriverThatDiesAtAnyEvent() { // A10
        int events = 0;
        boolean more = true;
        while (more) {
            events++;
            reset(events);
            inPod();
            more = dieAfter(events);
        }
        assertTrue(events > 100, events + " events");
    }

    @Test
    void numbersExecutorsBehindThoseOfEarlierDrivers() {
        inPod();
        SimulatedApplication first = driver(3);
        assertTrue(runs(first, 3));
        first.process.crash();
        for (String name : server.pods("spark-role=executor")) {
            server.vanish(name); // nothing is left to see
        }
        SimulatedApplication second = driver(1);
        assertTrue(runs(second, 1));
        assertEquals(2, second.backend.epoch());
        assertEquals(Set.of(KubernetesBackend.EPOCH_EXECUTORS_MAX + 1), second.requestedExecutors);
    }

    @Test
    void raisesItsNumberAboveThatOfPodsWhoseAnchorIsGone() {
        inPod();
        driver(3).process.crash();
        SimulatedApplication second = driver(3);
        assertTrue(runs(second, 3));
        second.process.crash();
        server.deleteByStranger(Resource.SECRET, ANCHOR, true);
        SimulatedApplication third = driver(2);
        assertTrue(runs(third, 2));
        simulation.runFor(MINUTE);

        assertTrue(third.backend.epoch() > second.backend.epoch());
        assertEquals(2, server.pods("spark-role=executor").size());
        second.requestedExecutors.retainAll(third.requestedExecutors);
        assertEquals(Set.of(), second.requestedExecutors);
    }

    @Test
    void letsOneOfTwoDriversGoOn() { // K32
        SimulatedApplication first = driver(5);
        assertTrue(runs(first, 5));
        int before = server.deletionRequests();
        SimulatedApplication second = driver(4);
        assertTrue(simulation.runUntil(() -> first.end.isPresent(), MINUTE));
        first.close();
        assertTrue(simulation.runUntil(() -> first.closed, MINUTE));
        assertTrue(runs(second, 4));
        simulation.runFor(MINUTE);

        assertEquals("CLUSTER_LOST", first.end.orElseThrow().code());
        assertTrue(first.end.orElseThrow().getMessage().contains("number 2"));
        assertEquals(1, server.deletionRequests() - before, "the second deletes the pods of the first, by one request");
        assertEquals(0, first.deletions, "the first deletes nothing");
        assertEquals(4, server.pods("spark-role=executor").size());
        assertEquals(Optional.empty(), second.end);
        assertTrue(server.exists(Resource.SECRET, ANCHOR));
        assertTrue(second.lost.isEmpty());
    }

    @Test
    void givesDifferentNumbersToDriversThatStartAtTheSameTime() {
        for (long seed = 1; seed <= 50; seed++) {
            reset(seed);
            SimulatedApplication first = driver(1);
            assertTrue(runs(first, 1));
            List<SimulatedApplication> later = List.of(driver(1), driver(1), driver(1));
            simulation.runFor(MINUTE);
            assertEquals(
                    3,
                    later.stream()
                            .map(driver -> driver.backend.epoch())
                            .distinct()
                            .count(),
                    "seed " + seed);
            assertEquals(1, living(later).size(), "seed " + seed);
            assertEquals(1, server.pods("spark-role=executor").size());
        }
    }

    @Test
    void noticesALaterDriverThatWantsNoExecutors() {
        SimulatedApplication first = driver(2);
        assertTrue(runs(first, 2));
        SimulatedApplication second = driver(0);
        assertTrue(simulation.runUntil(() -> first.end.isPresent(), Duration.ofMinutes(6)));
        assertEquals(Optional.empty(), second.end);
    }

    @Test
    void adoptsPodsThatAStrangerHasOrphaned() {
        SimulatedApplication application = driver(5);
        assertTrue(runs(application, 5));
        server.deleteByStranger(Resource.SECRET, ANCHOR, true);
        simulation.runFor(Duration.ofMinutes(6));

        assertTrue(server.exists(Resource.SECRET, ANCHOR));
        String uid = server.uidOf(Resource.SECRET, ANCHOR);
        for (String name : server.pods("spark-role=executor")) {
            assertEquals(Optional.of(uid), server.ownerOf(Resource.POD, name));
        }
        assertEquals(5, application.live.size());
        assertEquals(Map.of(), application.lost);
        application.process.crash();
        server.deleteByStranger(Resource.SECRET, ANCHOR, false);
        simulation.runFor(MINUTE);
        assertEquals(0, server.size(), "the cluster deletes them with the anchor");
    }

    @Test
    void replacesThePodsThatGoWithADeletedAnchor() {
        SimulatedApplication application = driver(5);
        assertTrue(runs(application, 5));
        int posts = server.posts().size();
        server.deleteByStranger(Resource.SECRET, ANCHOR, false);
        simulation.runFor(Duration.ofSeconds(30));

        assertTrue(server.exists(Resource.SECRET, ANCHOR));
        assertEquals(5, application.live.size());
        assertEquals(5, server.running("spark-role=executor").size());
        assertTrue(
                server.posts().size() - posts <= 1 + 2 * 5,
                () -> "requested: "
                        + server.posts().subList(posts, server.posts().size()));
        assertEquals(Optional.empty(), application.end);
    }

    @Test
    void doesWithoutTheRightToAdopt() {
        SimulatedApplication application = driver(3);
        assertTrue(runs(application, 3));
        server.refusedPatches.put(Resource.POD, new Answer.Refused(RefusalKind.DENIED, "pods is forbidden"));
        server.deleteByStranger(Resource.SECRET, ANCHOR, true);
        simulation.runFor(Duration.ofMinutes(6));
        assertEquals(3, application.live.size());
        application.close();
        simulation.runFor(MINUTE);
        assertEquals(0, server.size());
    }

    @Test
    void renewsLaterWhileTheApiServerIsAway() {
        SimulatedApplication application = driver(2);
        assertTrue(runs(application, 2));
        simulation.runFor(Duration.ofMinutes(4));
        server.away = true;
        server.breakWatches(new Answer.Unknown("connection reset"));
        simulation.runFor(Duration.ofHours(1));
        String before = server.annotationsOf(Resource.SECRET, ANCHOR).get(AnchorMarks.RENEWED);
        server.away = false;
        simulation.runFor(Duration.ofMinutes(1));

        String after = server.annotationsOf(Resource.SECRET, ANCHOR).get(AnchorMarks.RENEWED);
        assertFalse(after.equals(before), after);
        assertEquals(Map.of(), application.lost);
    }

    @Test
    void sendsFewRequestsWhileNothingChanges() { // K18
        SimulatedApplication application = driver(50);
        assertTrue(runs(application, 50));
        simulation.runFor(MINUTE);
        int before = server.requests;
        simulation.runFor(Duration.ofHours(1));
        assertTrue(server.requests - before <= 12, () -> server.requests - before + " requests in an hour");
        assertEquals(50, application.live.size());
    }

    @Test
    void keepsTheAnchorOfADriverThatIsStartedAgain() {
        inPod();
        SimulatedApplication first = driver(2);
        assertTrue(runs(first, 2));
        first.fail();
        simulation.runFor(MINUTE);
        assertTrue(server.exists(Resource.SECRET, ANCHOR));
        SimulatedApplication second = driver(2);
        assertTrue(runs(second, 2));
        second.close();
        simulation.runFor(MINUTE);
        assertFalse(server.exists(Resource.SECRET, ANCHOR), "a driver that has finished is not started again");
    }

    @Test
    void deletesThePodThatARequestWithoutAnAnswerLeavesAtTheEnd() {
        SimulatedApplication application = driver(2);
        assertTrue(runs(application, 2));
        server.delay = Duration.ofSeconds(3); // the answer comes while the application closes
        application.want(4);
        simulation.runFor(Duration.ofMillis(100));
        server.collects = false; // K14
        application.close();
        assertTrue(simulation.runUntil(() -> application.closed, Duration.ofMinutes(1)));
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsOneDriverUnderFaults(long seed) {
        reset(seed);
        boolean inPod = seed % 2 == 0;
        if (inPod) {
            inPod();
        }
        List<SimulatedApplication> drivers = new ArrayList<>(List.of(driver(5)));
        for (int i = 0; i < 12; i++) {
            simulation.runFor(Duration.ofMillis(simulation.random().nextInt(20_000)));
            fault(drivers, inPod);
        }
        server.away = false;
        server.faultRate = 0;
        assertTrue(
                simulation.runUntil(
                        () -> {
                            if (living(drivers).isEmpty()) { // the last one could not open, and is started again
                                drivers.add(driver(5));
                            }
                            return hasAlone(drivers, 5);
                        },
                        Duration.ofMinutes(15)),
                () -> states(drivers) + ", " + server.pods("spark-role=executor"));
        living(drivers).get(0).close();
        simulation.runFor(Duration.ofMinutes(2));
        assertEquals(List.of(), server.pods("spark-role=executor"));
        if (server.exists(Resource.SECRET, ANCHOR)) { // left to the sweep by a driver that did not learn that it had it
            String holder = server.labelsOf(Resource.SECRET, ANCHOR).get(Placement.NONCE);
            assertTrue(
                    drivers.stream()
                            .anyMatch(driver -> driver.openFailure.isPresent()
                                    && driver.pods.nonce().equals(holder)),
                    () -> holder + " of " + states(drivers));
        }
    }

    /** Whether one driver is left, with as many executors, and no other executor exists. */
    private boolean hasAlone(List<SimulatedApplication> drivers, int executors) {
        if (living(drivers).size() != 1) {
            return false;
        }
        SimulatedApplication survivor = living(drivers).get(0);
        return survivor.live.size() == executors
                && server.pods("spark-role=executor").size() == executors
                && server.pods(survivor.pods.ownSelector()).size() == executors;
    }

    private static List<String> states(List<SimulatedApplication> drivers) {
        List<String> states = new ArrayList<>();
        for (SimulatedApplication driver : drivers) {
            String ended = driver.end
                    .map(Throwable::toString)
                    .or(() -> driver.openFailure.map(Throwable::toString))
                    .orElse(driver.process.alive() ? "runs" : "crashed");
            states.add("epoch " + driver.backend.epoch() + " with " + driver.live + ": " + ended);
        }
        return states;
    }

    /** The drivers that run and have not been superseded. */
    private static List<SimulatedApplication> living(List<SimulatedApplication> drivers) {
        return drivers.stream()
                .filter(driver -> driver.process.alive() && driver.end.isEmpty() && driver.openFailure.isEmpty())
                .toList();
    }

    private void fault(List<SimulatedApplication> drivers, boolean inPod) {
        switch (simulation.random().nextInt(6)) {
            case 0 -> {
                if (inPod) { // one process runs in a pod
                    drivers.forEach(driver -> driver.process.crash());
                }
                drivers.add(driver(5));
            }
            case 1 -> {
                if (server.exists(Resource.SECRET, ANCHOR)) {
                    server.deleteByStranger(
                            Resource.SECRET, ANCHOR, simulation.random().nextBoolean());
                }
            }
            case 2 -> server.away = !server.away;
            case 3 -> server.breakWatches(new Answer.Unknown("connection reset"));
            case 4 -> server.faultRate = simulation.random().nextDouble() * 0.1;
            default -> server.faultRate = 0;
        }
    }
}
