package dev.hearth.yarn.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.HadoopSession;
import dev.hearth.yarn.internal.hadoop.HadoopThreads;
import dev.hearth.yarn.internal.submission.ClientFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Application of a driver in client mode, as the ResourceManager knows it: its session, its files, and its state. Its loop
 * calls; a thread of its own does what blocks, one call after the other. Lives until {@link #close}.
 */
final class ClientApplication {
    private static final Logger LOG = LoggerFactory.getLogger(ClientApplication.class);
    /** Time in which an application waits for a container before its diagnostics are displayed. */
    private static final Duration WAIT_REPORTED_AFTER = Duration.ofSeconds(10);

    private final HadoopSession session;
    private final ClientFiles files;
    private final String id;
    private final EventLoop loop;
    private final ExecutorService calls;
    private String words = ""; // displayed last
    private boolean closed;

    /** {@code calls} runs one call at a time, under Hadoop's class loader. */
    ClientApplication(HadoopSession session, ClientFiles files, String id, EventLoop loop, ExecutorService calls) {
        this.session = session;
        this.files = files;
        this.id = id;
        this.loop = loop;
        this.calls = calls;
    }

    /** A thread for the calls of one application. */
    static ExecutorService thread() {
        return Executors.newSingleThreadExecutor(new HadoopThreads("hearth-yarn-client"));
    }

    String id() {
        return id;
    }

    /**
     * Asks for the state of the application each {@code interval}, until it has ended or this is closed. {@code ended}
     * receives the reason of its end, on the loop.
     */
    void watch(Duration interval, Consumer<HearthException> ended) {
        long since = loop.ticker().nanos();
        loop.schedule(interval, () -> look(interval, since, ended));
    }

    private void look(Duration interval, long since, Consumer<HearthException> ended) {
        if (closed) {
            return;
        }
        call(() -> session.cluster().report(id))
                .whenComplete((report, failure) -> loop.inOrder(() -> {
                    Optional<HearthException> end = failure == null ? end(report) : Optional.empty();
                    if (closed) {
                        return;
                    }
                    if (end.isPresent()) {
                        ended.accept(end.get());
                        return;
                    }
                    if (failure == null) {
                        report.ifPresent(found -> display(found, since));
                    } else {
                        LOG.debug("state of {}", id, failure);
                    }
                    loop.schedule(interval, () -> look(interval, since, ended));
                }));
    }

    private void display(ClusterReport report, long since) {
        boolean waits = report.state() == ClusterReport.State.ACCEPTED
                && loop.ticker().nanos() - since >= WAIT_REPORTED_AFTER.toNanos();
        String diagnostics = report.diagnostics().strip();
        if (waits && !diagnostics.equals(words)) {
            words = diagnostics;
            LOG.warn("{}: waits in queue {} for its application master: {}", id, report.queue(), diagnostics);
        }
    }

    /**
     * The reason why the application is over; {@code why} itself if the ResourceManager does not know, or does not answer.
     */
    CompletionStage<HearthException> explain(HearthException why) {
        if (closed) {
            return CompletableFuture.completedFuture(why);
        }
        return call(() -> session.cluster().report(id))
                .handleAsync((report, failure) -> failure == null ? end(report).orElse(why) : why, loop);
    }

    private Optional<HearthException> end(Optional<ClusterReport> found) {
        if (found.isEmpty()) {
            return Optional.of(ErrorCode.CLUSTER_LOST.failure(
                    id + ": the ResourceManager does not know it (expected: until its driver ends it)"));
        }
        ClusterReport report = found.get();
        String diagnostics = report.diagnostics().isBlank()
                ? ""
                : ": " + report.diagnostics().strip();
        return switch (report.state()) {
            case NEW, NEW_SAVING, SUBMITTED, ACCEPTED, RUNNING -> Optional.empty();
            case KILLED ->
                Optional.of(ErrorCode.APPLICATION_KILLED.failure(
                        id + ": killed on the cluster" + diagnostics + " (expected: until its driver ends it)"));
            case FAILED, FINISHED ->
                Optional.of(ErrorCode.CLUSTER_LOST.failure(id + ": over on the cluster as " + report.state()
                        + diagnostics + " (expected: until its driver ends it)"));
        };
    }

    /** Kills the application, because no application master has ended it. */
    CompletionStage<Void> kill(String why) {
        return call(() -> {
            session.cluster().kill(id, why);
            return null;
        });
    }

    /** Removes the application's files and closes the session, on its own thread. */
    CompletionStage<Void> close() {
        if (closed) {
            return CompletableFuture.completedFuture(null);
        }
        closed = true;
        CompletionStage<Void> done = call(() -> {
            try {
                files.release(id);
            } catch (IOException failure) {
                LOG.warn(
                        "files of {}: {} (expected: removed); a later sweep removes them",
                        id,
                        Failures.describe(failure));
            }
            session.close();
            return null;
        });
        calls.shutdown();
        return done;
    }

    private <T> CompletionStage<T> call(Callable<T> action) {
        return call(calls, action);
    }

    /** Runs {@code action} on the thread of an application. */
    static <T> CompletionStage<T> call(ExecutorService calls, Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        calls.execute(() -> {
            try {
                result.complete(action.call());
            } catch (Throwable failure) { // also an Error of a class that is missing
                result.completeExceptionally(failure);
            }
        });
        return result;
    }
}
