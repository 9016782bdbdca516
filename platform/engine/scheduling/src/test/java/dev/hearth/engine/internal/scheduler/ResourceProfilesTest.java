package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Task sets of several resource profiles: on executors of their own, or on the default executors. */
class ResourceProfilesTest {
    private static final TaskProfile LARGE = new TaskProfile(1, 1, new TaskNeeds(2, Map.of()));
    private static final TaskProfile TWO_CORES = new TaskProfile(2, 0, new TaskNeeds(2, Map.of()));
    private static final TaskProfile HALF_GPU = new TaskProfile(3, 0, new TaskNeeds(1, Map.of("gpu", 0.5)));

    private final SchedulerFixture scene = new SchedulerFixture("scheduler.executorCredit", "0");

    /** As in TaskSchedulerImplSuite: "Scheduler works with two ResourceProfiles". */
    @Test
    void launchesTasksOnExecutorsOfTheirProfileAlone() {
        scene.up("default", "host", 4).up("large", 4, LARGE);
        scene.submit(0, 10);
        scene.submit(1, 10, LARGE);
        List<Launched> launched = scene.settle();
        assertEquals(4, on("default", launched, 0));
        assertEquals(2, on("large", launched, 1), "two cores for each task");
        assertEquals(6, launched.size());
    }

    @Test
    void waitsForExecutorsOfTheProfileWhileOthersAreFree() {
        scene.up("default", "host", 4).submit(1, 3, LARGE);
        assertEquals(List.of(), scene.settle());
        assertTrue(scene.scheduler.isStarving(), "nothing runs for these tasks");
        scene.up("large", 8, LARGE);
        assertEquals(3, scene.settle().size());
        assertFalse(scene.scheduler.isStarving());
    }

    @Test
    void retriesTasksOfALostExecutorOnAnotherOneOfTheProfile() {
        scene.up("default", "host", 4).up("large", 2, LARGE);
        scene.submit(1, 1, LARGE);
        scene.settle();
        scene.lose("large", LostExecutor.released("taken away"));
        assertEquals(List.of(), scene.settle());
        scene.up("larger", 2, LARGE);
        assertEquals("larger", scene.settle().get(0).executor());
    }

    @Test
    void reportsLoadAndExecutorsByProfile() {
        scene.up("default", "host", 4).up("large", 4, LARGE);
        scene.submit(0, 6);
        scene.submit(1, 5, LARGE);
        scene.settle();
        assertEquals(new SchedulerLoad(4, 0, 2, 0, 0), scene.scheduler.load(0, 0));
        assertEquals(new SchedulerLoad(2, 0, 3, 0, 0), scene.scheduler.load(1, 0));
        assertEquals(SchedulerLoad.NONE, scene.scheduler.load(7, 0));
        assertEquals(List.of("default"), ids(0));
        assertEquals(List.of("large"), ids(1));
        assertEquals(List.of(), ids(7));
        assertEquals(2, scene.scheduler.slots(LARGE));
        assertEquals(4, scene.scheduler.slots(TaskProfile.DEFAULT));
        assertEquals(List.of(0, 1), scene.scheduler.profiles());
    }

    @Test
    void startsABarrierStageWhenItsOwnExecutorsHaveTheSlots() {
        scene.up("default", "host", 8).up("large", 2, LARGE);
        scene.submit(SchedulerFixture.spec(0, 0, 0, SchedulerFixture.plan(2, LARGE, true), ""));
        assertEquals(List.of(), scene.settle(), "the default executor has slots, but not for these tasks");
        assertEquals(2, scene.scheduler.load(1, 0).gang());
        assertEquals(0, scene.scheduler.load(0, 0).gang());
        scene.up("larger", 2, LARGE);
        assertEquals(2, scene.settle().size());
    }

    /** A set excluded from all executors of its profile fails, although others are free. */
    @Test
    void failsASetThatIsExcludedFromAllExecutorsOfItsProfile() {
        SchedulerFixture excluding = new SchedulerFixture(
                "scheduler.executorCredit", "0",
                "excludeOnFailure.enabled", "true",
                "scheduler.excludeOnFailure.unschedulableTaskSetTimeout", "10s");
        excluding.up("default", "host", 4).up("large", 2, LARGE);
        var set = excluding.submit(0, 1, LARGE);
        excluding.fail(excluding.settle().get(0));
        assertEquals(List.of(), excluding.settle());
        excluding.settleAfter(Duration.ofSeconds(11));
        assertTrue(String.valueOf(excluding.failureOf(set).getMessage()).contains("of which there are 1"));
    }

    /** As Spark's TaskResourceProfile without dynamic allocation: tasks of other needs share the executors. */
    @Test
    void sharesTheDefaultExecutorsAmongTasksOfDifferentCores() {
        scene.up("a", "host", 5).submit(1, 2, TWO_CORES);
        assertEquals(2, scene.settle().size());
        scene.submit(2, 4);
        List<Launched> small = scene.settle();
        assertEquals(1, small.size(), "one of five cores is left");
        scene.held.values().stream()
                .filter(task -> task.stage() == 1)
                .findFirst()
                .ifPresent(scene::succeed);
        assertEquals(2, scene.settle().size());
        assertEquals(2, scene.scheduler.slots(TWO_CORES));
    }

    @Test
    void sharesAddressesAmongTasksOfDifferentProfiles() {
        scene.up("a", 8, TaskProfile.DEFAULT, "g0").submit(1, 5, HALF_GPU);
        assertEquals(2, scene.settle().size(), "two halves of one address");
        scene.submit(2, 10);
        assertEquals(6, scene.settle().size(), "cores are left");
        assertEquals(2, scene.scheduler.slots(HALF_GPU));
    }

    @Test
    void launchesNoTaskWhereItsResourceIsMissing() {
        scene.up("a", "host", 8).submit(1, 5, HALF_GPU);
        assertEquals(List.of(), scene.settle());
        scene.submit(2, 10);
        assertEquals(8, scene.settle().size());
    }

    /** An executor starts queued tasks when it has a thread, so only tasks with the fewest cores may wait there. */
    @Test
    void queuesOnlyTheSmallestTasksAtSharedExecutors() {
        SchedulerFixture queueing = new SchedulerFixture();
        queueing.up("a", "host", 4).submit(1, 1, TWO_CORES);
        assertEquals(1, queueing.settle().size());
        queueing.submit(2, 100);
        assertEquals(2, queueing.settle().size(), "none is queued beside a task of two cores");
        queueing.held.values().stream()
                .filter(task -> task.stage() == 1)
                .findFirst()
                .ifPresent(queueing::succeed);
        assertEquals(2 + 4, queueing.settle().size(), "two run, and one is queued for each core");
        queueing.submit(3, 5, TWO_CORES);
        assertEquals(0, queueing.settle().size());
    }

    private static long on(String executor, List<Launched> launched, int stage) {
        return launched.stream()
                .filter(task -> task.executor().equals(executor) && task.stage() == stage)
                .count();
    }

    private List<String> ids(int profile) {
        return scene.scheduler.executorActivity(profile).stream()
                .map(ExecutorActivity::executor)
                .map(id -> id.value())
                .toList();
    }
}
