package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.rpc.internal.connect.Preamble;
import dev.hearth.rpc.internal.http.HttpLaneSettings;
import dev.hearth.rpc.internal.http.HttpWhiteboard;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An env whose process starts bundles with further endpoints on demand. */
class EndpointDemandTest {
    private final TestEnvs envs = new TestEnvs();
    private final List<String> asked = new ArrayList<>(); // guarded by itself

    @AfterEach
    void closeAll() {
        envs.close();
    }

    @Test
    void startsTheBundlesOfAnEndpointWithItsFirstAsk() throws Exception {
        RpcEnv server = server(this::registered);
        Peer peer = connect(server);
        assertEquals(List.of(), asked());
        CompletionStage<Answer> first = ask(peer, 1);
        CompletionStage<Answer> second = ask(peer, 2);
        assertEquals(List.of(new Answer(1), new Answer(2)), List.of(TestEnvs.await(first), TestEnvs.await(second)));
        int starts = asked().size();
        assertEquals(new Answer(3), TestEnvs.await(ask(peer, 3)));
        assertEquals(starts, asked().size());
        assertEquals(
                List.of(RecordingEndpoint.ENDPOINT), asked().stream().distinct().toList());
    }

    @Test
    void refusesAnEndpointThatNoBundleRegisters() throws Exception {
        HearthException failure = TestEnvs.failure(ask(connect(server(env -> false)), 1));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failure.code());
        assertEquals(List.of(RecordingEndpoint.ENDPOINT), asked());
    }

    @Test
    void answersWithTheFailureOfTheStart() throws Exception {
        RpcEnv server = server(env -> {
            throw ErrorCode.START_FAILED.failure("bundle talk: broken (expected: it starts)");
        });
        HearthException failure = TestEnvs.failure(ask(connect(server), 1));
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("bundle talk: broken"), failure::getMessage);
    }

    @Test
    void startsNothingForPeersOfAnApplication() throws Exception {
        RpcEnv server = server(this::registered);
        server.scope("application", Optional.empty());
        RpcScope executor = envs.connecting().scope("application", Optional.empty());
        Peer peer = TestEnvs.await(executor.connect(address(server)));
        assertEquals(
                ErrorCode.NO_ENDPOINT.name(), TestEnvs.failure(ask(peer, 1)).code());
        assertEquals(List.of(), asked());
    }

    @Test
    void boundsTheAsksThatWait() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        RpcEnv server = server(env -> {
            awaitQuietly(started);
            return registeredOnce(env);
        });
        Peer peer = connect(server);
        List<CompletionStage<Answer>> waiting = new ArrayList<>();
        for (int number = 0; number < EndpointDemand.ASKS_WAITING_MAX; number++) {
            waiting.add(ask(peer, number));
        }
        HearthException failure = TestEnvs.failure(ask(peer, 100));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failure.code());
        started.countDown();
        for (int number = 0; number < waiting.size(); number++) {
            assertEquals(new Answer(number), TestEnvs.await(waiting.get(number)));
        }
    }

    private boolean registered(RpcEnv env) {
        return registeredOnce(env);
    }

    private synchronized boolean registeredOnce(RpcEnv env) {
        boolean isThere = env.snapshot().scopes().stream()
                .flatMap(scope -> scope.endpoints().stream())
                .anyMatch(endpoint -> endpoint.name().equals(RecordingEndpoint.ENDPOINT));
        if (!isThere) {
            RecordingEndpoint.register(env, envs.loop("server"));
        }
        return !isThere;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(TestEnvs.BOUND.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private List<String> asked() {
        synchronized (asked) {
            return List.copyOf(asked);
        }
    }

    private RpcEnv server(Function<RpcEnv, Boolean> start) {
        RpcEnv[] opened = new RpcEnv[1];
        OnDemandBundles bundles = new OnDemandBundles() {
            @Override
            public void startFor(Settings settings) {}

            @Override
            public boolean startForEndpoint(String endpoint) {
                synchronized (asked) {
                    asked.add(endpoint);
                }
                return start.apply(opened[0]);
            }
        };
        RpcSettings settings = TestEnvs.settings(true, TestEnvs.MEBIBYTE, 1_000, Duration.ofSeconds(5));
        opened[0] = envs.keep(new NettyRpcEnv(
                settings,
                Preamble.OURS,
                new HttpLaneSettings("Hearth", "", settings),
                new HttpWhiteboard(),
                new EndpointDemand(Optional.of(bundles))));
        return opened[0];
    }

    private static RpcAddress address(RpcEnv server) {
        return server.address().orElseThrow();
    }

    private Peer connect(RpcEnv server) throws Exception {
        return TestEnvs.await(envs.connecting().connect(address(server)));
    }

    private static CompletionStage<Answer> ask(Peer peer, int number) {
        return peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL)
                .ask(new Question(Wish.ECHO, number), Answer.class, TestEnvs.BOUND);
    }
}
