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
 * Starts and stops of bundles, which run foreign code: done in the order given, each on a thread of its own. One that takes
 * long holds up the next for {@link #PATIENCE} only. Owned by the deployer's loop, where all answers arrive.
 */
final class Activations {
    /** The next one begins when the one before has ended, or has run for this long. */
    static final Duration PATIENCE = Duration.ofSeconds(1);
    /** One that runs for longer is reported as late; it goes on, for nothing can end it. */
    static final Duration BOUND = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final Executor threads;
    private final Deque<Activation> waiting = new ArrayDeque<>(); // at most one per copy
    private final List<Activation> underWay = new CopyOnWriteArrayList<>(); // read by whoever closes
    private @Nullable Activation awaited; // the next one begins after it

    /** {@code threads} runs each of its tasks at once, on a thread of the task's own. */
    Activations(EventLoop loop, Executor threads) {
        this.loop = loop;
        this.threads = threads;
    }

    /** On daemon threads. */
    static Activations onThreads(EventLoop loop) {
        return new Activations(loop, task -> {
            Thread thread = new Thread(task, "hearth-deploy-activation");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Does {@code work}; {@code late} runs when it is, then {@code end} with what it threw, both on the loop. */
    void run(Callable<?> work, Runnable late, Consumer<Optional<Throwable>> end) {
        waiting.add(new Activation(work, late, end));
        next();
    }

    /** Waits until nothing is under way; for the end of the process, on any thread. False when the bound is over before. */
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
            } catch (Throwable e) { // foreign code: whatever it throws is the answer
                return Optional.of(e);
            } finally {
                ended.countDown();
            }
        }
    }
}
