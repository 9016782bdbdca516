package dev.hearth.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread runs the events of a simulation; only one does at a time. The thread of the test begins. From the
 * first blocking code on, threads of a pool do: a thread runs such code itself, and continues with the events after it. Only
 * when the code blocks, another thread continues. A switch of threads is thus needed only where code blocks.
 */
final class SimulatedDrive {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "simulated");
        thread.setDaemon(true);
        return thread;
    });

    private final Simulation simulation;
    private final Deque<SimulatedThread> due = new ArrayDeque<>(); // what the present event has begun or resumed
    private final Semaphore over = new Semaphore(0); // released when the thread of the test goes on
    private BooleanSupplier next = () -> false; // runs the next event; false if there is none
    private @Nullable Throwable failure;

    SimulatedDrive(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Runs events while {@code step} does one and returns true. Called by the thread of the test. */
    void run(BooleanSupplier step) {
        next = step;
        while (step.getAsBoolean()) {
            if (!due.isEmpty()) {
                continueElsewhere();
                goOn(Thread.currentThread());
                return;
            }
            simulation.endEvent();
        }
    }

    /** Runs or resumes {@code code} at the end of the present event. */
    void add(SimulatedThread code) {
        due.add(code);
    }

    /** Lets a thread of the pool run what follows. The caller waits, or ends. */
    void continueElsewhere() {
        THREADS.execute(this::drive);
    }

    private void goOn(Thread test) {
        over.acquireUninterruptibly();
        simulation.switchTo(test);
        Throwable thrown = failure;
        failure = null;
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private void drive() {
        simulation.switchTo(Thread.currentThread());
        try {
            while (isDriving()) {
                simulation.endEvent();
                if (!next.getAsBoolean()) {
                    over.release();
                    return;
                }
            }
        } catch (RuntimeException | Error thrown) { // rethrown in the thread of the test
            failure = thrown;
            over.release();
        }
    }

    /** Runs what is due at the end of the event; returns false if another thread drives now. */
    private boolean isDriving() {
        while (!due.isEmpty()) {
            if (!due.remove().proceed()) {
                return false;
            }
        }
        return true;
    }
}
