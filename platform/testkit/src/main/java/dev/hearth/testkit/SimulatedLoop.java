package dev.hearth.testkit;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;

/** Event loop without a thread: its actions are events of the simulation, until it is closed or its process dies. */
final class SimulatedLoop implements EventLoop {
    private final SimulatedProcess process;
    private final String name;
    private final Duration lagMax;
    private int late; // number of delayed actions that have not run yet
    private long lastAction = Long.MIN_VALUE;
    private boolean closed;

    SimulatedLoop(SimulatedProcess process, String name) {
        this(process, name, Duration.ZERO);
    }

    /**
     * Creates a loop of {@code process} that starts each action up to {@code lagMax} late, like a thread of a shared
     * pool.
     */
    SimulatedLoop(SimulatedProcess process, String name, Duration lagMax) {
        this.process = process;
        this.name = name;
        this.lagMax = lagMax;
    }

    @Override
    public Ticker ticker() {
        return process.clock();
    }

    @Override
    public boolean inLoop() {
        return process.simulation().isIn(this);
    }

    @Override
    public void execute(Runnable action) {
        schedule(Duration.ZERO, action);
    }

    @Override
    public Timeout schedule(Duration delay, Runnable action) {
        if (!runs()) {
            drop(action);
            return () -> {};
        }
        Task task = new Task(action);
        task.event = process.schedule(delay, () -> due(task));
        return task;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "event loop " + process.name() + "/" + name;
    }

    /**
     * Runs {@code task}, which is due, or delays it further. It is delayed if the process is slow, and, to keep the
     * order, if earlier tasks are delayed.
     */
    private void due(Task task) {
        Simulation simulation = process.simulation();
        Duration lag = process.lag(lagMax);
        if (late == 0 && lag.isZero()) {
            run(task);
            return;
        }
        long now = simulation.ticker().nanos();
        lastAction = Math.max(lastAction, now + lag.toNanos());
        late++;
        task.event = process.later(Duration.ofNanos(lastAction - now), () -> {
            late--;
            run(task);
        });
    }

    private void run(Task task) {
        if (runs() && !task.cancelled) {
            process.simulation().enter(this);
            task.action.run();
        } else if (!task.cancelled) {
            drop(task.action);
        }
    }

    /** Calls {@code dropped} on an action that will never run, if it is {@link Droppable} and the process is alive. */
    private void drop(Runnable action) {
        if (process.alive() && action instanceof Droppable droppable) {
            droppable.dropped();
        }
    }

    private boolean runs() {
        return !closed && process.alive();
    }

    private final class Task implements Timeout {
        private final Runnable action;
        private Timeout event = () -> {};
        private boolean cancelled;

        Task(Runnable action) {
            this.action = action;
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (late == 0) {
                event.cancel();
            }
        }
    }
}
