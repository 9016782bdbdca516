package dev.hearth.kubernetes.internal.client;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Current credentials for all threads. Owns a {@link Renewal} under its lock, and a thread that reads, which ends when it
 * is idle. {@link #close} ends a read that is under way.
 */
final class RenewedAccess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RenewedAccess.class);
    private static final int IDLE_SECONDS = 1;

    private final AccessSource source;
    private final Ticker ticker;
    private final ThreadPoolExecutor reader;
    private final Renewal<Access> renewal = new Renewal<>(); // guarded by this
    private List<Runnable> waiting = new ArrayList<>(); // guarded by this
    private boolean closed; // guarded by this

    RenewedAccess(AccessSource source, Ticker ticker) {
        this.source = source;
        this.ticker = ticker;
        this.reader = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> { // one read at a time
                    Thread thread = new Thread(task, "hearth-kubernetes-credentials");
                    thread.setDaemon(true);
                    thread.setContextClassLoader(RenewedAccess.class.getClassLoader()); // not the application\'s
                    return thread;
                });
        reader.allowCoreThreadTimeOut(true);
    }

    /** The credentials for a request; fails with {@link IOException} if there are none. */
    CompletableFuture<Renewal.Held<Access>> current() {
        CompletableFuture<Renewal.Held<Access>> found = new CompletableFuture<>();
        boolean isLater;
        synchronized (this) {
            Renewal.Step step = closed ? Renewal.Step.GIVE_UP : renewal.wanted(ticker.nanos());
            isLater = later(step, false, () -> answer(found));
        }
        if (!isLater) {
            answer(found);
        }
        return found;
    }

    /** The credentials that came after those numbered {@code serial}, which were refused; empty if there are none. */
    CompletableFuture<Optional<Renewal.Held<Access>>> after(long serial) {
        CompletableFuture<Optional<Renewal.Held<Access>>> found = new CompletableFuture<>();
        boolean isLater;
        synchronized (this) {
            Renewal.Step step = closed ? Renewal.Step.GIVE_UP : renewal.refused(serial, ticker.nanos());
            isLater = later(step, true, () -> found.complete(newer(serial)));
        }
        if (!isLater) {
            found.complete(newer(serial));
        }
        return found;
    }

    /** Whether {@code answer} waits for a read; call it under the lock. */
    private boolean later(Renewal.Step step, boolean refused, Runnable answer) {
        return switch (step) {
            case USE, GIVE_UP -> false;
            case WAIT -> waiting.add(answer);
            case READ -> {
                waiting.add(answer);
                reader.execute(() -> read(refused));
                yield true;
            }
        };
    }

    private void answer(CompletableFuture<Renewal.Held<Access>> found) {
        Optional<Renewal.Held<Access>> held;
        String failure;
        synchronized (this) {
            held = renewal.held();
            failure = closed ? "the client is closed" : renewal.failure();
        }
        held.ifPresentOrElse(found::complete, () -> found.completeExceptionally(new IOException(failure)));
    }

    private synchronized Optional<Renewal.Held<Access>> newer(long serial) {
        return renewal.held().filter(held -> held.serial() != serial);
    }

    private void read(boolean refused) {
        try {
            AccessSource.Reading reading = source.read(refused);
            synchronized (this) {
                renewal.read(reading.access(), reading.checkNanos(), reading.endNanos());
            }
        } catch (IOException failure) {
            failed(String.valueOf(failure.getMessage()));
        } catch (RuntimeException failure) {
            LOG.error("credentials of the API server: cannot be read", failure);
            failed(Failures.describe(failure));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            failed("interrupted");
        }
        taken().forEach(Runnable::run);
    }

    private synchronized List<Runnable> taken() {
        List<Runnable> answers = waiting;
        waiting = new ArrayList<>();
        return answers;
    }

    private void failed(String words) {
        boolean isNews;
        synchronized (this) {
            isNews = !closed && !words.equals(renewal.failure());
            renewal.failed(words, ticker.nanos());
            isNews &= renewal.held().isPresent();
        }
        if (isNews) {
            LOG.warn("credentials of the API server: {}; the last ones stay in use", words);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            reader.shutdownNow();
        }
        taken().forEach(Runnable::run);
    }
}
