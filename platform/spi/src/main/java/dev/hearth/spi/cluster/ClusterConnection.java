package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connection to a cluster for requests about submissions. Owns an event loop and, once a cluster manager asks for them,
 * an RPC environment that accepts no connections and threads for blocking calls. Used by one thread, which waits for each
 * answer, except for {@link #start}.
 */
public final class ClusterConnection implements AutoCloseable {
    /** Time in which a manager undoes a call that the user has ended. */
    private static final long UNDO_SECONDS = 10;

    private final ProcessServices services;
    private final CompletableFuture<Void> stopped;

    private ClusterConnection(ProcessServices services, CompletableFuture<Void> stopped) {
        this.services = services;
        this.stopped = stopped;
    }

    /**
     * Opens a connection for a request with {@code settings}. {@code home} is the directory of the installation. {@code
     * stopped} completes if the caller must end: a wait for an answer then fails. {@code uncaught} receives the exceptions
     * of actions on the event loop.
     */
    public static ClusterConnection open(
            RpcEnvFactory rpcs,
            Settings settings,
            Path home,
            CompletableFuture<Void> stopped,
            Consumer<Throwable> uncaught) {
        return new ClusterConnection(new ProcessServices(rpcs, settings, home, uncaught, false), stopped);
    }

    /** Opens a connection as {@link #open} does, for the user of this process, whose files may be sent to the cluster. */
    public static ClusterConnection openForUser(
            RpcEnvFactory rpcs,
            Settings settings,
            Path home,
            CompletableFuture<Void> stopped,
            Consumer<Throwable> uncaught) {
        return new ClusterConnection(new ProcessServices(rpcs, settings, home, uncaught, true), stopped);
    }

    /** Runs {@code call}, a request to the cluster, on the event loop, and waits for its answer. */
    public <T> T call(Function<SubmissionServices, CompletionStage<T>> call) throws InterruptedException {
        CompletableFuture<T> answered = start(call).toCompletableFuture();
        awaitUndone(answered);
        return await(answered);
    }

    /** Prints the lines that a manager says about its answers by {@code lines}. Call it before a request. */
    public void saying(Consumer<String> lines) {
        services.lines = lines;
    }

    /** If this process is to end before {@code answered} completes, gives the manager time to undo what it has done. */
    private void awaitUndone(CompletableFuture<?> answered) throws InterruptedException {
        try {
            CompletableFuture.anyOf(answered, stopped).get();
            if (!answered.isDone() && services.isUndone) {
                services.loop().execute(() -> services.stopped.complete(null));
                answered.get(UNDO_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException failure) {
            return; // reported by the wait for the answer, which comes next
        }
    }

    /** Runs {@code call}, a request to the cluster, on the event loop, without waiting for it. Any thread may call. */
    public <T> CompletionStage<T> start(Function<SubmissionServices, CompletionStage<T>> call) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        services.loop().execute(() -> {
            try {
                call.apply(services).whenComplete((answer, failure) -> {
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
        return answered;
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
        services.close();
    }

    /** The services of this process. The lock of this object guards what is created on demand. */
    private static final class ProcessServices implements SubmissionServices {
        private static final int BLOCKING_THREADS_MAX = 4;
        private static final int BLOCKING_CALLS_MAX = 1_000; // that wait for a thread
        private static final int IDLE_SECONDS = 5;

        private final RpcEnvFactory rpcs;
        private final Settings settings;
        private final Path home;
        private final ThreadEventLoop loop;
        private final boolean sendsFiles;
        private @Nullable RpcEnv rpc;
        private @Nullable ThreadPoolExecutor blocking;
        private boolean closed;
        private final CompletableFuture<Void> stopped = new CompletableFuture<>();
        private volatile boolean isUndone; // whether the manager undoes a call that the user ends
        private volatile Consumer<String> lines = line -> {};

        ProcessServices(
                RpcEnvFactory rpcs, Settings settings, Path home, Consumer<Throwable> uncaught, boolean sendsFiles) {
            this.sendsFiles = sendsFiles;
            this.rpcs = rpcs;
            this.settings = settings;
            this.home = home;
            this.loop = new ThreadEventLoop("submission", uncaught);
        }

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public synchronized RpcEnv rpc() {
            RpcEnv known = rpc;
            if (known == null) {
                requireOpen();
                known = rpcs.open(RpcSettings.connecting(settings));
                rpc = known;
            }
            return known;
        }

        @Override
        public Settings settings() {
            return settings;
        }

        @Override
        public synchronized Executor blocking() {
            ThreadPoolExecutor known = blocking;
            if (known == null) {
                requireOpen();
                known = new ThreadPoolExecutor(
                        BLOCKING_THREADS_MAX,
                        BLOCKING_THREADS_MAX,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(BLOCKING_CALLS_MAX),
                        action -> {
                            Thread thread = new Thread(action, "submission-blocking");
                            thread.setDaemon(true);
                            return thread;
                        });
                known.allowCoreThreadTimeOut(true);
                blocking = known;
            }
            return known;
        }

        @Override
        public Path home() {
            return home;
        }

        @Override
        public Map<String, String> environment() {
            return System.getenv();
        }

        @Override
        public boolean sendsFiles() {
            return sendsFiles;
        }

        @Override
        public CompletionStage<Void> stopped() {
            isUndone = true;
            return stopped;
        }

        @Override
        public void said(String line) {
            lines.accept(line);
        }

        private void requireOpen() {
            if (closed) {
                throw new IllegalStateException("connection to a cluster: closed (expected: open)");
            }
        }

        void close() {
            loop.close();
            synchronized (this) {
                closed = true;
                if (rpc != null) {
                    rpc.close();
                }
                if (blocking != null) {
                    blocking.shutdownNow();
                }
            }
        }
    }
}
