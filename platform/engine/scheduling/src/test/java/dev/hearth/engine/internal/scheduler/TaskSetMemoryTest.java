package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.hearth.engine.internal.plan.PreferredLocations;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory per pending task. */
class TaskSetMemoryTest {
    private static final int TASKS = 5_000_000;
    private static final int PLACED_TASKS = 500_000;
    private static final long BYTES_PER_TASK_MAX = 64;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void storesFiveMillionTasksInAFewBytesEach() {
        TaskSetSpec spec =
                SchedulerFixture.spec(1, 0, 1, SchedulerFixture.plan(TASKS, PreferredLocations.ANYWHERE, false), "");
        assertTrue(perTask(spec, TASKS) + Integer.BYTES <= BYTES_PER_TASK_MAX / 4, "including its partition number");
    }

    @Test
    void storesPreferredLocationsInArrays() {
        List<List<String>> hosts = List.of(List.of("a", "b", "c"), List.of("b", "c", "d"), List.of("c", "d", "a"));
        PreferredLocations placement = partition -> hosts.get(partition % hosts.size());
        TaskSetSpec spec = SchedulerFixture.spec(1, 0, 1, SchedulerFixture.plan(PLACED_TASKS, placement, false), "");
        TaskScheduler scheduler = new TaskScheduler(SchedulerFixture.settings(), PoolTree.fifo());
        long before = heldBytes();
        scheduler.submit(spec, 0);
        double perTask = (double) (heldBytes() - before) / PLACED_TASKS;
        assertEquals(PLACED_TASKS, scheduler.waitingTasks());
        assertTrue(perTask >= 3 * Integer.BYTES, () -> perTask + " bytes: nothing was measured");
        assertTrue(perTask + Integer.BYTES <= BYTES_PER_TASK_MAX, () -> perTask + " bytes, with three hosts each");
    }

    /** Used heap after a collection, without the garbage that growing lists leave. */
    private static long heldBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    private double perTask(TaskSetSpec spec, int tasks) {
        TaskScheduler scheduler = new TaskScheduler(SchedulerFixture.settings(), PoolTree.fifo());
        long before = threads.getCurrentThreadAllocatedBytes();
        scheduler.submit(spec, 0);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(tasks, scheduler.waitingTasks());
        assertTrue(bytes >= tasks, "nothing was measured");
        return (double) bytes / tasks;
    }
}
