package dev.hearth.testkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Code of a simulated process that may wait. It runs on a thread of its own while everything else stands still, so that a seed
 * still decides everything; while it waits, everything else goes on. RUNNING or WAITING until it has ended; when its process
 * ends before, {@link #await} throws. Owned by its simulation; the two threads take turns by semaphores.
 */
public final class SimulatedThread {
    private static final ThreadLocal<@Nullable SimulatedThread> CURRENT = new ThreadLocal<>();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "simulated");
        thread.setDaemon(true);
        return thread;
    });

    private final SimulatedProcess process;
    private final Runnable body;
    private final Semaphore turn = new Semaphore(0); // of the body
    private final Semaphore back = new Semaphore(0); // of the simulation
    private @Nullable Thread thread; // once it has begun
    private @Nullable Throwable failure;
    private boolean ended;

    private SimulatedThread(SimulatedProcess process, Runnable body) {
        this.process = process;
        this.body = body;
    }

    /** The process of a thread that waits has ended. */
    private static final class ProcessEnded extends Error {
        private static final long serialVersionUID = 1;

        ProcessEnded(String process) {
            super(process + " has ended (expected: nothing of it goes on)", null, false, false);
        }
    }

    /** Runs {@code body} now, until it first waits or has ended; to be called by an event of the simulation. */
    public static void run(SimulatedProcess process, Runnable body) {
        SimulatedThread made = new SimulatedThread(process, body);
        THREADS.execute(made::begin);
        made.back.acquireUninterruptibly(); // it is there
        made.go();
        if (!made.ended) {
            process.onCrash(made::go);
        }
    }

    /** Lets everything else go on until {@code answer} is there, however it ends; for code that {@link #run} began. */
    public static void await(CompletableFuture<?> answer) {
        SimulatedThread current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName()
                    + ": waits in a simulation (expected: one that the simulation began)");
        }
        current.pause(answer);
    }

    private void begin() {
        thread = Thread.currentThread();
        Thread.interrupted(); // whatever the body before it left
        back.release();
        turn.acquireUninterruptibly();
        CURRENT.set(this);
        try {
            body.run();
        } catch (ProcessEnded end) {
            process.simulation().note(process.name() + " ended while a thread of it waited");
        } catch (Throwable thrown) { // told where the simulation tells of its events
            failure = thrown;
        } finally {
            CURRENT.remove();
            ended = true;
            back.release();
        }
    }

    private void pause(CompletableFuture<?> answer) {
        if (!answer.isDone() && process.alive()) {
            CompletionStage<?> ending = answer;
            ending.whenComplete((value, thrown) -> process.schedule(Duration.ZERO, this::go));
            back.release();
            turn.acquireUninterruptibly();
        }
        if (!process.alive()) {
            throw new ProcessEnded(process.name());
        }
    }

    /** Gives the body its turn, unless it has had it. */
    private void go() {
        Thread own = thread;
        if (ended || own == null) {
            return;
        }
        Thread before = process.simulation().handTo(own);
        turn.release();
        back.acquireUninterruptibly();
        process.simulation().handTo(before);
        Throwable thrown = failure;
        if (thrown != null) {
            throw new IllegalStateException(process.name() + ": a thread of it threw " + thrown, thrown);
        }
    }
}
