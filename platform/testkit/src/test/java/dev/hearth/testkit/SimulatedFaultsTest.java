package dev.hearth.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcTimes;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Simulated silence, pauses, slowness, restarts, wrong clocks and fault scripts. */
class SimulatedFaultsTest {
    private static final Protocol PROTOCOL = Protocol.named("tally", MethodHandles.lookup())
            .message(1, Count.class)
            .message(2, Ask.class)
            .build();
    private static final RpcAddress ADDRESS = new RpcAddress("host-a", 7077);
    private static final Duration SILENCE = RpcTimes.DEFAULTS.silence();
    private static final Duration CONNECT = RpcTimes.DEFAULTS.connect();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int SENT = 20;

    static LongStream seeds() {
        return Simulation.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void losesThePeerOnBothSidesAfterAOneWaySilence(long seed) {
        World world = new World(seed);
        world.network().mute(world.client, world.server);
        world.sendAll();
        CompletionStage<Ask> asked = world.ref.ask(new Ask(), Ask.class, Duration.ofHours(1));
        CompletionStage<Peer> connecting = world.clientEnv.connect(ADDRESS);
        world.simulation.runFor(SILENCE.dividedBy(2));
        assertEquals(List.of(), world.serverEvents, "nothing arrives, and no loss is reported yet");
        assertEquals(List.of("network"), world.clientEvents, "the new connection timed out");
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), code(connecting));
        world.simulation.runFor(SILENCE);
        assertEquals(List.of("network", "lost 1"), world.serverEvents);
        assertEquals("lost 1", world.clientEvents.get(world.clientEvents.size() - 1));
        assertEquals(ErrorCode.PEER_LOST.name(), code(asked));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void deliversHeldMessagesAfterAShortSilence(long seed) {
        World world = new World(seed);
        world.network().part(world.client, world.server);
        world.sendAll();
        world.simulation.runFor(SILENCE.dividedBy(2));
        world.network().heal(world.client, world.server);
        world.simulation.runFor(SILENCE.multipliedBy(2));
        assertEquals(counts(), world.serverEvents);
        assertEquals(List.of(), world.clientEvents);
    }

