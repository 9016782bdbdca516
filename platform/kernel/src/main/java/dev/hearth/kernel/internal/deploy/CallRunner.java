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
 * Runs calls that may hang in order, each on a thread of its own: starts and stops of bundles, as their activators are
 * foreign code, and reads of jars, as a file may be on a file system that does not answer. A slow call delays the next
 * one by {@link #PATIENCE} at most. Owned by the deployer's loop, which receives all results.
 */
final class CallRunner {
    /** Time after which a call that still runs no longer delays the next one. The next call then starts beside it. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Executor threads;
    private final Duration bound;
    private final Deque<Call> waiting = new ArrayDeque<>(); // at most one per installation or file
    private final List<Call> underWay = new CopyOnWriteArrayList<>(); // read by the closing thread
    private Runnable whenIdle = () -> {};
    private @Nullable Call awaited; // the next call waits until this one ends

    /**
     * {@code threads} must run each call at once, on a new thread. A call that has not ended after {@code bound} is
     * reported as late. It cannot be cancelled, so its thread continues.
     */
    CallRunner(EventLoop loop, Executor threads, Duration bound) {
        this.loop = loop;
        this.threads = threads;
        this.bound = bound;
    }

    /** Creates a runner that gives each call a new daemon thread named {@code name}. */
    static CallRunner onThreads(EventLoop loop, String name, Duration bound) {
        return new CallRunner(
                loop,
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    thread.start();
                },
                bound);
    }

    /**
     * Runs {@code work} on a thread of its own once the earlier calls have ended or hang. If the work exceeds the time
     * limit, calls {@code late}. When it ends, calls {@code end}, with the failure if any. Both callbacks run on the
     * loop.
     */
    void run(Callable<?> work, Runnable late, Consumer<Optional<Throwable>> end) {
        waiting.add(new Call(work, late, end));
        next();
    }

    /**
     * Whether a further call would start at once: no call waits, and every running call has already run longer than
     * {@link #PATIENCE}.
     */
    boolean isIdle() {
        return awaited == null && waiting.isEmpty();
    }

    /**
     * Sets the action that runs on the loop whenever a call has ended or has exceeded {@link #PATIENCE}, provided that
     * {@link #isIdle} is then true.
     */
    void onIdle(Runnable action) {
        this.whenIdle = action;
    }

    /**
     * Waits at most {@code boundNanos} until no call runs; returns false if the time has run out. Used when the process
     * ends; any thread may call.
     */
    boolean awaitNone(long boundNanos) throws InterruptedException {
        long deadline = System.nanoTime() + boundNanos;
        for (Call call : underWay) {
            if (!call.ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
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

    private void begin(Call call) {
        awaited = call;
        underWay.add(call);
        EventLoop.Timeout patience = loop.schedule(PATIENCE, () -> passOver(call));
        EventLoop.Timeout lateness = loop.schedule(bound, call.late);
        threads.execute(() -> {
            Optional<Throwable> failure = call.perform();
            loop.execute(() -> {
                patience.cancel();
                lateness.cancel();
                ended(call, failure);
            });
        });
    }

    private void ended(Call call, Optional<Throwable> failure) {
        underWay.remove(call);
        try {
            call.end.accept(failure);
        } finally {
            passOver(call);
        }
    }

    private void passOver(Call call) {
        if (awaited == call) {
            awaited = null;
            next();
        }
        if (isIdle()) {
            whenIdle.run();
        }
    }

    private static final class Call {
        private final Callable<?> work;
        private final Runnable late;
        private final Consumer<Optional<Throwable>> end;
        private final CountDownLatch ended = new CountDownLatch(1);

        Call(Callable<?> work, Runnable late, Consumer<Optional<Throwable>> end) {
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
