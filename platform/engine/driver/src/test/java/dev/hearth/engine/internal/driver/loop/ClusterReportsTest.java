package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.monitor.ApplicationView;
import dev.hearth.spi.monitor.ExecutorView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests what the reports of a cluster manager change at the driver. */
class ClusterReportsTest {
    private static final Duration FLUSHED_WITHIN = Duration.ofSeconds(20);

    private final DriverFixture scene = new DriverFixture(Map.of("hearth.task.maxFailures", "2"));

    @Test
    void tellsTheBackendOfEachRegistrationOnce() {
        ScriptedExecutor first = scene.executor("first").register();
        ScriptedExecutor second = scene.executor("second").register();
        assertEquals(List.of(first.id, second.id), scene.registered);
    }

    @Test
    void givesNoTasksToAnExecutorThatLeavesUntilItStays() {
        ScriptedExecutor only = scene.executor("only").register();
        scene.report(cluster -> cluster.leaving(only.id, "host goes", Duration.ofMinutes(1)));
        scene.report(cluster -> cluster.leaving(only.id, "host goes"));
        assertEquals(List.of("released only"), scene.calls, "it has no task and no data");
        ScriptedExecutor busy = scene.executor("busy").register();
        CompletableFuture<Void> first = scene.begin(DriverFixture.result(1));
        scene.report(cluster -> cluster.leaving(busy.id, "host goes", Duration.ofMinutes(1)));
        CompletableFuture<Void> second = scene.begin(DriverFixture.result(1));
        assertEquals(1, busy.orders(LaunchTasks.class).size());
        scene.report(cluster -> cluster.staying(busy.id));
        busy.succeedAll();
        assertTrue(first.isDone() && second.isDone());
        busy.beat();
        scene.run(Duration.ofMinutes(1));
        assertEquals(List.of("released only"), scene.calls, "the time of the notice does not count any more");
    }

    @Test
    void stopsAnExecutorWhenTheTimeIsOverThatItsClusterLeaves() {
        ScriptedExecutor busy = scene.executor("busy").register();
        CompletableFuture<Void> job = scene.begin(DriverFixture.result(1));
        scene.report(cluster -> cluster.leaving(busy.id, "host goes", Duration.ofSeconds(20)));
        scene.run(Duration.ofSeconds(18));
        assertEquals(List.of(), scene.calls);
        scene.run(Duration.ofSeconds(2));
        assertEquals(List.of("released busy"), scene.calls);
        assertFalse(job.isDone(), "the task runs again elsewhere, uncharged");
    }

    @Test
    void showsWhatHindersTheClusterUntilThatIsOver() {
        scene.report(cluster -> cluster.hindered("quota of namespace\u001b[31m\nused up "));
        assertEquals("quota of namespace?[31m?used up", hindrance());
        scene.report(cluster -> cluster.hindered("x".repeat(1_000)));
        assertEquals(500, hindrance().length());
        scene.report(cluster -> cluster.hindered(""));
        assertEquals("", hindrance());
    }

    @Test
    void endsAnApplicationThatNoMachineCouldEverHold() {
        DriverFixture bounded = new DriverFixture(Map.of("hearth.scheduler.unplaceableTimeout", "1m"));
        CompletableFuture<Void> job = bounded.begin(DriverFixture.result(1));
        bounded.report(cluster -> cluster.unplaceable("8 cores asked"));
        assertEquals("8 cores asked", hindrance(bounded));
        bounded.report(cluster -> cluster.hindered(""));
        bounded.run(Duration.ofMinutes(2));
        assertFalse(job.isDone());
        bounded.report(cluster -> cluster.unplaceable("8 cores asked"));
        bounded.run(Duration.ofMinutes(1));
        HearthException failure = DriverFixture.failure(job);
        assertEquals("EXECUTORS_FAILED", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .endsWith("no executors within 60000 ms (hearth.scheduler.unplaceableTimeout): 8 cores asked"),
                failure::getMessage);
    }

    @Test
    void amendsTheReasonOfALossInTheStatusAndInTheFailureOfTheJob() {
        ScriptedExecutor first = scene.executor("first").register();
        CompletableFuture<Void> job = scene.begin(DriverFixture.result(1));
        first.process.crash();
        scene.run(Duration.ofSeconds(6));
        assertTrue(removedFor(first).startsWith("connection lost"), removedFor(first));
        scene.report(cluster -> cluster.lost(first.id, LostExecutor.released("confirmed")));
        assertTrue(removedFor(first).startsWith("connection lost"), removedFor(first));
        scene.report(cluster -> cluster.lost(first.id, LostExecutor.of(Cause.OUT_OF_MEMORY, "killed above 2 GiB")));
        assertEquals("killed above 2 GiB", removedFor(first));

        ScriptedExecutor second = scene.executor("second").register();
        scene.run(Duration.ofSeconds(1));
        scene.report(cluster -> cluster.lost(second.id, LostExecutor.because("it crashed")));
        HearthException failure = DriverFixture.failure(job);
        assertTrue(
                String.valueOf(failure.getMessage())
                        .contains("failed 2 times, last on executor second (host-second): executor lost: it crashed;"
                                + " earlier losses were explained later: executor first: killed above 2 GiB"),
                failure::getMessage);
    }

    @Test
    void showsWhatTheClusterReportsAboutTheApplication() {
        flush();
        ApplicationView view = scene.driver.monitor().status().application();
        assertEquals("2", view.attempt());
        assertEquals(DriverFixture.LINKS, view.links());
    }

