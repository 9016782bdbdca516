package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.executor.Cores;
import dev.hearth.engine.internal.executor.TaskClocks;
import dev.hearth.engine.internal.executor.TaskCore;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The cores of a simulated executor: each task waits a random time and then runs in no time. Dies with its process. */
final class SimulatedCores implements Cores {
    private static final long TASK_MILLIS_MAX = 100;

    private final Simulation simulation;
    private final EventLoop loop;
    private final Deque<TaskCore> idle = new ArrayDeque<>();
    private boolean stopped;

    SimulatedCores(SimulatedProcess process, List<TaskCore> cores) {
        this.simulation = process.simulation();
        this.loop = process.loop("cores");
        this.idle.addAll(cores);
    }

    /** Clocks of virtual time, in which tasks cost nothing. */
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
        List<TaskCore> woken = new ArrayList<>();
        while (woken.size() < tasks && !idle.isEmpty()) {
            woken.add(idle.poll());
        }
        woken.forEach(this::later);
    }

    @Override
    public void add(TaskCore core) {
        later(core);
    }

    @Override
    public void after(Duration delay, Runnable action) {
        loop.schedule(delay, action);
    }

    @Override
    public void stop() {
        stopped = true;
    }

    private void later(TaskCore core) {
        loop.schedule(Duration.ofMillis(simulation.random().nextLong(TASK_MILLIS_MAX)), () -> {
            if (!stopped && core.runNext()) {
                later(core);
            } else if (!core.isRetired()) {
                idle.add(core);
            }
        });
    }
}
