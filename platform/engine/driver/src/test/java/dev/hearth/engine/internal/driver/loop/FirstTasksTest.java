package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests that the first tasks of an application wait for a share of the requested executors, in virtual time. */
class FirstTasksTest {
    private static DriverFixture scene(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("spark.executor.instances", "4");
        settings.put("spark.scheduler.minRegisteredResourcesRatio", "0.5");
        return new DriverFixture(settings);
    }

    @Test
    void waitForTheShareOfExecutors() {
        DriverFixture scene = scene(Map.of());
        CompletableFuture<Void> job = scene.begin(DriverFixture.result(2));
        ScriptedExecutor first = scene.executor("first").register();
        scene.run(Duration.ofSeconds(1));
        assertEquals(List.of(), first.orders(LaunchTasks.class));
        ScriptedExecutor second = scene.executor("second").register();
        scene.run(Duration.ofSeconds(1));
        assertEquals(1, first.orders(LaunchTasks.class).size());
        assertEquals(1, second.orders(LaunchTasks.class).size());
        first.succeedAll();
        second.succeedAll();
        assertTrue(job.isDone());
    }

    @Test
    void waitUntilTheTimeIsOverAndNeverAgain() {
        DriverFixture scene = scene(Map.of("spark.scheduler.maxRegisteredResourcesWaitingTime", "20s"));
        CompletableFuture<Void> job = scene.begin(DriverFixture.result(1));
        ScriptedExecutor only = scene.executor("only").register();
        scene.run(Duration.ofSeconds(15));
        assertEquals(List.of(), only.orders(LaunchTasks.class));
        scene.run(Duration.ofSeconds(5));
        only.succeedAll();
        assertTrue(job.isDone());
        CompletableFuture<Void> second = scene.begin(DriverFixture.result(1));
        only.succeedAll();
        assertTrue(second.isDone());
    }

    @Test
    void mayBeCancelledWhileTheyWait() {
        DriverFixture scene = scene(Map.of());
        CompletableFuture<Void> job = scene.begin(DriverFixture.result(2));
        scene.driver.cancellations().all("enough");
        scene.run(Duration.ofSeconds(1));
        DriverFixture.assertFailed("JOB_CANCELLED", job);
    }
}
