package dev.hearth.kubernetes.internal.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.sweep.AnchorLooks.Sight;
import dev.hearth.kubernetes.internal.sweep.Sweep.Action;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Decisions about secrets without an owner, and their requests. Times are those of the API server's clock. */
class SweepTest {
    private static final Duration AGE = Duration.ofMinutes(10);
    private static final long NOW = 1_000_000;

    private static ObjectFacts secret(String nonce, String pending, long ageSeconds) {
        return ObjectFacts.of(nonce + "-submission", "s-" + nonce, "1")
                .labelled(Map.of(Placement.NONCE, nonce, DriverObjects.PENDING, pending))
                .createdAt(NOW - ageSeconds);
    }

    private static ObjectFacts driver(String nonce) {
        return ObjectFacts.of(nonce + "-driver", "p-" + nonce, "1")
                .labelled(Map.of(Placement.NONCE, nonce))
                .createdAt(NOW)
                .with(PodFacts.PENDING);
    }

    private static List<Action> decide(List<ObjectFacts> secrets, List<ObjectFacts> drivers) {
        return Sweep.decide(secrets, drivers, NOW, AGE).stream()
                .map(Sweep.Decision::action)
                .toList();
    }

    @Test
    void leavesYoungSecretsAlone() {
        assertEquals(List.of(), decide(List.of(secret("a", "true", 599)), List.of()));
        assertEquals(List.of(), decide(List.of(secret("a", "cancelled", 599)), List.of()));
        assertEquals(List.of(Action.DELETE_SECRET), decide(List.of(secret("a", "true", 600)), List.of()));
        assertEquals(List.of(Action.DELETE_SECRET), decide(List.of(secret("a", "cancelled", 600)), List.of()));
    }

    @Test
    void givesASecretToItsDriver() {
        assertEquals(List.of(Action.ADOPT), decide(List.of(secret("a", "true", 600)), List.of(driver("a"))));
        assertEquals(List.of(Action.DELETE_SECRET), decide(List.of(secret("a", "true", 600)), List.of(driver("b"))));
    }

    @Test
    void deletesTheLateDriverOfACancelledSubmission() {
        assertEquals(List.of(Action.DELETE_POD), decide(List.of(secret("a", "cancelled", 1)), List.of(driver("a"))));
    }

    @Test
    void takesNoSecretWithoutANonceForTheDriverOfAnother() {
        ObjectFacts strange = ObjectFacts.of("x", "s", "1")
                .labelled(Map.of(DriverObjects.PENDING, "cancelled"))
                .createdAt(NOW - 700);
        ObjectFacts pod = ObjectFacts.of("y", "p", "1").createdAt(NOW).with(PodFacts.PENDING);
        assertEquals(List.of(Action.DELETE_SECRET), decide(List.of(strange), List.of(pod)));
    }

    @Test
    void staysShort() {
        List<ObjectFacts> many = IntStream.range(0, 100)
                .mapToObj(number -> secret("n" + number, "true", 700))
                .toList();
        assertEquals(Sweep.SECRETS_MAX, decide(many, List.of()).size());
    }

    private final Simulation simulation = new Simulation(3);
    private final SimulatedApiServer server = new SimulatedApiServer(simulation);
    private boolean dryRun;

    private SweepResult sweep() {
        List<SweepResult> results = new ArrayList<>();
        EventLoop loop = simulation.process("sweep").loop("sweep");
        loop.execute(() -> new SweepShell(server, loop, AGE, dryRun).run().thenAccept(results::add));
        assertTrue(simulation.runUntil(() -> !results.isEmpty(), Duration.ofMinutes(1)));
        simulation.named("sweep").crash();
        return results.get(0);
    }

    private void create(Resource resource, String name, Map<String, String> labels) {
        server.create(new ApiObject(resource, name, labels, Optional.empty(), "{}"), answer -> {});
        simulation.runFor(Duration.ofSeconds(5));
    }

    @Test
    void needsOneRequestIfNothingIsLeft() {
        create(Resource.SECRET, "other", Map.of("app", "web"));
        assertEquals(new SweepResult(List.of(), ""), sweep());
        assertEquals(1, server.lists());
        assertTrue(server.exists(Resource.SECRET, "other"));
    }

    @Test
    void deletesAPodAndThenItsSecret() {
        create(Resource.SECRET, "a", Map.of(Placement.NONCE, "n", DriverObjects.PENDING, "cancelled"));
        create(Resource.POD, "a-driver", Map.of(Placement.NONCE, "n", "spark-role", "driver"));
        SweepResult result = sweep();
        assertEquals(2, result.count(SweepResult.Action.DELETED), result::toString);
        assertEquals("", result.firstProblem());
        assertFalse(server.exists(Resource.POD, "a-driver"));
        assertFalse(server.exists(Resource.SECRET, "a"));
    }

