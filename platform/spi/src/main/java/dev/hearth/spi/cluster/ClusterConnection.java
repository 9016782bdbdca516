package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Connection to a cluster for requests about submissions. Owns an RPC environment that accepts no connections, and an
 * event loop. Used by one thread, which waits for each answer.
 */
public final class ClusterConnection implements AutoCloseable {
    private final RpcEnv rpc;
    private final ThreadEventLoop loop;
    private final CompletableFuture<Void> stopped;

    private ClusterConnection(RpcEnv rpc, ThreadEventLoop loop, CompletableFuture<Void> stopped) {
        this.rpc = rpc;
        this.loop = loop;
        this.stopped = stopped;
    }

    /**
     * Opens a connection. {@code stopped} completes if the caller must end: a wait for an answer then fails. {@code
     * uncaught} receives the exceptions of actions on the event loop.
     */
    public static ClusterConnection open(
            RpcEnvFactory rpcs, Settings settings, CompletableFuture<Void> stopped, Consumer<Throwable> uncaught) {
        RpcEnv rpc = rpcs.open(RpcSettings.connecting(settings));
        ThreadEventLoop loop = new ThreadEventLoop("submission", uncaught);
        return new ClusterConnection(rpc, loop, stopped);
    }

    /** Runs {@code call}, a request to the cluster, on the event loop, and waits for its answer. */
    public <T> T call(Function<SubmissionServices, CompletionStage<T>> call) throws InterruptedException {
        CompletableFuture<T> answered = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                call.apply(new SubmissionServices(rpc, loop)).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        answered.complete(answer);
                    } else {
                        answered.completeExceptionally(failure);
                    }
                });
            } catch (Throwable failure) {
                // catches Errors too, because a cluster manager is foreign code and may lack a class
                answered.completeExceptionally(failure);
            }
        });
        return await(answered);
    }

    /**
     * Waits for the completion stage {@code stage} and returns its result; fails if {@code stopped} completes first,
     * because this process is to end.
     */
    public <T> T await(CompletableFuture<T> stage) throws InterruptedException {
        try {
            CompletableFuture.anyOf(stage, stopped).get();
            if (stage.isDone()) {
                return stage.get();
            }
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, "submission");
        }
        throw ErrorCode.APPLICATION_KILLED.failure(
                "submission: this process ended while it waited (expected: a wait until the submission ends); submit"
                        + " --status shows its state");
    }

    @Override
    public void close() {
        loop.close();
        rpc.close();
    }
}