    @Test
    void showsHowTheClusterDescribesAnExecutor() {
        ExecutorId id = new ExecutorId("first");
        ExecutorStart start = ExecutorStart.of(id, "host-first", 1)
                .with(new ProfileId(3))
                .withLogs(Map.of("stdout", "http://host/out"))
                .withAttributes(Map.of("CONTAINER_ID", "container_7"));
        scene.report(cluster -> cluster.started(id, "host-first", 1));
        scene.report(cluster -> cluster.started(start));
        scene.executor("first").register();
        assertEquals(start.logs(), view("first").logs());
        assertEquals(start.attributes(), view("first").attributes());
        assertEquals(3, view("first").profile());

        scene.report(cluster -> cluster.started(start.withLogs(Map.of("stderr", "http://host/err"))));
        scene.report(cluster -> cluster.started(ExecutorStart.of(id, "host-first", 1)));
        assertEquals(Map.of("stderr", "http://host/err"), view("first").logs(), "described after its registration");
        assertEquals(start.attributes(), view("first").attributes());
        scene.executor("second").register();
        assertEquals(Map.of(), view("second").logs());
    }

    @Test
    void asksTheBackendOncePerDoubt() {
        ScriptedExecutor first = scene.executor("first").register();
        scene.run(Duration.ofSeconds(59));
        assertEquals(List.of(), scene.doubted);
        scene.run(Duration.ofSeconds(40));
        assertEquals(List.of(first.id), scene.doubted, "its heartbeats are missing for half of the timeout");
        first.beat();
        scene.run(Duration.ofSeconds(40));
        assertEquals(1, scene.doubted.size());
        scene.run(Duration.ofSeconds(60));
        assertEquals(List.of(first.id, first.id), scene.doubted);
        first.process.crash();
        scene.run(Duration.ofSeconds(1));
        assertEquals(2, scene.doubted.size(), "it was doubted already");

        ScriptedExecutor second = scene.executor("second").register();
        second.process.crash();
        scene.run(Duration.ofSeconds(2));
        assertEquals(second.id, scene.doubted.get(2), "its connection is lost");
        scene.report(cluster -> cluster.lost(second.id, LostExecutor.of(Cause.HOST_LOST, "node is down")));
        assertEquals("node is down", removedFor(second));
    }

    @Test
    void reportsADecommissioningOnceAndBeforeTheRelease() {
        ScriptedExecutor first = scene.executor("first").register();
        ExecutorId unknown = new ExecutorId("unknown");
        scene.act(() -> {
            assertTrue(scene.driver.fleet().decommission(first.id, "a test"));
            assertEquals(List.of(), scene.decommissioned, "backends are called in actions of their own");
            assertFalse(scene.driver.fleet().decommission(first.id, "again"));
            assertFalse(scene.driver.fleet().decommission(unknown, "a test"));
            scene.driver.fleet().leaving(first.id, "the cluster says so too", Optional.empty());
        });
        assertEquals(List.of(first.id), scene.decommissioned);
        assertEquals(List.of("released first"), scene.calls);
    }

    @Test
    void refusesAnExecutorOnAnExcludedHost() {
        scene.act(() -> scene.driver.fleet().exclude(Set.of("host-bad")));
        ScriptedExecutor bad = scene.executor("bad").register();
        ScriptedExecutor good = scene.executor("good").register();
        assertEquals(
                "host host-bad is excluded, because too many tasks failed on it (expected: another host)",
                bad.refusal());
        assertEquals("", good.refusal());
        assertEquals(List.of(good.id), scene.registered);
    }

    @Test
    void waitsForTheReportOfALossAsLongAsTheBackendSays() {
        ScriptedExecutor first = scene.executor("first").register();
        ScriptedExecutor second = scene.executor("second").register();
        scene.lossReportWait = Duration.ofSeconds(40);
        first.process.crash();
        scene.run(Duration.ofSeconds(30));
        assertEquals(List.of(), scene.calls);
        scene.report(cluster -> cluster.lost(first.id, LostExecutor.of(Cause.HOST_LOST, "node is down")));
        assertEquals("node is down", removedFor(first));
        scene.lossReportWait = Duration.ofSeconds(-1);
        second.process.crash();
        scene.run(Duration.ofSeconds(1));
        assertEquals(List.of("released second"), scene.calls);
    }

    @Test
    void recognisesALackOfMemoryByTheExitStatus() {
        CompletableFuture<Void> job = scene.begin(DriverFixture.result(1));
        for (String name : List.of("first", "second")) {
            ScriptedExecutor executor = scene.executor(name).register();
            scene.run(Duration.ofSeconds(1));
            scene.report(cluster -> cluster.lost(
                    executor.id, new LostExecutor(Cause.FAILED, "heap is full", OptionalInt.of(52), List.of())));
        }
        DriverFixture.assertFailed("TASK_FAILED", job);
    }

    private String hindrance() {
        return hindrance(scene);
    }

    private static String hindrance(DriverFixture scene) {
        flush(scene);
        return scene.driver.monitor().status().application().hindrance();
    }

    private String removedFor(ScriptedExecutor executor) {
        return view(executor.id.value()).removedFor();
    }

    private ExecutorView view(String executor) {
        flush();
        return scene.driver.monitor().status().executors().stream()
                .filter(view -> view.id().equals(executor))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until the status store, which has a thread of its own, has handled all events. */
    private void flush() {
        flush(scene);
    }

    private static void flush(DriverFixture scene) {
        try {
            assertTrue(scene.driver.events().flush(FLUSHED_WITHIN), "all events are handled");
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
