package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionServices;
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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection to a cluster for one request. Owns a message system that only makes calls, and an event loop. Used by the
 * role's thread.
 */
final class ClusterConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterConnection.class);

    private final RpcEnv rpc;
    private final ThreadEventLoop loop;
    private final CompletableFuture<Void> stopped;

    private ClusterConnection(RpcEnv rpc, ThreadEventLoop loop, CompletableFuture<Void> stopped) {
        this.rpc = rpc;
        this.loop = loop;
        this.stopped = stopped;
    }

    static ClusterConnection open(RpcEnvFactory rpcs, Settings settings, CompletableFuture<Void> stopped) {
        RpcEnv rpc = rpcs.open(RpcSettings.connecting(settings));
        ThreadEventLoop loop = new ThreadEventLoop("submission", failure -> LOG.error("submission", failure));
        return new ClusterConnection(rpc, loop, stopped);
    }

    /** Runs {@code call} on the loop and waits for the answer of the cluster. */
    <T> T call(Function<SubmissionServices, CompletionStage<T>> call) throws InterruptedException {
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
            } catch (Throwable failure) { // a manager is foreign code, which may also lack a class
                answered.completeExceptionally(failure);
            }
        });
        return await(answered);
    }

    /** Waits for {@code stage} and returns its result; stops waiting when this process stops. */
    <T> T await(CompletableFuture<T> stage) throws InterruptedException {
        try {
            CompletableFuture.anyOf(stage, stopped).get();
            if (stage.isDone()) {
                return stage.get();
            }
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, "submission");
        }
        throw ErrorCode.APPLICATION_KILLED.failure(
                "submission: wait ended by the end of this process (expected: by the end of the submission)");
    }

    @Override
    public void close() {
        loop.close();
        rpc.close();
    }
}
