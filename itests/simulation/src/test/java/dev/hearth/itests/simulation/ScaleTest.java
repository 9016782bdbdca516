package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingClusterManager;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Measures one driver with its largest number of executors: its memory per executor, with map output locations and
 * cached blocks, and its CPU time per heartbeat and task. Figures include the simulation's own cost, so they are upper
 * bounds.
 */
class ScaleTest {
    private static final int EXECUTORS = Integer.getInteger("hearth.scale.executors", 2_000);
    private static final long TASKS = Long.getLong("hearth.scale.tasks", 200_000);
    private static final int TASKS_PER_JOB_MAX = 400_000;
    private static final long EXECUTOR_BYTES_MAX = 4 * 1024;
    private static final long OTHER_BYTES_MAX = 4L << 20; // caches and tables of any number of executors
    private static final long LEFT_BYTES_MAX = 64L << 20; // the status store's last stages, and full-grown tables
    private static final int BLOCKS_EACH = 2; // cached per executor, and as many replicas
    private static final long TASK_NANOS_MAX = 15_000;
    private static final long SHUFFLE_NANOS_MAX = 1_000_000; // per executor, with its update of map output locations
    private static final long COPY_NANOS_MAX = 200_000;
    private static final long LOSS_NANOS_MAX = 1_000_000;
    private static final long PASS_NANOS_MAX = 1_000_000_000; // for the heartbeats of 10,000 executors
    private static final Duration BEAT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration BOUND = Duration.ofMinutes(30);
    private static final MasterUrl MASTER = MasterUrl.parse("hearth://127.0.0.1:7077");

    private final Simulation simulation = new Simulation(1);
    private final List<EndpointUri> endpoints = new ArrayList<>();
    // datasets without a reference are cleaned up after a garbage collection
    private final List<Rdd<?>> shared = new ArrayList<>();

    @Test
    void takesAsManyExecutorsAndTasksAsItPromises() {
        DriverContext context = open();
        ManyExecutors executors = new ManyExecutors(simulation.process("executors"), endpoints.get(0));
        executors.connect(EXECUTORS);
        until("all are connected", () -> executors.connected() == EXECUTORS);
        long before = usedBytes();
        register(executors);
        long registered = usedBytes();
        print("memory", (registered - before) / EXECUTORS, "bytes an executor");
        long beat = beat(executors);
        long task = run(context, executors);
        simulation.runFor(BEAT_INTERVAL);
        long ran = usedBytes();
        print("memory", ran - registered, "bytes in all, of jobs that are over"); // no more of the following
        long shuffle = shuffle(context, executors);
        long copy = copy(context, executors);
        simulation.runFor(BEAT_INTERVAL);
        long memory = registered - before + usedBytes() - ran;
        print("memory", memory / EXECUTORS, "bytes an executor, with a shuffle and kept blocks");
        long loss = lose(executors);

        assertTrue(memory < EXECUTORS * EXECUTOR_BYTES_MAX + OTHER_BYTES_MAX, "memory of an executor");
        assertTrue(ran - registered < LEFT_BYTES_MAX, "memory of jobs that are over");
        assertTrue(beat * 10_000 < PASS_NANOS_MAX, "time of a pass of heartbeats");
        assertTrue(shuffle < SHUFFLE_NANOS_MAX, "time of a shuffle for an executor");
        assertTrue(copy < COPY_NANOS_MAX, "time of a block that is kept twice");
        assertTrue(task < TASK_NANOS_MAX, "time of a task");
        assertTrue(loss < LOSS_NANOS_MAX, "time of the loss of one of many");
    }

    private void register(ManyExecutors executors) {
        long registering = cpu(() -> {
            executors.register();
            until("all are registered", () -> executors.registered() + executors.refused() == EXECUTORS);
        });
        assertEquals(0, executors.refused());
        print("registering", registering / EXECUTORS, "ns an executor");
        simulation.runFor(BEAT_INTERVAL);
    }

