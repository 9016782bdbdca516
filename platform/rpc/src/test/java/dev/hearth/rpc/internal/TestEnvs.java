package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.connect.Preamble;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Opens envs and loops for a test and closes them afterwards; collects failures that loops report. */
final class TestEnvs implements AutoCloseable {
    static final int MEBIBYTE = 1024 * 1024;
    static final Duration BOUND = Duration.ofSeconds(20);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    RpcEnv open(RpcSettings settings) {
        return open(settings, Preamble.OURS);
    }

    RpcEnv open(RpcSettings settings, Preamble preamble) {
        RpcEnv env = new NettyRpcEnv(settings, preamble);
        opened.push(env);
        return env;
    }

    RpcEnv listening() {
        return open(settings(true, MEBIBYTE, 1_000, Duration.ofSeconds(5)));
    }

    RpcEnv connecting() {
        return open(settings(false, MEBIBYTE, 1_000, Duration.ofSeconds(5)));
    }

    static RpcSettings settings(boolean listening, int messageBytesMax, int asksMax, Duration handshake) {
        return new RpcSettings(
                listening ? Optional.of(new RpcSettings.Listen("127.0.0.1", 0)) : Optional.empty(),
                RpcSecurity.NONE,
                RpcLimits.DEFAULTS.withMessageBytesMax(messageBytesMax).withAsksPerPeerMax(asksMax),
                RpcTimes.DEFAULTS.withHandshake(handshake));
    }

    EventLoop loop(String name) {
        ThreadEventLoop loop = new ThreadEventLoop(name, uncaught::add);
        opened.push(loop);
        return loop;
    }

    <T extends AutoCloseable> T keep(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Polls within the time limit until {@code condition} holds. */
    void awaitTrue(BooleanSupplier condition) {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, () -> "not within " + BOUND + "; open: " + snapshots());
            Thread.onSpinWait();
        }
    }

    private String snapshots() {
        return opened.stream()
                .filter(RpcEnv.class::isInstance)
                .map(env -> ((RpcEnv) env).snapshot().peers().toString())
                .toList()
                .toString();
    }

    Queue<Throwable> uncaught() {
        return uncaught;
    }

    static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The Hearth exception that a stage fails with. */
    static HearthException failure(CompletionStage<?> stage) {
        Exception failed = assertThrows(Exception.class, () -> await(stage));
        return assertInstanceOf(HearthException.class, Failures.unwrap(failed));
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            AutoCloseable next = opened.pop();
            try {
                next.close();
            } catch (Exception failure) {
                throw new AssertionError("cannot close " + next, failure);
            }
        }
    }
}
