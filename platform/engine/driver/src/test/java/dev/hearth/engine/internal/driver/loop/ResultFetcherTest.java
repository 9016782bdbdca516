package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests a driver that fetches results of an executor, in virtual time. */
class ResultFetcherTest {
    private static final ExecutorId EXECUTOR = new ExecutorId("0");
    private static final int BYTES = 100_000;
    private static final Duration BOUND = Duration.ofMinutes(10);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess driver = simulation.process("driver");
    private final SimulatedProcess executor = simulation.process("executor");
    private final RpcEnv rpc = driver.env("driver", 1);
    private final RpcEnv serving = executor.env("executor", 2);
    private final Map<Long, byte[]> held = new LinkedHashMap<>();
    private final List<Long> requested = new ArrayList<>();
    private final Set<Long> dropped = new TreeSet<>();
    private final List<TaskEnd> ended = new ArrayList<>();
    private boolean isThere = true;
    private boolean isHeard = true;
    private long heard;

    private final ResultFetcher.Callbacks outlets = new ResultFetcher.Callbacks() {
        @Override
        public Optional<BlockServerAddress> holder(ExecutorId requested) {
            return isThere
                    ? Optional.of(new BlockServerAddress(requested, "executor", "executor:2"))
                    : Optional.empty();
        }

        @Override
        public long heardNanos(ExecutorId executor) {
            return isHeard ? heard++ : heard;
        }

        @Override
        public void tasksEnded(ExecutorId from, List<TaskEnd> ends) {
            assertEquals(EXECUTOR, from);
            ended.addAll(ends);
        }

        @Override
        public CompletionStage<Bytes> decrypted(Bytes fetched) {
            return CompletableFuture.completedFuture(fetched);
        }

        @Override
        public void drop(ExecutorId from, long task) {
            assertTrue(dropped.add(task), "told once");
        }
    };

    private ResultFetcher fetches(long resultBytesMax) {
        serving.streams().serve("result", name -> {
            long task = Long.parseLong(name);
            requested.add(task);
            byte[] bytes = held.get(task);
            return bytes == null
                    ? Optional.empty()
                    : StreamProvider.bytes(Bytes.owning(bytes)).open("");
        });
        return new ResultFetcher(driver.loop("driver"), rpc::streams, resultBytesMax, outlets);
    }

    private TaskEnd end(long task) {
        byte[] bytes = new byte[BYTES];
        new Random(task).nextBytes(bytes);
        held.put(task, bytes);
        return TaskEnd.succeeded(task, new TaskResult.Indirect(BYTES), TaskMetrics.NONE, List.of());
    }

    private static TaskEnd small(long task) {
        return TaskEnd.succeeded(task, new TaskResult.Shared(1L, 8), TaskMetrics.NONE, List.of());
    }

    private void waitFor(int ends) {
        assertTrue(simulation.runUntil(() -> ended.size() == ends, BOUND), () -> ended.size() + " ends");
    }

    @Test
    void fetchesLargeResultsAndPassesOnOthersAtOnce() {
        ResultFetcher fetches = fetches(0);
        fetches.tasksEnded(EXECUTOR, List.of(end(1), small(2)));
        assertEquals(List.of(2L), ended.stream().map(TaskEnd::task).toList());
        waitFor(2);
        assertEquals(1, ended.get(1).task());
        assertArrayEquals(
                held.get(1L),
                ((TaskResult.Encoded) ended.get(1).value()).bytes().toArray());
        assertEquals(Set.of(1L), dropped);
    }

    @Test
    void boundsTheBytesInFlight() {
        ResultFetcher fetches = fetches(2 * BYTES + 1);
        List<TaskEnd> ends = new ArrayList<>();
        for (long task = 0; task < 10; task++) {
            ends.add(end(task));
        }
        fetches.tasksEnded(EXECUTOR, ends);
        simulation.always("at most two at once", () -> requested.size() <= ended.size() + 2);
        waitFor(10);
    }

    @Test
    void passesOnTooLargeResultsUnfetched() {
        ResultFetcher fetches = fetches(BYTES - 1);
        fetches.tasksEnded(EXECUTOR, List.of(end(1)));
        assertEquals(new TaskResult.Indirect(BYTES), ended.get(0).value());
        assertEquals(Set.of(1L), dropped);
        simulation.runFor(BOUND);
        assertEquals(List.of(), requested);
    }

    @Test
    void dropsTheEndOfATaskWhoseExecutorIsLost() {
        ResultFetcher fetches = fetches(0);
        fetches.tasksEnded(EXECUTOR, List.of(end(1), end(2)));
        isThere = false;
        executor.crash();
        simulation.runFor(BOUND);
        assertEquals(List.of(), ended, "the tasks run again elsewhere after the loss");
    }

    @Test
    void waitsForASilentExecutorUntilItIsLost() {
        ResultFetcher fetches = fetches(0);
        isHeard = false;
        executor.crash();
        fetches.tasksEnded(EXECUTOR, List.of(end(1)));
        simulation.runFor(BOUND);
        assertEquals(List.of(), ended, "neither a success nor a failure");

        isThere = false;
        simulation.runFor(BOUND);
        assertEquals(List.of(), ended, "the task runs again elsewhere after the loss");
    }

    @Test
    void failsATaskWhoseExecutorIsHeardButCannotBeReached() {
        ResultFetcher fetches = fetches(0);
        executor.crash();
        fetches.tasksEnded(EXECUTOR, List.of(end(1)));
        waitFor(1);
        assertEquals(TaskOutcome.FAILED, ended.get(0).outcome());
    }

    @Test
    void failsATaskWhoseResultIsMissing() {
        ResultFetcher fetches = fetches(0);
        TaskEnd end = end(1);
        held.clear();
        fetches.tasksEnded(EXECUTOR, List.of(end));
        waitFor(1);
        assertEquals(TaskOutcome.FAILED, ended.get(0).outcome());
        assertTrue(
                ended.get(0).failure().text().contains("cannot be fetched from executor 0"),
                "the failure names the executor");
    }

    @Test
    void dropsThousandsOfResultsOfALostExecutorAtOnce() {
        int tasks = 100_000;
        ResultFetcher fetches = fetches(0);
        List<TaskEnd> ends = new ArrayList<>();
        for (long task = 0; task < tasks; task++) {
            ends.add(TaskEnd.succeeded(task, new TaskResult.Indirect(BYTES), TaskMetrics.NONE, List.of()));
        }
        isThere = false;
        fetches.tasksEnded(EXECUTOR, ends);
        assertEquals(List.of(), ended, "the tasks run again elsewhere");
        isThere = true;
        fetches.tasksEnded(EXECUTOR, List.of(end(tasks)));
        waitFor(1);
    }
}
