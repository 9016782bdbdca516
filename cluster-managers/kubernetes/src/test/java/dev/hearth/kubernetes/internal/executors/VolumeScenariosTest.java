package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.VolumePool;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Executors with claims on demand on a simulated API server: scenarios, and random faults with invariants. */
class VolumeScenariosTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int WANTED_MAX = 30;
    private static final Resource CLAIM = Resource.PERSISTENT_VOLUME_CLAIM;
    private static final List<ClaimSpec> ONE = List.of(volume("data", "10Gi"));
    private static final List<ClaimSpec> TWO = List.of(volume("data", "10Gi"), volume("scratch", "1Gi"));

    private Simulation simulation = new Simulation(1);
    private SimulatedApiServer server = new SimulatedApiServer(simulation);

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    private static ClaimSpec volume(String name, String size) {
        return new ClaimSpec(name, Optional.of("fast"), size, "ReadWriteOncePod", Map.of(), Map.of());
    }

    private SimulatedApplication application(ClaimSettings claims, List<ClaimSpec> volumes, int wanted) {
        SimulatedApplication made = new SimulatedApplication(simulation, server, "app", settings(claims), volumes);
        simulation.always("pods share no claim", () -> server.sharing().isEmpty());
        made.want(wanted);
        return made;
    }

    private static AllocatorSettings settings(ClaimSettings claims) {
        AllocatorSettings plain = AllocatorSettings.DEFAULTS;
        return new AllocatorSettings(
                plain.pendingMax(),
                plain.createdMax(),
                plain.parallelMax(),
                plain.idleTimeout(),
                plain.runTimeout(),
                plain.imageTimeout(),
                plain.unsureTimeout(),
                plain.deleteGrace(),
                plain.deleteOnTermination(),
                OptionalInt.of(1_000),
                plain.failuresValidity(),
                claims,
                plain.rules());
    }

    private boolean runs(SimulatedApplication application, int executors) {
        return simulation.runUntil(() -> application.live.size() == executors, MINUTE);
    }

    private List<String> claims(SimulatedApplication application) {
        return server.names(CLAIM, application.pods.selector());
    }

    private long posts(String part) {
        return server.posts().stream().filter(name -> name.contains(part)).count();
    }

    @Test
    void createsTheClaimsOfAnExecutorBeforeItsPod() {
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, TWO, 1);
        assertTrue(runs(application, 1));

        List<String> posts = server.posts();
        assertEquals(List.of("app-orders", "app-pvc-1", "app-pvc-2", "app-exec-1"), posts);
        assertEquals(2, server.mountedBy("app-exec-1").size());
        assertEquals(List.of(), application.hindrances, "no pod waits for a claim that does not exist");
        assertEquals(
                server.ownerOf(Resource.POD, "app-exec-1"), server.ownerOf(CLAIM, "app-pvc-1"), "the secret owns both");
    }

    @Test
    void createsClaimsAndPodsInParallel() {
        application(ClaimSettings.DEFAULTS, ONE, 1_000);
        assertTrue(simulation.runUntil(() -> posts("-exec-") == 1_000, Duration.ofSeconds(6)));
        assertTrue(posts("-pvc-") <= 1_000 + 64, () -> posts("-pvc-") + " claims");
    }

    @Test
    void givesTheClaimOfAnExecutorThatEndedToTheNextOne() {
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 2);
        assertTrue(runs(application, 2));
        String claim = server.mountedBy("app-exec-2").iterator().next();
        application.want(1);
        assertTrue(simulation.runUntil(() -> !server.exists(Resource.POD, "app-exec-2"), MINUTE));
        simulation.runFor(Duration.ofSeconds(1)); // the driver learns it
        application.want(2);
        assertTrue(runs(application, 2));

        assertEquals(2, claims(application).size());
        assertEquals(Set.of(claim), server.mountedBy("app-exec-3"));
        assertEquals(2, posts("-pvc-"), "no third claim was requested");
    }

    @Test
    void createsAClaimWhileThePodThatEndsStillHasIts() {
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 2);
        assertTrue(runs(application, 2));
        server.deleteByStranger("app-exec-1", 30);
        assertTrue(simulation.runUntil(() -> posts("-exec-3") == 1, Duration.ofSeconds(1)));
        assertTrue(runs(application, 2));
        simulation.runFor(MINUTE);

        assertEquals(3, posts("-pvc-"));
        assertEquals(2, server.claims(application.pods.selector()), "the third one is not needed any more");
    }

    @Test
    void waitsForTheClaimOfAPodThatEndsIfTold() {
        SimulatedApplication application = application(new ClaimSettings(true, true, true, false), ONE, 2);
        assertTrue(runs(application, 2));
        server.deleteByStranger("app-exec-1", 30);
        assertTrue(runs(application, 2));
        simulation.runFor(MINUTE);

        assertEquals(2, posts("-pvc-"), "no third claim was requested");
        assertTrue(
                application.hindrances.stream().anyMatch(words -> words.contains("wait for the volumes")),
                application.hindrances::toString);
        assertEquals("", application.hindrances.get(application.hindrances.size() - 1));
    }

    @Test
    void createsAnotherClaimIfSomebodyDeletedAFreeOne() {
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 2);
        assertTrue(runs(application, 2));
        application.want(1);
        simulation.runFor(MINUTE);
        String free = claims(application).stream()
                .filter(claim -> server.pods(application.pods.selector()).stream()
                        .noneMatch(pod -> server.mountedBy(pod).contains(claim)))
                .findFirst()
                .orElseThrow();
        server.deleteClaim(free);
        application.want(2);
        assertTrue(runs(application, 2));
        assertEquals(3, posts("-pvc-"));
    }

    @Test
    void replacesAPodWhoseClaimIsGone() {
        server.schedulable = false;
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 1);
        assertTrue(simulation.runUntil(() -> server.exists(Resource.POD, "app-exec-1"), MINUTE));
        server.removeClaim("app-pvc-1"); // by force
        server.schedulable = true;
        assertTrue(runs(application, 1));
        assertEquals(1, server.claims(application.pods.selector()));
    }

    @Test
    void reusesNothingWithoutTheRightToListClaims() {
        server.listRefusals.put(CLAIM, new Answer.Refused(RefusalKind.DENIED, "claims is forbidden"));
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 2);
        assertTrue(runs(application, 2));
        for (int i = 0; i < 3; i++) {
            application.want(1);
            simulation.runFor(MINUTE);
            application.want(2);
            assertTrue(runs(application, 2));
        }
        simulation.runFor(MINUTE);
        assertEquals(5, posts("-pvc-"), "each executor got a claim of its own");
        assertEquals(2, claims(application).size(), "the others are deleted");
        assertEquals(Optional.empty(), application.end);
    }

    @Test
    void keepsTheClaimOfACancelledPodForTheNext() {
        server.quota = 1;
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 2);
        simulation.runFor(Duration.ofSeconds(20));
        application.want(1);
        simulation.runFor(MINUTE);
        server.quota = 10;
        application.want(2);
        assertTrue(runs(application, 2));
        assertEquals(2, posts("-pvc-"));
    }

    @Test
    void countsNoClaimWhoseCreationFailed() {
        server.refusals.put(CLAIM, new Answer.Refused(RefusalKind.QUOTA, "exceeded quota: requests.storage"));
        SimulatedApplication application = application(new ClaimSettings(true, true, true, false), ONE, 2);
        simulation.runFor(Duration.ofMinutes(3));
        assertTrue(application.hindrances.get(0).contains("requests.storage"), application.hindrances::toString);
        assertTrue(posts("-pvc-") < 20, () -> posts("-pvc-") + " requests");

        server.refusals.clear();
        assertTrue(runs(application, 2));
        assertEquals(2, claims(application).size());
    }

    @Test
    void saysWhichRightIsMissingForClaims() {
        server.refusals.put(CLAIM, new Answer.Refused(RefusalKind.DENIED, "persistentvolumeclaims is forbidden"));
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 2);
        simulation.runFor(Duration.ofSeconds(5));
        assertEquals("CLUSTER_LOST", application.end.orElseThrow().code());
        assertTrue(application.end.orElseThrow().getMessage().contains("may not create claims of volumes"));
    }

    @Test
    void endsTheApplicationIfTheClusterRefusesTheClaims() {
        server.refusals.put(CLAIM, new Answer.Refused(RefusalKind.INVALID, "accessModes: Unsupported value"));
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, 2);
        simulation.runFor(MINUTE);
        assertEquals("EXECUTORS_FAILED", application.end.orElseThrow().code());
        assertTrue(application.end.orElseThrow().getMessage().contains("Unsupported value"));
    }

    @Test
    void givesClaimsToTheirPodsIfTheDriverDoesNotOwnThem() {
        SimulatedApplication application = application(new ClaimSettings(false, true, false, false), TWO, 2);
        assertTrue(runs(application, 2));
        simulation.runFor(Duration.ofSeconds(5));
        for (String claim : claims(application)) {
            assertFalse(server.ownerOf(CLAIM, claim).equals(server.ownerOf(Resource.POD, "app-exec-1")), claim);
        }
        server.end("app-exec-1", 1, "Error");
        assertTrue(simulation.runUntil(() -> !server.exists(Resource.POD, "app-exec-1"), MINUTE));
        assertTrue(runs(application, 2));
        simulation.runFor(MINUTE);
        assertEquals(4, claims(application).size(), "those of executor 1 went with its pod");
        assertEquals(6, posts("-pvc-"));
    }

    @Test
    void deletesAllClaimsWhenItCloses() {
        SimulatedApplication other =
                new SimulatedApplication(simulation, server, "other", AllocatorSettings.DEFAULTS, ONE);
        other.want(1);
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, TWO, 5);
        assertTrue(simulation.runUntil(() -> application.live.size() >= 2, MINUTE));
        application.close();
        assertTrue(simulation.runUntil(() -> application.closed, Duration.ofSeconds(6)));
        assertEquals(0, server.claims(application.pods.selector()), "before the cluster collects them");
        simulation.runFor(Duration.ofSeconds(10));

        assertEquals(List.of(), claims(application));
        assertEquals(1, claims(other).size());
    }

    @Test
    void reusesMoreClaimsThanAPageOfAListHas() {
        int executors = SimulatedApiServer.PAGE_MAX + 10;
        SimulatedApplication application = application(ClaimSettings.DEFAULTS, ONE, executors);
        assertTrue(runs(application, executors));
        server.pods(application.pods.selector()).forEach(server::vanish);
        assertTrue(simulation.runUntil(() -> application.lost.size() == executors, MINUTE));
        assertTrue(runs(application, executors));
        assertEquals(executors, posts("-pvc-"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsItsInvariantsUnderFaults(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        List<ClaimSpec> volumes = seed % 2 == 0 ? ONE : TWO;
        ClaimSettings claims = new ClaimSettings(seed % 5 != 1, seed % 5 != 2, seed % 5 == 3, false);
        SimulatedApplication other =
                new SimulatedApplication(simulation, server, "other", AllocatorSettings.DEFAULTS, ONE);
        other.want(2);
        simulation.runFor(MINUTE);
        SimulatedApplication application = application(claims, volumes, 10);
        VolumePool pool = application.backend.allocator().volumes().pool();
        // as many as executors wait may be requested, without an answer, when those of executors that end become free
        simulation.always(
                "claims within the bound", () -> pool.size() <= volumes.size() * (2 * WANTED_MAX + pool.holders()));
        simulation.always(
                "claims within the executors, if they wait for each other",
                () -> !claims.waits() || pool.size() <= volumes.size() * WANTED_MAX);
        simulation.runFor(Duration.ofSeconds(2));
        server.faultRate = simulation.random().nextDouble() * 0.1;
        for (int i = 0; i < 60; i++) {
            fault(application, simulation.random().nextInt(14));
            simulation.runFor(Duration.ofMillis(simulation.random().nextInt(8_000)));
        }
        calmDown();
        int wanted = application.wanted;
        assertTrue(
                simulation.runUntil(
                        () -> application.live.size() == wanted
                                && server.running(application.pods.selector()).size() == wanted,
                        Duration.ofMinutes(8)),
                () -> "wanted " + wanted + ", live " + application.live + ", "
                        + application.backend.allocator().slots() + " "
                        + application.backend.allocator().volumes().pool() + " " + application.hindrances + " "
                        + application.end);
        simulation.runFor(Duration.ofMinutes(3));
        long left = server.claims(application.pods.selector());
        assertTrue(left <= (long) WANTED_MAX * volumes.size(), () -> left + " claims");
        assertTrue(left >= (long) wanted * volumes.size(), () -> left + " claims");
        List<String> mounted = new ArrayList<>();
        server.running(application.pods.selector()).forEach(pod -> mounted.addAll(server.mountedBy(pod)));
        assertEquals(wanted * volumes.size(), mounted.size(), "each executor has its volumes");

        application.close();
        simulation.runFor(Duration.ofMinutes(2));
        assertTrue(application.closed);
        assertEquals(List.of(), claims(application));
        assertEquals(2, claims(other).size());
    }

    private void calmDown() {
        server.away = false;
        server.schedulable = true;
        server.faultRate = 0;
        server.quota = Integer.MAX_VALUE;
        server.refusals.clear();
    }

    private void fault(SimulatedApplication application, int what) {
        List<String> pods = server.pods(application.pods.selector());
        Optional<String> pod = pods.isEmpty()
                ? Optional.empty()
                : Optional.of(pods.get(simulation.random().nextInt(pods.size())));
        switch (what) {
            case 0, 1 -> application.want(simulation.random().nextInt(WANTED_MAX + 1));
            case 2 -> pod.ifPresent(name -> server.end(name, 1, "Error"));
            case 3 -> pod.ifPresent(name -> server.deleteByStranger(name, 30));
            case 4 -> pod.ifPresent(server::vanish);
            case 5 -> server.breakWatches(new Answer.Unknown("connection reset"));
            case 6 -> {
                server.compact();
                server.breakWatches(new Answer.Refused(RefusalKind.GONE, "too old resource version"));
            }
            case 7 -> server.away = !server.away;
            case 8 -> server.schedulable = !server.schedulable;
            case 9 -> server.quota = server.quota == Integer.MAX_VALUE ? 5 : Integer.MAX_VALUE;
            case 10 -> application.live.stream().findFirst().ifPresent(one -> application.release(Set.of(one)));
            case 11 -> {
                if (server.refusals.remove(CLAIM) == null) {
                    server.refusals.put(CLAIM, new Answer.Refused(RefusalKind.QUOTA, "exceeded quota: storage"));
                }
            }
            case 12 -> freeClaim(application).ifPresent(server::deleteClaim);
            default -> server.faultRate = simulation.random().nextDouble() * 0.2;
        }
    }

    /** A claim that no pod has. */
    private Optional<String> freeClaim(SimulatedApplication application) {
        List<String> mounted = new ArrayList<>();
        server.pods(application.pods.selector()).forEach(pod -> mounted.addAll(server.mountedBy(pod)));
        return claims(application).stream()
                .filter(claim -> !mounted.contains(claim))
                .findFirst();
    }
}