    @Test
    void timesOutConnectingToASilentPeer() {
        World world = new World(1);
        world.network().mute(world.server, world.client);
        Duration before = world.simulation.elapsed();
        CompletableFuture<Peer> connecting = world.clientEnv.connect(ADDRESS).toCompletableFuture();
        world.simulation.runUntil(connecting::isDone, CONNECT.multipliedBy(2));
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), code(connecting));
        assertEquals(CONNECT, world.simulation.elapsed().minus(before));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void runsAllDueEventsAfterAPause(long seed) {
        World world = new World(seed);
        world.server.pauseFor(SILENCE.dividedBy(2));
        List<Duration> ticks = new ArrayList<>();
        world.server.loop("timer").schedule(SECOND, () -> ticks.add(world.simulation.elapsed()));
        Duration before = world.simulation.elapsed();
        world.sendAll();
        world.simulation.runFor(SILENCE.dividedBy(3));
        assertEquals(List.of(), world.serverEvents);
        assertEquals(List.of(), ticks);
        world.simulation.runFor(SILENCE);
        assertEquals(counts(), world.serverEvents);
        assertEquals(List.of(before.plus(SILENCE.dividedBy(2))), ticks);
        assertEquals(List.of(), world.clientEvents, "short enough to stay unnoticed");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isLostAfterALongPause(long seed) {
        World world = new World(seed);
        world.server.pauseFor(SILENCE.multipliedBy(2));
        world.simulation.runFor(SILENCE);
        assertEquals(List.of("network", "lost 1"), world.clientEvents);
        assertEquals(List.of(), world.serverEvents);
        world.simulation.runFor(SILENCE.multipliedBy(2));
        assertEquals(List.of("network", "lost 1"), world.serverEvents, "it learns when it wakes");
    }

    @Test
    void isSlowButInOrder() {
        int slowness = 20;
        World world = new World(1);
        world.network().delayUpTo(Duration.ofMillis(10));
        world.sendAll();
        world.simulation.runFor(Duration.ofMillis(11));
        assertEquals(counts(), world.serverEvents);
        world.serverEvents.clear();
        world.server.slowBy(slowness);
        world.sendAll();
        world.simulation.runFor(Duration.ofMillis(11));
        assertTrue(world.serverEvents.size() < SENT, world.serverEvents::toString);
        world.simulation.runFor(Duration.ofMillis(11).multipliedBy(slowness));
        assertEquals(counts(), world.serverEvents);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isLostOnlyBySilenceWhenItVanishes(long seed) {
        World world = new World(seed);
        world.server.vanish();
        world.simulation.runFor(SILENCE.dividedBy(2));
        assertEquals(List.of(), world.clientEvents);
        world.simulation.runFor(SILENCE.dividedBy(2));
        assertEquals(List.of("network", "lost 1"), world.clientEvents);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void restartsUnderItsNameWithItsProgram(long seed) {
        World world = new World(seed);
        SimulatedProcess before = world.server;
        world.server.vanish();
        world.simulation.runFor(SECOND);
        SimulatedProcess after = before.restart();
        assertNotSame(before, after);
        assertEquals(before.name(), after.name());
        assertEquals(2, world.starts);
        world.simulation.runFor(SILENCE.dividedBy(2));
        assertEquals(
                List.of("network", "lost 1"), world.clientEvents, "the new one answers a ping of the old with a reset");
        CompletableFuture<Ask> asked =
                world.byUri().ask(new Ask(), Ask.class, SECOND).toCompletableFuture();
        world.simulation.runUntil(asked::isDone, SECOND);
        assertEquals(new Ask(), asked.join());
        assertThrows(IllegalStateException.class, after::restart, "it runs");
    }

    @Test
    void reconnectsAfterEveryFault() {
        World world = new World(1);
        EndpointRef ref = world.byUri();
        assertEquals(new Ask(), world.answer(ref));
        world.network().cut(world.client, world.server);
        world.simulation.runFor(SECOND);
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), code(world.ask(ref)));
        world.network().healAll();
        assertEquals(new Ask(), world.answer(ref));
    }

    @Test
    void usesItsOwnClocks() {
        World world = new World(1);
        int tenPercent = 100_000;
        world.client.skew(Duration.ofHours(1), tenPercent);
        EventLoop loop = world.client.loop("clock");
        long nanos = loop.ticker().nanos();
        Duration begun = world.simulation.elapsed();
        List<Duration> fired = new ArrayList<>();
        loop.schedule(
                Duration.ofSeconds(11),
                () -> fired.add(world.simulation.elapsed().minus(begun)));
        world.simulation.runFor(Duration.ofSeconds(11));
        assertEquals(1, fired.size());
        assertEquals(10_000, fired.get(0).toMillis(), "its seconds are shorter");
        assertEquals(12_100, Duration.ofNanos(loop.ticker().nanos() - nanos).toMillis());
        Duration ahead =
                Duration.between(world.simulation.ticker().wall(), loop.ticker().wall());
        assertEquals(3_601_100, ahead.toMillis());
        world.client.skew(Duration.ZERO, 0);
        long after = loop.ticker().nanos();
        world.simulation.runFor(SECOND);
        assertEquals(SECOND.toNanos(), loop.ticker().nanos() - after, "and never jump back");
    }

    @Test
    void answersHttp() {
        World world = new World(1);
        world.serverEnv.serve(
                "/v1",
                request -> CompletableFuture.completedStage(HttpAnswer.text(
                        200, request.rest() + "?" + request.parameter("a").orElse(""))));
        assertEquals(HttpAnswer.text(200, "x/y?b c"), world.http("GET", "/v1/x/y?a=b+c"));
        assertEquals(404, world.http("GET", "/v10").status());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void endsEveryScriptWithoutFaults(long seed) {
        World world = new World(seed);
        Duration lasting = Duration.ofMinutes(5);
        FaultScript script = new FaultScript(world.simulation, List.of("server", "client"), lasting)
                .atMost(30)
                .eachAtMost(SILENCE.multipliedBy(2))
                .begin();
        world.simulation.runFor(lasting.minusNanos(1));
        assertFalse(script.isOver());
        world.simulation.runFor(lasting);
        assertTrue(script.isOver());
        assertTrue(world.simulation.named("server").alive());
        assertTrue(world.simulation.named("client").alive());
        SimulatedProcess onlooker = world.simulation.process("onlooker");
        assertEquals(new Ask(), world.answer(onlooker.env().ref(new EndpointUri("tally", ADDRESS), PROTOCOL)));
    }

    @Test
    void excludesFaults() {
        for (long seed = 1; seed <= 20; seed++) {
            World world = new World(seed);
            new FaultScript(world.simulation, List.of("server", "client"), Duration.ofMinutes(1))
                    .without(FaultScript.Fault.CRASH, FaultScript.Fault.VANISH)
                    .begin();
            world.simulation.runFor(Duration.ofMinutes(2));
            assertEquals(1, world.starts);
            assertTrue(world.client.alive());
        }
    }

    @Test
    void isRepeatable() {
        assertEquals(life(3), life(3));
    }

    private static long life(long seed) {
        World world = new World(seed);
        new FaultScript(world.simulation, List.of("server", "client"), Duration.ofMinutes(2)).begin();
        EndpointRef ref = world.byUri();
        EventLoop.Timeout asking = world.simulation.every(SECOND, () -> ref.send(new Count(1)));
        world.simulation.runFor(Duration.ofMinutes(3));
        asking.cancel();
        return world.simulation.fingerprint();
    }

    private static List<String> counts() {
        return IntStream.range(0, SENT).mapToObj(number -> "count " + number).toList();
    }

    private static String code(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        assertTrue(future.isCompletedExceptionally(), "failed by now");
        return Failures.code(future.handle((done, thrown) -> thrown).join()).name();
    }

    record Count(int number) {}

    record Ask() {}

    /** Server that restarts, and a connected client. */
    private static final class World {
        final Simulation simulation;
        final SimulatedProcess server;
        final SimulatedProcess client;
        final RpcEnv serverEnv;
        final RpcEnv clientEnv;
        final List<String> serverEvents = new ArrayList<>();
        final List<String> clientEvents = new ArrayList<>();
        final EndpointRef ref;
        int starts;
        private final List<RpcEnv> opened = new ArrayList<>();

        World(long seed) {
            this.simulation = new Simulation(seed);
            this.server = simulation.process("server", process -> {
                starts++;
                opened.add(register(process, process.env(ADDRESS.host(), ADDRESS.port()), serverEvents));
            });
            this.client =
                    simulation.process("client", process -> opened.add(register(process, process.env(), clientEvents)));
            this.serverEnv = opened.get(0);
            this.clientEnv = opened.get(1);
            CompletableFuture<Peer> connecting = clientEnv.connect(ADDRESS).toCompletableFuture();
            simulation.runUntil(connecting::isDone, SECOND);
            this.ref = connecting.join().endpoint("tally", PROTOCOL);
        }

        SimulatedNetwork network() {
            return simulation.network();
        }

        EndpointRef byUri() {
            return clientEnv.ref(new EndpointUri("tally", ADDRESS), PROTOCOL);
        }

        CompletableFuture<Ask> ask(EndpointRef whom) {
            CompletableFuture<Ask> asked =
                    whom.ask(new Ask(), Ask.class, Duration.ofMinutes(1)).toCompletableFuture();
            simulation.runUntil(asked::isDone, Duration.ofMinutes(2));
            return asked;
        }

        Ask answer(EndpointRef whom) {
            return ask(whom).join();
        }

        HttpAnswer http(String method, String path) {
            CompletableFuture<HttpAnswer> answer = server.http(method, path).toCompletableFuture();
            simulation.runUntil(answer::isDone, SECOND);
            return answer.join();
        }

        void sendAll() {
            IntStream.range(0, SENT).forEach(number -> ref.send(new Count(number)));
        }

        private static RpcEnv register(SimulatedProcess process, RpcEnv env, List<String> events) {
            env.register("tally", PROTOCOL, process.loop("endpoints"), new RecordingEndpoint(events));
            return env;
        }
    }

    /** Records the calls of an endpoint, except its start and new peers. */
    private static final class RecordingEndpoint implements RpcEndpoint {
        private final List<String> events;
        private final Receiver messages;

        RecordingEndpoint(List<String> events) {
            this.events = events;
            this.messages = Receiver.of("tally")
                    .on(Count.class, (message, from) -> events.add("count " + message.number()))
                    .answer(Ask.class, (message, from) -> message)
                    .build();
        }

        @Override
        public void receive(Record message, RpcCall call) {
            messages.receive(message, call);
        }

        @Override
        public void peerLost(Peer peer, String reason) {
            events.add("lost " + peer.id());
        }

        @Override
        public void networkFailed(String remote, HearthException failure) {
            events.add("network");
        }
    }
}
