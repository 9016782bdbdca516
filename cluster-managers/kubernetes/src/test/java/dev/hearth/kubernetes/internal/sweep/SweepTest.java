package dev.hearth.kubernetes.internal.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
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
        return new ObjectFacts(
                nonce + "-submission",
                "s-" + nonce,
                "1",
                Map.of(Placement.NONCE, nonce, DriverObjects.PENDING, pending),
                NOW - ageSeconds,
                Optional.empty());
    }

    private static ObjectFacts driver(String nonce) {
        return new ObjectFacts(
                nonce + "-driver",
                "p-" + nonce,
                "1",
                Map.of(Placement.NONCE, nonce),
                NOW,
                Optional.of(PodFacts.PENDING));
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
        ObjectFacts strange =
                new ObjectFacts("x", "s", "1", Map.of(DriverObjects.PENDING, "cancelled"), NOW - 700, Optional.empty());
        ObjectFacts pod = new ObjectFacts("y", "p", "1", Map.of(), NOW, Optional.of(PodFacts.PENDING));
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

    private SweepShell.Result sweep() {
        List<SweepShell.Result> results = new ArrayList<>();
        EventLoop loop = simulation.process("sweep").loop("sweep");
        loop.execute(() -> new SweepShell(server, loop, AGE).run().thenAccept(results::add));
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
        assertEquals(new SweepShell.Result(0, 0, 0, ""), sweep());
        assertEquals(1, server.lists());
        assertTrue(server.exists(Resource.SECRET, "other"));
    }

    @Test
    void deletesAPodAndThenItsSecret() {
        create(Resource.SECRET, "a", Map.of(Placement.NONCE, "n", DriverObjects.PENDING, "cancelled"));
        create(Resource.POD, "a-driver", Map.of(Placement.NONCE, "n", "spark-role", "driver"));
        assertEquals(new SweepShell.Result(0, 2, 0, ""), sweep());
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
        SweepShell.Result result = sweep();
        assertTrue(result.deleted() == 0 && !result.problem().isEmpty(), result::toString);
    }
}