    private long beat(ManyExecutors executors) {
        long before = executors.beats();
        long beating = cpu(() -> simulation.runFor(BEAT_INTERVAL.multipliedBy(10)));
        long beat = beating / (executors.beats() - before);
        print("heartbeats", beat, "ns each, with the looks for silent ones");
        return beat;
    }

    /**
     * A shuffle with one map task per executor, and enough readers that each executor receives the map output
     * locations.
     */
    private long shuffle(DriverContext context, ManyExecutors executors) {
        int readers = EXECUTORS * ManyExecutors.CORES;
        PairRdd<Integer, Integer> sums = context.parallelize(numbers(EXECUTORS), EXECUTORS)
                .mapToPair(number -> Pair.of(number, number))
                .reduceByKey(Integer::sum, readers);
        shared.add(sums);
        long shuffling = cpu(() -> assertEquals(readers, count(context, (PlannedRdd<?>) sums)));
        print("a shuffle", shuffling / EXECUTORS, "ns an executor, which writes one output and reads for 16 readers");
        print("places", executors.placesBytes() / executors.places(), "bytes, " + executors.places() + " times");
        assertTrue(executors.places() <= EXECUTORS, "none is told twice");
        return shuffling / EXECUTORS;
    }

    /** Computes blocks that are cached with one replica. */
    private long copy(DriverContext context, ManyExecutors executors) {
        int blocks = BLOCKS_EACH * EXECUTORS;
        Rdd<Integer> kept = context.parallelize(numbers(blocks), blocks)
                .map(number -> number + 1)
                .persist(StorageLevel.MEMORY_ONLY_2);
        shared.add(kept);
        long copying = cpu(() -> {
            assertEquals(blocks, count(context, (PlannedRdd<?>) kept));
            until("all are copied", () -> executors.copies() >= blocks);
        });
        assertEquals(blocks, executors.copies(), "each once");
        print("kept blocks", copying / blocks, "ns each, computed and copied");
        return copying / blocks;
    }

    private long run(DriverContext context, ManyExecutors executors) {
        long before = executors.tasks();
        long recalledBefore = executors.recalled();
        long[] counted = {0};
        long running = cpu(() -> {
            for (long left = TASKS; left > 0; left -= TASKS_PER_JOB_MAX) {
                int tasks = (int) Math.min(left, TASKS_PER_JOB_MAX);
                counted[0] += count(context, (PlannedRdd<?>) context.parallelize(numbers(tasks), tasks));
            }
        });
        print("tasks", running / TASKS, "ns each");
        print("tasks", executors.recalled() - recalledBefore, "taken back, as cores elsewhere were free");
        assertEquals(TASKS, counted[0]);
        assertEquals(TASKS, executors.tasks() - before);
        return running / TASKS;
    }

    private long lose(ManyExecutors executors) {
        long copies = executors.copies();
        long losing = cpu(() -> {
            executors.end(EXECUTORS / 10);
            simulation.runFor(BEAT_INTERVAL);
        });
        long again = executors.copies() - copies;
        print("losing a tenth", losing / (EXECUTORS / 10), "ns an executor, with new replicas of " + again + " blocks");
        assertTrue(again > 0, "what it kept is copied anew");
        return losing / (EXECUTORS / 10);
    }

    private DriverContext open() {
        SimulatedProcess process = simulation.process("driver");
        DriverContext context = SimulatedDriver.context(
                process,
                "scale",
                Settings.empty(),
                MASTER,
                TestingClusterManager.recording(
                        "application-1", driver -> endpoints.add(driver.driverEndpoint()), event -> {}));
        CompletableFuture<Void> opened = context.opening().toCompletableFuture();
        until("the driver is open", opened::isDone);
        return context;
    }

    private long count(DriverContext context, PlannedRdd<?> dataset) {
        CompletableFuture<Long> count =
                context.starting(dataset.actions("count").counting()).toCompletableFuture();
        until("a job has ended", count::isDone);
        return count.join();
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
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
            ManagementFactory.getMemoryMXBean().gc(); // also objects that only weak references held
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
