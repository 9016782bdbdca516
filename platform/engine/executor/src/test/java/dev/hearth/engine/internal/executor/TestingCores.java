package dev.hearth.engine.internal.executor;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.List;

/** Cores without threads: their tasks run on the thread that wakes them. */
record TestingCores(List<TaskCore> cores, EventLoop loop) implements Cores {
    static Cores.Factory on(EventLoop loop) {
        return (application, cores) -> new TestingCores(cores, loop);
    }

    /** Clocks of virtual time, in which tasks take none. */
    static TaskClocks clocks(EventLoop loop) {
        return new TaskClocks() {
            @Override
            public long nanos() {
                return loop.ticker().nanos();
            }

            @Override
            public long cpuNanos() {
                return 0;
            }

            @Override
            public long collectionNanos() {
                return 0;
            }
        };
    }

    @Override
    public void wake(int tasks) {
        while (cores.get(0).runNext()) {
            // until nothing is left
        }
    }

    @Override
    public void add(TaskCore core) {
        throw new AssertionError("no core is lost here");
    }

    @Override
    public void after(Duration delay, Runnable action) {
        loop.schedule(delay, action);
    }

    @Override
    public void stop() {}
}
