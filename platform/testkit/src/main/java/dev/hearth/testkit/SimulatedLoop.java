package dev.hearth.testkit;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;

/** An event loop without a thread: its actions are events of the simulation, until it is closed or its process dies. */
final class SimulatedLoop implements EventLoop {
    private final SimulatedProcess process;
    private final String name;
    private boolean closed;

    SimulatedLoop(SimulatedProcess process, String name) {
        this.process = process;
        this.name = name;
    }

    @Override
    public Ticker ticker() {
        return process.simulation().ticker();
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
            return () -> {};
        }
        return process.simulation().schedule(delay, () -> {
            if (runs()) {
                process.simulation().enter(this);
                action.run();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "event loop " + process.name() + "/" + name;
    }

    private boolean runs() {
        return !closed && process.alive();
    }
}
