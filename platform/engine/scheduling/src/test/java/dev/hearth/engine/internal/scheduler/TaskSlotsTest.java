package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.spi.id.ExecutorId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Slots of executors whose tasks need several cores, or addresses of resources. */
class TaskSlotsTest {
    private static final Map<String, ResourceInformation> TWO_GPUS =
            Map.of("gpu", new ResourceInformation("gpu", List.of("0", "1")));

    @Test
    void runsAsManyTasksAsTheCoresAllow() {
        SchedulerFixture fixture = new SchedulerFixture("task.cpus", "2", "scheduler.executorCredit", "0");
        fixture.up("a", "host", 5).submit(0, 10);
        assertEquals(2, fixture.settle().size());
        assertEquals(5, fixture.scheduler.cores());
        assertEquals(2, fixture.scheduler.slots(TaskProfile.DEFAULT));
        assertEquals(2, fixture.scheduler.executorActivity(0).get(0).slots());
        fixture.up("b", "host", 1); // too small for any task
        assertEquals(0, fixture.settle().size());
        assertEquals(2, fixture.scheduler.slots(TaskProfile.DEFAULT));
    }

    @Test
    void queuesTasksPerSlot() {
        SchedulerFixture fixture = new SchedulerFixture("task.cpus", "4");
        fixture.up("a", "host", 8).submit(0, 100);
        assertEquals(2 + 2 * QueueCredit.FIRST_PER_CORE, fixture.settle().size());
    }

    @Test
    void queuesNoTaskThatHasNoAddressYet() {
        SchedulerFixture fixture = gpus("1");
        fixture.scheduler.executorUp(new ExecutorId("a"), "host", 8, TWO_GPUS, TaskProfile.DEFAULT, fixture.now);
        fixture.submit(0, 10);
        List<SchedulerFixture.Launched> launched = fixture.settle();
        assertEquals(2, launched.size());
        assertEquals(List.of(), fixture.settle());
        fixture.succeed(launched.get(0));
        assertEquals(1, fixture.settle().size());
    }

    @Test
    void startsABarrierStageWhenThereAreAddressesForAll() {
        SchedulerFixture fixture = gpus("1");
        fixture.scheduler.executorUp(new ExecutorId("a"), "host", 8, TWO_GPUS, TaskProfile.DEFAULT, fixture.now);
        fixture.submitBarrier(0, 3);
        assertEquals(0, fixture.settle().size());
        fixture.scheduler.executorUp(new ExecutorId("b"), "host", 8, TWO_GPUS, TaskProfile.DEFAULT, fixture.now);
        assertEquals(3, fixture.settle().size());
    }

    @Test
    void launchesNothingOnAnExecutorWithoutTheResource() {
        SchedulerFixture fixture = gpus("0.5");
        fixture.up("a", "host", 8).submit(0, 10);
        assertEquals(0, fixture.settle().size());
        assertEquals(0, fixture.scheduler.slots(TaskProfile.DEFAULT));
    }

    private static SchedulerFixture gpus(String amount) {
        return new SchedulerFixture("task.resource.gpu.amount", amount, "executor.resource.gpu.amount", "2");
    }
}
