package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.executor.Cores;
import dev.hearth.engine.internal.executor.TaskClocks;
import dev.hearth.engine.internal.executor.TaskCore;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.SimulatedThread;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The cores of a simulated executor. Each task waits a random virtual time and then runs instantly, apart from its own
 * waits. Ends with its process.
 */
final class SimulatedCores implements Cores {
    private static final long TASK_MILLIS_MAX = 100;

    private final SimulatedProcess process;
    private final Simulation simulation;
    private final EventLoop loop;
    private final Deque<TaskCore> idle = new ArrayDeque<>();
    private boolean stopped;

    SimulatedCores(SimulatedProcess process, List<TaskCore> cores) {
        this.process = process;
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

            @Override
            public void waiting(CompletableFuture<?> answer) {
                SimulatedThread.await(answer);
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
        Duration delay = Duration.ofMillis(simulation.random().nextLong(TASK_MILLIS_MAX));
        loop.schedule(delay, () -> SimulatedThread.run(process, () -> runNext(core)));
    }

    private void runNext(TaskCore core) {
        if (!stopped && core.runNext()) {
            later(core);
        } else if (!core.isRetired()) {
            idle.add(core);
        }
    }
}
