package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.resource.ExecutorResourceRequests;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.api.resource.ResourceProfileBuilder;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.ExecutorView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Executors of several resource profiles with dynamic allocation: requested, admitted, replaced and released by profile. */
class ProfilesOfExecutorsTest {
    private static final ProfileId LARGE = new ProfileId(1);
    private static final ResourceProfile PROFILE = new ResourceProfileBuilder()
            .require(new ExecutorResourceRequests().cores(2).memory("3g"))
            .build();

    private static final Duration FLUSHED_WITHIN = Duration.ofMinutes(1);

    private final DriverFixture scene = new DriverFixture(Map.of(
            "spark.dynamicAllocation.enabled", "true",
            "spark.dynamicAllocation.minExecutors", "1",
            "spark.dynamicAllocation.maxExecutors", "3",
            "spark.dynamicAllocation.executorIdleTimeout", "10s",
            "spark.executor.cores", "1",
            "hearth.scheduler.executorCredit", "0"));
    private final TaskProfile large = scene.driver.profiles().add(PROFILE);

    /** As in ExecutorAllocationManagerSuite: "add executors multiple profiles". */
    @Test
    void areRequestedByTheLoadOfTheirProfile() {
        assertEquals(Map.of(ProfileId.DEFAULT, Demand.of(1)), scene.wanted, "a profile without jobs asks for nothing");
        assertFalse(scene.begin(stage(6)).isDone());
        assertFalse(scene.begin(DriverFixture.result(2)).isDone());
        scene.run(Duration.ofSeconds(20));
        assertEquals(Map.of(ProfileId.DEFAULT, Demand.of(2), LARGE, Demand.of(3)), scene.wanted);
        assertEquals(OptionalInt.of(2), scene.services().profile(LARGE).cores());
        assertEquals(3_072, scene.services().profile(LARGE).memory().heapMebibytes());
    }

    @Test
    void runTasksOfTheirProfileAlone() {
        CompletableFuture<Void> usual = scene.begin(DriverFixture.result(1));
        CompletableFuture<Void> special = scene.begin(stage(1));
        ScriptedExecutor one = up("large", LARGE);
        scene.run(Duration.ofSeconds(1));
        assertEquals(1, one.orders(LaunchTasks.class).size());
        one.succeedAll();
        assertTrue(special.isDone());
        assertFalse(usual.isDone(), "its task waits for an executor of the default profile");
        ScriptedExecutor two = up("usual", ProfileId.DEFAULT);
        scene.run(Duration.ofSeconds(1));
        two.succeedAll();
        assertTrue(usual.isDone());
    }

    /** As in ExecutorMonitorSuite and ExecutorAllocationManagerSuite: idle executors end by profile, down to the minimum. */
    @Test
    void endWhenTheyAreIdleExceptTheLeastNumberOfTheirProfile() {
        CompletableFuture<Void> job = scene.begin(stage(4));
        up("usual", ProfileId.DEFAULT);
        ScriptedExecutor one = up("large-1", LARGE);
        ScriptedExecutor two = up("large-2", LARGE);
        scene.run(Duration.ofSeconds(1));
        one.succeedAll();
        two.succeedAll();
        one.succeedAll();
        assertTrue(job.isDone());
        scene.run(Duration.ofSeconds(30));
        assertEquals(Map.of(ProfileId.DEFAULT, Demand.of(1), LARGE, Demand.of(1)), scene.wanted);
        List<String> live = status().executors().stream()
                .filter(executor -> executor.removedMillis().isEmpty())
                .map(ExecutorView::id)
                .toList();
        assertEquals(2, live.size(), live::toString);
        assertTrue(live.contains("usual"), live::toString);
    }

    @Test
    void areReplacedByOnesOfTheirProfile() {
        CompletableFuture<Void> job = scene.begin(stage(2));
        up("large", LARGE);
        scene.report(cluster -> cluster.lost(new ExecutorId("large"), LostExecutor.because("it died")));
        scene.run(Duration.ofSeconds(3));
        assertEquals(Demand.of(1), scene.wanted.get(LARGE));
        ScriptedExecutor other = up("other", LARGE);
        other.succeedAll();
        assertTrue(job.isDone());
    }

    /** The cluster manager should say so before, but its report and the executor come over different connections. */
    @Test
    void areGivenBackIfTheirProfileBecomesKnownTooLate() {
        scene.executor("large").register();
        scene.report(cluster -> cluster.started(start("large", LARGE)));
        assertTrue(scene.calls.stream().anyMatch(call -> call.contains("large")), scene.calls::toString);
        assertFalse(status().executors().stream()
                .anyMatch(executor -> executor.removedMillis().isEmpty()));
    }

    @Test
    void areShownWithTheirProfile() {
        assertFalse(scene.begin(stage(1)).isDone());
        up("large", LARGE);
        scene.run(Duration.ofSeconds(1));
        var status = status();
        assertEquals(
                List.of(1),
                status.resourceProfiles().stream().map(view -> view.id()).toList());
        assertEquals(1, status.stages().get(0).info().profile());
        assertEquals(1, status.executors().get(0).profile());
    }

    /** The status after all events so far; its store has a thread of its own. */
    private ApplicationStatus status() {
        try {
            assertTrue(scene.driver.events().flush(FLUSHED_WITHIN), "all events are handled");
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return scene.driver.monitor().status();
    }

    private StagePlan stage(int partitions) {
        StagePlan plan = DriverFixture.result(partitions);
        return new StagePlan(
                plan.shuffle(),
                plan.pipeline(),
                plan.inputs(),
                partitions,
                plan.parents(),
                plan.placement(),
                false,
                "special",
                "",
                List.of(),
                false,
                large);
    }

    private ScriptedExecutor up(String name, ProfileId profile) {
        scene.report(cluster -> cluster.started(start(name, profile)));
        return scene.executor(name).register();
    }

    private static ExecutorStart start(String name, ProfileId profile) {
        return ExecutorStart.of(new ExecutorId(name), "host-" + name, profile.equals(LARGE) ? 2 : 1)
                .with(profile);
    }
}
