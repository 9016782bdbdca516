package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * Base class of contract tests, which every implementation of a message system must pass. A subclass supplies the
 * environment in which each test runs.
 */
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
public abstract class RpcContract {
    /** Real time that a completion stage may take before the test fails. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    static final String HOST = "127.0.0.1";

    private Environment ground = new NoEnvironment();

    /** Opens the environment of one test, in which the message system under test runs. */
    protected abstract Environment begin();

    @BeforeEach
    final void openGround() {
        ground = begin();
    }

    @AfterEach
    final void closeGround() {
        ground.close();
    }

    /**
     * Waits for the result of the completion stage {@code stage}, with a limit in real time; for environments that do
     * not use virtual time.
     */
    public static <T> T bounded(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            if (Failures.unwrap(failed) instanceof Exception failure) {
                throw failure;
            }
            throw failed;
        } catch (TimeoutException late) {
            throw new AssertionError("stage: not complete (expected: within " + PATIENCE.toSeconds() + " s)", late);
        }
    }

    final Party open(RpcSettings settings) {
        return ground.open(settings);
    }

    final Party listening() {
        return listening(0);
    }

    final Party listening(int port) {
        return open(RpcSettings.listening(Settings.empty(), HOST, port));
    }

    final Party connecting() {
        return open(RpcSettings.connecting(Settings.empty()));
    }

    final <T> T await(CompletionStage<T> stage) throws Exception {
        return ground.await(stage);
    }

    final HearthException failure(CompletionStage<?> stage) {
        return assertInstanceOf(
                HearthException.class, Failures.unwrap(assertThrows(Exception.class, () -> await(stage))));
    }

    final String failureCode(CompletionStage<?> stage) {
        return failure(stage).code();
    }

    static CompletionStage<Answer> ask(EndpointRef ref, Record message) {
        return ref.ask(message, Answer.class, PATIENCE);
    }

    /** One process of a contract test: its RPC environment, and the event loop on which its endpoints run. */
    public record Party(RpcEnv env, EventLoop loop) {}

    /**
     * Environment of one contract test, with real sockets or simulated. It opens RPC environments, each in its own
     * process, waits for completion stages, and finally closes all RPC environments.
     */
    public interface Environment extends AutoCloseable {
        Party open(RpcSettings settings);

        /**
         * Waits for the completion stage {@code stage} within a time limit; returns its result or throws its failure.
         */
        <T> T await(CompletionStage<T> stage) throws Exception;

        @Override
        void close();
    }

    /** Placeholder for the environment of a test until the test begins; its use fails. */
    private static final class NoEnvironment implements Environment {
        @Override
        public Party open(RpcSettings settings) {
            throw new IllegalStateException("ground: none yet (expected: a test that has begun)");
        }

        @Override
        public <T> T await(CompletionStage<T> stage) {
            throw new IllegalStateException("ground: none yet (expected: a test that has begun)");
        }

        @Override
        public void close() {
            // nothing was opened
        }
    }
}
