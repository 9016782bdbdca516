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
 * Runs starts and stops of bundles in order, each on a thread of its own, because activators are foreign code. A slow
 * one delays the next by {@link #PATIENCE} at most. Owned by the deployer's loop, which receives all results.
 */
final class ActivatorRunner {
    /** Maximum time that the next one waits for this one to end. */
    static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Time after which one is reported as late; it continues, as it cannot be cancelled. */
    static final Duration BOUND = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final Executor threads;
    private final Deque<Activation> waiting = new ArrayDeque<>(); // at most one per installation
    private final List<Activation> underWay = new CopyOnWriteArrayList<>(); // read by the closing thread
    private @Nullable Activation awaited; // the next one waits for it

    /** {@code threads} runs each task at once on a thread of its own. */
    ActivatorRunner(EventLoop loop, Executor threads) {
        this.loop = loop;
        this.threads = threads;
    }

    /** Runs activations on daemon threads. */
    static ActivatorRunner onThreads(EventLoop loop) {
        return new ActivatorRunner(loop, task -> {
            Thread thread = new Thread(task, "hearth-deploy-activation");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /**
     * Runs {@code work}. Calls {@code late} if it takes longer than {@link #BOUND}, and {@code end} with its failure,
     * both on the loop.
     */
    void run(Callable<?> work, Runnable late, Consumer<Optional<Throwable>> end) {
        waiting.add(new Activation(work, late, end));
        next();
    }

    /** Waits until nothing runs; false on time-out. Called on any thread, when the process ends. */
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
            } catch (Throwable e) { // foreign code may throw anything
                return Optional.of(e);
            } finally {
                ended.countDown();
            }
        }
    }
}
