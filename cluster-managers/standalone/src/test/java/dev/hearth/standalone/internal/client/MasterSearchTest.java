package dev.hearth.standalone.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests how a client finds the one of several masters that leads, on a simulated network. */
class MasterSearchTest {
    private static final Duration SOON = Duration.ofMillis(700); // two head starts and some messages
    private static final LeaderFound LEADS = new LeaderFound(1, LeaderFound.ALIVE, "");
    private static final LeaderFound UNCERTAIN = new LeaderFound(1, LeaderFound.UNCERTAIN, "");
    private static final LeaderFound STANDBY = new LeaderFound(0, "STANDBY", "");

    private final Simulation simulation = new Simulation(1);
    private final List<String> asked = new ArrayList<>();

    private SimulatedProcess master(String host, LeaderFound answer) {
        SimulatedProcess process = simulation.process("master@" + host);
        process.env(host, 7077)
                .register(
                        MasterProtocol.ENDPOINT,
                        MasterProtocol.PROTOCOL,
                        process.loop("master"),
                        Receiver.of(MasterProtocol.ENDPOINT)
                                .answer(FindLeader.class, (message, peer) -> {
                                    asked.add(host);
                                    return answer;
                                })
                                .build());
        return process;
    }

    private CompletableFuture<String> search(String... hosts) {
        SimulatedProcess process = simulation.process("client");
        RpcEnv rpc = process.env();
        EventLoop loop = process.loop("client");
        List<RpcAddress> masters =
                Stream.of(hosts).map(host -> new RpcAddress(host, 7077)).toList();
        CompletableFuture<String> found = new CompletableFuture<>();
        loop.execute(() -> MasterSearch.until(rpc, loop, masters, Duration.ofSeconds(20))
                .whenComplete((master, failure) -> {
                    if (failure == null) {
                        found.complete(master.address().host());
                    } else {
                        found.completeExceptionally(failure);
                    }
                }));
        return found;
    }

    @Test
    void asksTheNextMasterWhileOneIsSilent() {
        master("10.0.0.1", LEADS).vanish();
        master("10.0.0.2", STANDBY);
        master("10.0.0.3", LEADS);
        CompletableFuture<String> found = search("10.0.0.1", "10.0.0.2", "10.0.0.3");
        simulation.runFor(SOON);
        assertEquals("10.0.0.3", found.getNow("none yet"));
    }

    @Test
    void asksTheLeaderThatAStandbyNamesAlsoIfTheUrlDoesNot() {
        master("10.0.0.1", new LeaderFound(0, "STANDBY", "10.0.0.9:7077"));
        master("10.0.0.2", new LeaderFound(0, "STANDBY", "10.0.0.8:7077"));
        master("10.0.0.9", LEADS);
        CompletableFuture<String> found = search("10.0.0.1", "10.0.0.2");
        simulation.runFor(SOON);
        assertEquals("10.0.0.9", found.getNow("none yet"));
        assertFalse(asked.contains("10.0.0.8"), "one such address is enough");
    }

    @Test
    void prefersALeaderThatIsSureToOneThatIsNot() {
        master("10.0.0.1", UNCERTAIN);
        master("10.0.0.2", LEADS);
        CompletableFuture<String> found = search("10.0.0.1", "10.0.0.2");
        simulation.runFor(SOON);
        assertEquals("10.0.0.2", found.getNow("none yet"));
    }

    @Test
    void takesALeaderThatIsNotSureIfThereIsNoOther() {
        master("10.0.0.1", STANDBY);
        master("10.0.0.2", UNCERTAIN);
        CompletableFuture<String> found = search("10.0.0.1", "10.0.0.2");
        simulation.runFor(SOON);
        assertEquals("10.0.0.2", found.getNow("none yet"));
    }

    @Test
    void searchesAgainUntilOneLeadsAndThenSaysTheReasonOfEach() {
        master("10.0.0.1", STANDBY);
        CompletableFuture<String> found = search("10.0.0.1", "10.0.0.2");
        simulation.runFor(Duration.ofSeconds(10));
        assertFalse(found.isDone());
        assertTrue(asked.size() > 4, () -> asked.size() + " questions");
        simulation.runFor(Duration.ofSeconds(30));
        assertTrue(found.isCompletedExceptionally());
        String why = found.handle((host, failure) -> Failures.describe(failure)).join();
        List<String> lines = why.lines().toList();
        assertEquals(3, lines.size(), why);
        assertEquals("  master 10.0.0.1:7077: STANDBY (expected: ALIVE)", lines.get(1));
        assertTrue(lines.get(2).startsWith("  master 10.0.0.2:7077: "), why);
    }
}
