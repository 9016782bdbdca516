package dev.hearth.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Simulated crashes, disconnections and randomness, beyond the contract of real networks. */
class SimulatedNetworkTest {
    private static final Protocol PROTOCOL = Protocol.named("tally", MethodHandles.lookup())
            .message(1, Count.class)
            .message(2, Ask.class)
            .build();
    private static final int SENT = 20;

    private static final RpcAddress ADDRESS = new RpcAddress("host-a", 7077);

    static LongStream seeds() {
        return Simulation.seeds(50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void deliversAPrefixAndThenTheLossWhenTheSenderCrashes(long seed) {
        World world = new World(seed);
        world.sendAll();
        world.client.crash();
        world.simulation.run();
        world.assertBeginningThenLoss(world.serverEvents);
        assertEquals(List.of(), world.clientEvents, "the dead hear nothing");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void deliversAPrefixAndThenTheLossToBothSidesAfterACut(long seed) {
        World world = new World(seed);
        CompletionStage<Ask> asked = world.ref.ask(new Ask(), Ask.class, Duration.ofHours(1));
        world.sendAll();
        world.simulation.network().cut(world.client, world.server);
        world.ref.send(new Count(SENT)); // to a dead process
        world.simulation.run();
        world.assertBeginningThenLoss(world.serverEvents);
        assertEquals(List.of("lost " + world.peer.id()), world.clientEvents);
        assertEquals(ErrorCode.PEER_LOST.name(), failure(asked).code());

        assertEquals(
                ErrorCode.PEER_UNREACHABLE.name(),
                failure(world.finish(world.clientEnv.connect(ADDRESS))).code());
        world.simulation.network().heal(world.client, world.server);
        assertNotEquals(
                world.peer.id(),
                world.finish(world.clientEnv.connect(ADDRESS)).join().id());
    }

    @Test
    void losesDifferentSuffixes() {
        Set<Integer> received = new LinkedHashSet<>();
        for (long seed = 1; seed <= 50; seed++) {
            World world = new World(seed);
            world.sendAll();
            world.client.crash();
            world.simulation.run();
            received.add(world.serverEvents.size() - 1);
        }
        assertTrue(received.size() > 5, received::toString);
        assertTrue(received.contains(SENT), received::toString);
        assertTrue(received.contains(0), received::toString);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neverCompletesAsksOfADeadProcess(long seed) {
        World world = new World(seed);
        CompletionStage<Ask> asked = world.ref.ask(new Ask(), Ask.class, Duration.ofSeconds(1));
        CompletionStage<Peer> connected = world.clientEnv.connect(ADDRESS);
        world.client.crash();
        world.simulation.run();
        assertFalse(asked.toCompletableFuture().isDone());
        assertFalse(connected.toCompletableFuture().isDone());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void failsToConnectWithoutALossWhenTheServerCrashesMeanwhile(long seed) {
        World world = new World(seed);
        SimulatedProcess late = world.simulation.process("late");
        RpcEnv lateEnv = late.env();
        List<String> lateHeard = new ArrayList<>();
        world.register(lateEnv, late.loop("endpoints"), lateHeard);
        CompletableFuture<Peer> connected = lateEnv.connect(ADDRESS).toCompletableFuture();
        long nanos = world.simulation.random().nextLong(Duration.ofMillis(10).toNanos());
        world.simulation.schedule(Duration.ofNanos(nanos), world.server::crash);
        world.simulation.run();
        assertTrue(connected.isDone());
        if (connected.isCompletedExceptionally()) {
            assertEquals(ErrorCode.PEER_UNREACHABLE.name(), failure(connected).code());
            assertEquals(List.of(), lateHeard, "a peer that never was is not lost");
        } else {
            assertEquals(List.of("lost " + connected.join().id()), lateHeard);
        }
    }

    @Test
    void refusesToConnectWithTheMessageOfTheRealNetwork() {
        World world = new World(1);
        HearthException failure = failure(world.finish(world.clientEnv.connect(new RpcAddress("nowhere", 1))));
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("nowhere:1: connection refused (expected: a Hearth process that listens there); "),
                failure::getMessage);
    }

    @Test
    void assignsAPortOnlyOnce() {
        World world = new World(1);
        HearthException failure =
                assertThrows(HearthException.class, () -> world.client.env(ADDRESS.host(), ADDRESS.port()));
        assertEquals(ErrorCode.PORT_IN_USE.name(), failure.code());
        world.server.crash();
        assertEquals(
                ADDRESS,
                world.simulation
                        .process("server")
                        .env(ADDRESS.host(), ADDRESS.port())
                        .address()
                        .orElseThrow());
    }

    @Test
    void keepsMessagesWithinTheDelay() {
        World world = new World(1);
        world.simulation.network().delayUpTo(Duration.ofSeconds(20));
        world.sendAll();
        world.simulation.runFor(Duration.ofSeconds(20));
        assertEquals(SENT, world.serverEvents.size());
    }

    @Test
    void passesEveryMessageAndAnswerThroughTheCopy() {
        List<String> copied = new ArrayList<>();
        World world = new World(new Simulation(1, (protocol, message) -> {
            copied.add(protocol.name() + " " + message);
            return message;
        }));
        world.ref.send(new Count(1));
        world.finish(world.ref.ask(new Ask(), Ask.class, Duration.ofSeconds(1))).join();
        assertEquals(List.of("tally Count[number=1]", "tally Ask[]", "tally Ask[]"), copied);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isRepeatable(long seed) {
        assertEquals(life(seed), life(seed));
    }

    @Test
    void differsWithAnotherSeed() {
        assertNotEquals(life(1), life(2));
    }

    /** A busy run; returns everything that was observed. */
    private static List<String> life(long seed) {
        World world = new World(seed);
        world.simulation.every(Duration.ofMillis(3), () -> world.ref.send(new Count(0)));
        world.simulation.every(Duration.ofMillis(7), () -> world.ref.ask(new Ask(), Ask.class, Duration.ofMillis(4)));
        world.simulation.schedule(
                Duration.ofMillis(200), () -> world.simulation.network().cut(world.server, world.client));
        world.simulation.runFor(Duration.ofMillis(400));
        world.server.crash();
        world.simulation.runFor(Duration.ofMillis(100));
        List<String> seen = new ArrayList<>(world.serverEvents);
        seen.addAll(world.clientEvents);
        seen.add("fingerprint " + world.simulation.fingerprint());
        return seen;
    }

    private static HearthException failure(CompletionStage<?> stage) {
        Throwable failure =
                stage.toCompletableFuture().handle((done, thrown) -> thrown).join();
        return (HearthException) Failures.unwrap(failure);
    }

    record Count(int number) {}

    record Ask() {}

    /** Server and a connected client. */
    private static final class World {
        final Simulation simulation;
        final SimulatedProcess server;
        final SimulatedProcess client;
        final RpcEnv clientEnv;
        final List<String> serverEvents = new ArrayList<>();
        final List<String> clientEvents = new ArrayList<>();
        final Peer peer;
        final EndpointRef ref;

        World(long seed) {
            this(new Simulation(seed));
        }

        World(Simulation simulation) {
            this.simulation = simulation;
            this.server = simulation.process("server");
            this.client = simulation.process("client");
            RpcEnv serverEnv = server.env(ADDRESS.host(), ADDRESS.port());
            this.clientEnv = client.env();
            register(serverEnv, server.loop("endpoints"), serverEvents);
            register(clientEnv, client.loop("endpoints"), clientEvents);
            this.peer = finish(clientEnv.connect(ADDRESS)).join();
            this.ref = peer.endpoint("tally", PROTOCOL);
        }

        void register(RpcEnv env, EventLoop loop, List<String> events) {
            Receiver receiver = Receiver.of("tally")
                    .on(Count.class, (message, from) -> events.add("count " + message.number()))
                    .answer(Ask.class, (message, from) -> message)
                    .onPeerLost((from, reason) -> events.add("lost " + from.id()))
                    .build();
            env.register("tally", PROTOCOL, loop, receiver);
        }

        void sendAll() {
            IntStream.range(0, SENT).forEach(number -> ref.send(new Count(number)));
        }

        <T> CompletableFuture<T> finish(CompletionStage<T> stage) {
            CompletableFuture<T> future = stage.toCompletableFuture();
            assertTrue(simulation.runUntil(future::isDone, Duration.ofMinutes(1)));
            return future;
        }

        void assertBeginningThenLoss(List<String> events) {
            int received = events.size() - 1;
            assertTrue(received >= 0 && received <= SENT, events::toString);
            assertEquals(
                    IntStream.range(0, received)
                            .mapToObj(number -> "count " + number)
                            .toList(),
                    events.subList(0, received));
            assertEquals("lost 1", events.get(received));
        }
    }
}
