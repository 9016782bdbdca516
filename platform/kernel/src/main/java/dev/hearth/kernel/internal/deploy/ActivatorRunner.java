package dev.hearth.kernel.internal.deploy;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the starts and stops of bundles in order. Each runs on a separate thread, because a bundle's activator is
 * foreign code and may hang. A slow start or stop delays the next one at most by {@link #PATIENCE}. Owned by the
 * deployer's event loop, which receives all results.
 */
final class ActivatorRunner {
    /** Maximum time that a start or stop waits for the one before it to end. */
    static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Time after which a start or stop is reported as late. Its thread continues, because it cannot be cancelled. */
    static final Duration BOUND = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final Executor threads;
    // starts and stops that wait, at most one per installation
    private final Deque<Activation> waiting = new ArrayDeque<>();
    // starts and stops that run; also read by the thread that closes the deployer
    private final List<Activation> underWay = new CopyOnWriteArrayList<>();
    private @Nullable Activation awaited; // the next start or stop waits until this one ends

    /** {@code threads} must run each task at once, on a new thread. */
    ActivatorRunner(EventLoop loop, Executor threads) {
        this.loop = loop;
        this.threads = threads;
    }

    /** Creates a runner that gives each start or stop a new daemon thread. */
    static ActivatorRunner onThreads(EventLoop loop) {
        return new ActivatorRunner(loop, task -> {
            Thread thread = new Thread(task, "hearth-deploy-activation");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /**
     * Runs {@code work}, which is a start or a stop, after the ones before it. Calls {@code late} if the work takes
     * longer than {@link #BOUND}. Calls {@code end} when the work ends, with its failure if there was one. Both calls
     * run on the event loop.
     */
    void run(Callable<?> work, Runnable late, Consumer<Optional<Throwable>> end) {
        waiting.add(new Activation(work, late, end));
        next();
    }

    /**
     * Waits until no start or stop runs. Returns false if {@code boundNanos} pass first. Called by any thread when the
     * process ends.
     */
    boolean awaitNone(long boundNanos) throws InterruptedException {
        long deadline = System.nanoTime() + boundNanos;
        for (Activation activation : underWay) {
            if (!activation.ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    private void next() {
        while (awaited == null && !waiting.isEmpty()) {
            begin(waiting.remove());
        }
    }

    private void begin(Activation activation) {
        awaited = activation;
        underWay.add(activation);
        EventLoop.Timeout patience = loop.schedule(PATIENCE, () -> passOver(activation));
        EventLoop.Timeout bound = loop.schedule(BOUND, activation.late);
        threads.execute(() -> {
            Optional<Throwable> failure = activation.perform();
            loop.execute(() -> {
                patience.cancel();
                bound.cancel();
                ended(activation, failure);
            });
        });
    }

    private void ended(Activation activation, Optional<Throwable> failure) {
        underWay.remove(activation);
        try {
            activation.end.accept(failure);
        } finally {
            passOver(activation);
        }
    }

    private void passOver(Activation activation) {
        if (awaited == activation) {
            awaited = null;
            next();
        }
    }

    private static final class Activation {
        private final Callable<?> work;
        private final Runnable late;
        private final Consumer<Optional<Throwable>> end;
        private final CountDownLatch ended = new CountDownLatch(1);

        Activation(Callable<?> work, Runnable late, Consumer<Optional<Throwable>> end) {
            this.work = work;
            this.late = late;
            this.end = end;
        }

        Optional<Throwable> perform() {
            try {
                work.call();
                return Optional.empty();
            } catch (Throwable e) { // an activator is foreign code and may throw any exception
                return Optional.of(e);
            } finally {
                ended.countDown();
            }
        }
    }
}
