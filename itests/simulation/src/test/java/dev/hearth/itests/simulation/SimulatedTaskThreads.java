package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.executor.TaskThreads;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The cores of a simulated executor: each task takes a random time and then runs in no time. Dies with its process. */
final class SimulatedTaskThreads implements TaskThreads {
    private static final long TASK_MILLIS_MAX = 100;

    private final Simulation simulation;
    private final EventLoop cores;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int free;
    private boolean stopped;

    SimulatedTaskThreads(SimulatedProcess process, int cores) {
        this.simulation = process.simulation();
        this.cores = process.loop("cores");
        this.free = cores;
    }

    @Override
    public void start(long task, Runnable body) {
        waiting.add(body);
        runNext();
    }

    @Override
    public void interrupt(long task) {
        simulation.note("task " + task + " is interrupted"); // simulated bodies are too short to notice
    }

    @Override
    public void stop() {
        stopped = true;
        waiting.clear();
    }

    private void runNext() {
        Runnable body = free > 0 ? waiting.poll() : null;
        if (body == null || stopped) {
            return;
        }
        free--;
        cores.schedule(Duration.ofMillis(simulation.random().nextLong(TASK_MILLIS_MAX)), () -> {
            free++;
            if (!stopped) {
                body.run();
                runNext();
            }
        });
    }
}
