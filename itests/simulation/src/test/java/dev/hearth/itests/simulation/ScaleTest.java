package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Rdd;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.DriverContext;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * As many executors as one driver takes, and the tasks that they would run: what each costs the driver in memory, and what
 * heartbeats and tasks cost it in time of a core. Figures hold the simulation's own part too, so they are upper bounds.
 */
class ScaleTest {
    private static final int EXECUTORS = Integer.getInteger("hearth.scale.executors", 2_000);
    private static final long TASKS = Long.getLong("hearth.scale.tasks", 200_000);
    private static final int TASKS_PER_JOB_MAX = 400_000;
    private static final long EXECUTOR_BYTES_MAX = 4 * 1024;
    private static final long KEPT_BYTES_MAX = 64L << 20; // the status store's last stages, and tables at their largest
    private static final long TASK_NANOS_MAX = 25_000;
    private static final long LOSS_NANOS_MAX = 1_000_000;
    private static final long PASS_NANOS_MAX = 1_000_000_000; // of heartbeats of 10,000 executors
    private static final Duration BEAT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration BOUND = Duration.ofMinutes(30);
    private static final MasterUrl MASTER = MasterUrl.parse("hearth://127.0.0.1:7077");

    private final Simulation simulation = new Simulation(1);
    private final List<EndpointUri> endpoints = new ArrayList<>();

    @Test
    void takesAsManyExecutorsAndTasksAsItPromises() {
        DriverContext context = open();
        ManyExecutors executors = new ManyExecutors(simulation.process("executors"), endpoints.get(0));
        executors.connect(EXECUTORS);
        until("all are connected", () -> executors.connected() == EXECUTORS);
        long before = usedBytes();

        long registering = cpu(() -> {
            executors.register();
            until("all are registered", () -> executors.registered() + executors.refused() == EXECUTORS);
        });
        assertEquals(0, executors.refused());
        print("registering", registering / EXECUTORS, "ns an executor");
        simulation.runFor(BEAT_INTERVAL);
        long registered = usedBytes();
        long memory = (registered - before) / EXECUTORS;
        print("memory", memory, "bytes an executor");

        long beatsBefore = executors.beats();
        long beating = cpu(() -> simulation.runFor(BEAT_INTERVAL.multipliedBy(10)));
        long beat = beating / (executors.beats() - beatsBefore);
        print("heartbeats", beat, "ns each, with the looks for silent ones");

        long[] counted = {0};
        long running = cpu(() -> counted[0] = run(context));
        print("tasks", running / TASKS, "ns each");
        print("tasks", executors.recalled(), "taken back, as cores elsewhere were free");
        simulation.runFor(BEAT_INTERVAL);
        long kept = usedBytes() - registered;
        print("memory", kept, "bytes in all, of jobs that are over");
        assertEquals(TASKS, counted[0]);
        assertEquals(TASKS, executors.tasks());

        long losing = cpu(() -> {
            executors.end(EXECUTORS / 10);
            simulation.runFor(BEAT_INTERVAL);
        });
        print("losing a tenth", losing / (EXECUTORS / 10), "ns an executor");
        assertTrue(memory < EXECUTOR_BYTES_MAX, "memory of an executor");
        assertTrue(kept < KEPT_BYTES_MAX, "memory of jobs that are over");
        assertTrue(beat * 10_000 < PASS_NANOS_MAX, "time of a pass of heartbeats");
        assertTrue(running / TASKS < TASK_NANOS_MAX, "time of a task");
        assertTrue(losing / (EXECUTORS / 10) < LOSS_NANOS_MAX, "time of the loss of one of many");
    }

    private DriverContext open() {
        SimulatedProcess process = simulation.process("driver");
        DriverContext context =
                SimulatedDriver.context(process, "scale", Settings.empty(), MASTER, new GivenExecutors(endpoints::add));
        CompletableFuture<Void> opened = context.opening().toCompletableFuture();
        until("the driver is open", opened::isDone);
        return context;
    }

    private long run(DriverContext context) {
        long counted = 0;
        for (long left = TASKS; left > 0; left -= TASKS_PER_JOB_MAX) {
            int tasks = (int) Math.min(left, TASKS_PER_JOB_MAX);
            List<Integer> elements = IntStream.range(0, tasks).boxed().toList();
            Rdd<Integer> dataset = context.parallelize(elements, tasks);
            CompletableFuture<Long> count = context.starting(
                            ((PlannedRdd<Integer>) dataset).actions("count").counting())
                    .toCompletableFuture();
            until("a job has ended", count::isDone);
            counted += count.join();
        }
        return counted;
    }

    private void until(String what, BooleanSupplier condition) {
        assertTrue(simulation.runUntil(condition, BOUND), what);
    }

    private static void print(String what, long figure, String unit) {
        System.out.printf("%d executors, %d tasks: %s: %d %s%n", EXECUTORS, TASKS, what, figure, unit);
    }

    private static long cpu(Runnable work) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.run();
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc(); // also what only weak references held
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
