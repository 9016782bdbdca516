package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Ports, scopes, limits on connections, and the silence timeout. */
class ConnectionsTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private final TestEnvs envs = new TestEnvs();

    @AfterEach
    void closeAll() {
        envs.close();
    }

    @Test
    void takesTheNextPortWhereOneIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = Math.min(taken.getLocalPort(), 65_500);
            Assumptions.assumeTrue(port == taken.getLocalPort(), "room above the port");
            RpcEnv env = envs.open(listening(new RpcSettings.Listen("127.0.0.1", port, "127.0.0.1", 30)));
            int found = env.address().orElseThrow().port();
            assertTrue(found > port && found <= port + 30, () -> "port " + found + " after " + port);
            HearthException refused = assertThrows(
                    HearthException.class, () -> envs.open(listening(new RpcSettings.Listen("127.0.0.1", port))));
            assertEquals(ErrorCode.PORT_IN_USE.name(), refused.code());
        }
    }

    @Test
    void advertisesAnotherAddressThanItListensOn() throws Exception {
        RpcEnv env = envs.open(listening(new RpcSettings.Listen("127.0.0.1", 0, "driver.example", 0)));
        RpcAddress advertised = env.address().orElseThrow();
        assertEquals("driver.example", advertised.host());
        RecordingEndpoint.register(env, envs.loop("server"));
        Peer peer = TestEnvs.await(envs.connecting().connect(new RpcAddress("127.0.0.1", advertised.port())));
        assertEquals(new Answer(1), TestEnvs.await(ask(peer, 1)));
    }

    @Test
    void speaksIpv6() throws Exception {
        RpcEnv env;
        try {
            env = envs.open(listening(new RpcSettings.Listen("::1", 0)));
        } catch (HearthException none) {
            Assumptions.abort("no IPv6 on this machine: " + none.getMessage());
            return;
        }
        RecordingEndpoint.register(env, envs.loop("server"));
        RpcAddress address = env.address().orElseThrow();
        assertTrue(address.toString().startsWith("[::1]:"), address::toString);
        assertEquals(
                new Answer(1),
                TestEnvs.await(ask(TestEnvs.await(envs.connecting().connect(address)), 1)));
    }

    @Test
    void keepsScopesApart() throws Exception {
        RpcEnv server = envs.listening();
        RpcAddress address = server.address().orElseThrow();
        RpcScope one = server.scope("app-1", Optional.empty());
        RpcScope two = server.scope("app-2", Optional.empty());
        RecordingEndpoint.register(one, envs.loop("one"));
        assertThrows(IllegalStateException.class, () -> server.scope("app-1", Optional.empty()));
        RpcEnv client = envs.connecting();
        Peer ofOne = TestEnvs.await(client.scope("app-1", Optional.empty()).connect(address));
        assertEquals(new Answer(1), TestEnvs.await(ask(ofOne, 1)));
        Peer ofTwo = TestEnvs.await(client.scope("app-2", Optional.empty()).connect(address));
        assertEquals(
                ErrorCode.NO_ENDPOINT.name(), TestEnvs.failure(ask(ofTwo, 1)).code(), "it is the other scope's");
        Peer ofProcess = TestEnvs.await(client.connect(address));
        assertEquals(
                ErrorCode.NO_ENDPOINT.name(),
                TestEnvs.failure(ask(ofProcess, 1)).code());
        HearthException unknown =
                TestEnvs.failure(client.scope("app-3", Optional.empty()).connect(address));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), unknown.code());
        assertTrue(String.valueOf(unknown.getMessage()).contains("scope 'app-3'"), unknown::getMessage);
        one.close();
        envs.awaitTrue(() -> client.snapshot().peers().size() == 2); // its connection ends, those of other peers remain
        assertEquals(ErrorCode.PEER_LOST.name(), TestEnvs.failure(ask(ofOne, 2)).code());
        assertEquals(
                ErrorCode.NO_ENDPOINT.name(), TestEnvs.failure(ask(ofTwo, 2)).code(), "the other one goes on");
        two.close();
        server.scope("app-1", Optional.empty()).close(); // the name may be reused
        assertEquals(1, server.snapshot().refusals().unknownScope());
    }

    @Test
    void reachesItselfWithoutASocket() throws Exception {
        RpcEnv env = envs.connecting();
        RecordingEndpoint.register(env, envs.loop("self"));
        Peer self = TestEnvs.await(env.self());
        assertEquals(new Answer(3), TestEnvs.await(ask(self, 3)));
        self.close();
        assertEquals(ErrorCode.PEER_LOST.name(), TestEnvs.failure(ask(self, 4)).code());
        RpcEnv server = envs.listening();
        RecordingEndpoint.register(server, envs.loop("server"));
        Peer own = TestEnvs.await(server.connect(server.address().orElseThrow()));
        assertEquals(new Answer(5), TestEnvs.await(ask(own, 5)));
        assertTrue(server.snapshot().peers().stream()
                .allMatch(peer -> peer.security().equals("this process")));
    }

    @Test
    void losesAPeerThatFallsSilentButNotOneThatIsIdle() throws Exception {
        RpcEnv server = envs.open(new RpcSettings(
                Optional.of(new RpcSettings.Listen("127.0.0.1", 0)),
                RpcSecurity.NONE,
                RpcLimits.DEFAULTS,
                RpcTimes.DEFAULTS.withSilence(SHORT)));
        RecordingEndpoint talk = RecordingEndpoint.register(server, envs.loop("server"));
        Queue<String> received = new ConcurrentLinkedQueue<>();
        CompletableFuture<Void> lostToo = new CompletableFuture<>();
        server.register("faults", RecordingEndpoint.PROTOCOL, Dispatch.inline(), new RpcEndpoint() {
            @Override
            public void receive(Record message, RpcCall call) {
                received.add("message");
            }

            @Override
            public void networkFailed(String remote, HearthException failure) {
                received.add("failed: " + failure.code());
            }

            @Override
            public void peerLost(Peer peer, String reason) {
                received.add("lost");
                lostToo.complete(null);
            }
        });
        Peer idle = TestEnvs.await(envs.connecting().connect(server.address().orElseThrow()));
        RawConnection dead =
                envs.keep(RawConnection.to(server.address().orElseThrow()).greet());
        byte[] ping = dead.readFrame();
        assertEquals(MessageFrameKind.PING.code(), ping[0], "it is asked whether it lives");
        String lost = talk.untilLost().get(0);
        assertTrue(lost.contains("no byte was received for"), lost);
        TestEnvs.await(lostToo);
        assertEquals(List.of("failed: PEER_LOST", "lost"), List.copyOf(received), "the fault comes before the loss");
        assertEquals(new Answer(1), TestEnvs.await(ask(idle, 1)), "who answers pings stays");
    }

    @Test
    void takesNoMoreConnectionsThanItMay() throws Exception {
        RpcSettings settings = new RpcSettings(
                Optional.of(new RpcSettings.Listen("127.0.0.1", 0)),
                RpcSecurity.NONE,
                RpcLimits.DEFAULTS.withConnections(20, 5),
                RpcTimes.DEFAULTS.withHandshake(SHORT));
        RpcEnv server = envs.open(settings);
        RecordingEndpoint.register(server, envs.loop("server"));
        RpcAddress address = server.address().orElseThrow();
        Peer honest = TestEnvs.await(envs.connecting().connect(address));
        List<RawConnection> silent = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            silent.add(envs.keep(RawConnection.to(address)));
        }
        assertEquals(new Answer(1), TestEnvs.await(ask(honest, 1)), "served meanwhile");
        for (RawConnection each : silent) {
            assertEquals(0, each.readToEnd().length);
        }
        assertTrue(
                server.snapshot().refusals().tooMany() >= 25,
                () -> server.snapshot().refusals().toString());
        envs.awaitTrue(() -> server.snapshot().refusals().inHandshake() == 0);
        Peer late = TestEnvs.await(envs.connecting().connect(address));
        assertEquals(new Answer(2), TestEnvs.await(ask(late, 2)), "there is room again");
    }

    @Test
    void abortsAnAsk() throws Exception {
        RpcEnv server = envs.listening();
        RecordingEndpoint.register(server, envs.loop("server"));
        Peer peer = TestEnvs.await(envs.connecting().connect(server.address().orElseThrow()));
        AbortableAsk<Answer> asked = peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL)
                .askAbortable(new Question(Wish.NOTHING, 1), Answer.class, TestEnvs.BOUND);
        asked.abort().run();
        asked.abort().run();
        assertEquals(
                ErrorCode.ASK_ABORTED.name(), TestEnvs.failure(asked.answer()).code());
        assertEquals(new Answer(2), TestEnvs.await(ask(peer, 2)));
    }

    private static RpcSettings listening(RpcSettings.Listen where) {
        return new RpcSettings(Optional.of(where), RpcSecurity.NONE, RpcLimits.DEFAULTS, RpcTimes.DEFAULTS);
    }

    private static CompletionStage<Answer> ask(Peer peer, int number) {
        return peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL)
                .ask(new Question(Wish.ECHO, number), Answer.class, TestEnvs.BOUND);
    }
}