    @Test
    void reportsWhatItMayNotDo() {
        server.away = true;
        assertEquals("secrets: connection refused", sweep().problem());
        server.away = false;
        create(Resource.SECRET, "a", Map.of(Placement.NONCE, "n", DriverObjects.PENDING, "true"));
        simulation.runFor(AGE);
        server.faultRate = 0.25; // every request fails in one of four ways
        SweepResult result = sweep();
        assertTrue(
                result.count(SweepResult.Action.DELETED) == 0
                        && !result.firstProblem().isEmpty(),
                result::toString);
    }

    private static ObjectFacts anchor(String renewed, String looked) {
        return ObjectFacts.of("app-orders", "u", "7")
                .labelled(Map.of(DriverObjects.PENDING, DriverObjects.ANCHOR, "spark-app-selector", "spark-1"))
                .createdAt(NOW - 86_400)
                .annotated(Map.of(AnchorMarks.RENEWED, renewed, AnchorMarks.LOOKED, looked));
    }

    @Test
    void waitsForACounterThatStandsStillByTheClockOfTheServer() {
        long twenty = 2 * AGE.toSeconds();
        assertEquals(Sight.ALIVE, AnchorLooks.sight(anchor("3", ""), NOW, AGE));
        assertEquals(Sight.ALIVE, AnchorLooks.sight(anchor("3", "2@" + (NOW - 86_400)), NOW, AGE));
        assertEquals(Sight.WAITING, AnchorLooks.sight(anchor("3", "3@" + (NOW - twenty + 1)), NOW, AGE));
        assertEquals(Sight.STILL, AnchorLooks.sight(anchor("3", "3@" + (NOW - twenty)), NOW, AGE));
        assertEquals(
                Sight.ALIVE, AnchorLooks.sight(anchor("3", "3@" + (NOW + 60)), NOW, AGE), "a clock that went back");
        assertEquals(Sight.WAITING, AnchorLooks.sight(anchor("3", "3@1"), 0, AGE), "a server without a clock");
    }

    @Test
    void keepsAnAnchorWhoseExecutorsRun() {
        ObjectFacts still = anchor("3", "3@1");
        ObjectFacts running = ObjectFacts.of("app-exec-1", "p", "1")
                .labelled(Map.of("spark-app-selector", "spark-1"))
                .createdAt(NOW)
                .with(new PodFacts("Running", "", "", "n", "", false, 0, "", "", List.of(), false));
        ObjectFacts pending = ObjectFacts.of("p", "p", "1")
                .labelled(running.labels())
                .createdAt(NOW)
                .with(PodFacts.PENDING.on("node-1"));
        assertTrue(AnchorLooks.isInUse(still, List.of(running)));
        assertFalse(AnchorLooks.isInUse(still, List.of(pending)));
        assertEquals(
                "spark-role=executor,spark-app-selector in (spark-1)", AnchorLooks.executors(List.of(still, still)));
    }

    @Test
    void looksAtTheLongestUnseenFirst() {
        List<ObjectFacts> many = new ArrayList<>();
        for (int i = 0; i < AnchorLooks.LOOKS_MAX; i++) {
            many.add(anchor("2", "1@" + (NOW - 1_000 + i)));
        }
        ObjectFacts fresh = anchor("0", "");
        many.add(fresh);
        List<ObjectFacts> noted = AnchorLooks.toNote(many, NOW, AGE);
        assertEquals(AnchorLooks.LOOKS_MAX, noted.size());
        assertEquals(fresh, noted.get(0));
        assertTrue(AnchorLooks.note(fresh, NOW).contains("\"resourceVersion\":\"7\""));
    }

    @Test
    void changesNothingInADryRun() {
        create(Resource.SECRET, "a", Map.of(Placement.NONCE, "n", DriverObjects.PENDING, "true"));
        create(Resource.SECRET, "b", Map.of(Placement.NONCE, "m", DriverObjects.PENDING, "anchor"));
        simulation.runFor(AGE);
        dryRun = true;
        SweepResult result = sweep();
        assertEquals(
                List.of("secret a: deleted", "secret b: noted"),
                result.outcomes().stream()
                        .map(outcome ->
                                outcome.object() + ": " + outcome.action().words())
                        .toList());
        assertTrue(server.exists(Resource.SECRET, "a"));
        assertFalse(server.annotationsOf(Resource.SECRET, "b").containsKey(AnchorMarks.LOOKED));
    }

    @Test
    void takesTimesFromTheServerAlone() {
        for (Duration skew : List.of(Duration.ofDays(1), Duration.ofDays(20_000))) {
            server.clockSkew = skew; // this machine's clock says something else
            create(Resource.SECRET, "a", Map.of(Placement.NONCE, "n", DriverObjects.PENDING, "true"));
            assertEquals(List.of(), sweep().outcomes(), "too young");
            simulation.runFor(AGE);
            assertEquals(1, sweep().count(SweepResult.Action.DELETED));
        }
    }
}
