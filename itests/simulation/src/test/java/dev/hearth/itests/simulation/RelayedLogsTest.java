package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.TestingSubmissionServices;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs of drivers and executors, read from their worker through the master. */
class RelayedLogsTest {
    private static final Duration BOUND = Duration.ofMinutes(2);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void showsWhatAProcessPrintsUntilItsEndAndAfterwards(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        List<SimulatedProcesses.Child> children = new ArrayList<>();
        cluster.whenStarted(child -> {
            child.print("hello from " + child.role());
            children.add(child);
        });
        cluster.submit();
        run(cluster, () -> cluster.state() == SubmissionState.RUNNING && !children.isEmpty());
        SubmissionId driver = cluster.heard().get(0).submission();
        LogChunk first = read(cluster, LogSource.ofDriver(driver), OutputPosition.START);
        assertEquals("hello from driver\n", text(first));
        assertFalse(first.hasEnded());
        assertEquals("worker-1", first.holder());
        run(cluster, cluster::isDecided);
        run(cluster, cluster::isQuiet);
        LogChunk rest = read(cluster, LogSource.ofDriver(driver), first.chunk().to());
        assertEquals("sum is " + SimulatedCluster.EXPECTED + "\n", text(rest));
        assertTrue(rest.hasEnded() && rest.chunk().atEnd());
        // the master has forgotten the application, and asks its workers
        LogChunk executor =
                read(cluster, LogSource.ofExecutor(application(children), new ExecutorId("0")), OutputPosition.START);
        assertEquals("hello from executor\n", text(executor));
        assertTrue(executor.hasEnded());
    }

    @Test
    void saysThatNoWorkerHasTheFiles() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        cluster.simulation().runFor(Duration.ofSeconds(5));
        CompletableFuture<LogChunk> unknown = log(
                cluster, LogSource.ofExecutor(new ApplicationId("app-9"), new ExecutorId("0")), OutputPosition.START);
        run(cluster, unknown::isDone);
        assertRefused("log of executor 0 of app-9: no worker of this cluster has its files", unknown);
        cluster.machine().crash();
        cluster.simulation().runFor(Duration.ofSeconds(5));
        CompletableFuture<LogChunk> nowhere =
                log(cluster, LogSource.ofDriver(new SubmissionId("driver-9")), OutputPosition.START);
        run(cluster, nowhere::isDone);
        assertRefused("log of driver driver-9: no worker of this cluster has its files", nowhere);
    }

    private static ApplicationId application(List<SimulatedProcesses.Child> children) {
        return children.stream()
                .filter(child -> child.role().equals("executor"))
                .map(child -> new ApplicationId(
                        String.valueOf(child.directory().getParent().getFileName())))
                .findFirst()
                .orElseThrow();
    }

    private static void assertRefused(String start, CompletableFuture<LogChunk> answer) {
        Throwable failure = assertThrows(CompletionException.class, answer::join);
        HearthException known = Failures.asHearth(failure, ErrorCode.INTERNAL, "log");
        assertEquals(ErrorCode.LOG_UNKNOWN.name(), known.code());
        assertTrue(String.valueOf(known.getMessage()).startsWith(start), known::getMessage);
    }

    /** Reads the next part of the output of a driver or executor, from a process of its own. */
    private static CompletableFuture<LogChunk> log(
            SimulatedCluster cluster, LogSource source, OutputPosition position) {
        SimulatedProcess asking = cluster.simulation().process("asking-" + source + position.offset());
        EventLoop loop = asking.loop("asking");
        SubmissionServices services = new TestingSubmissionServices(asking.env(), loop, Settings.empty());
        CompletableFuture<LogChunk> answer = new CompletableFuture<>();
        loop.execute(() -> new StandaloneManager()
                .view(cluster.master(), services)
                .log(source, OutputRange.from(OutputName.STDOUT, position), "")
                .whenComplete((found, failure) -> {
                    if (failure == null) {
                        answer.complete(found);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                }));
        return answer;
    }

    private static LogChunk read(SimulatedCluster cluster, LogSource source, OutputPosition position) {
        CompletableFuture<LogChunk> answer = log(cluster, source, position);
        run(cluster, answer::isDone);
        return answer.join();
    }

    private static void run(SimulatedCluster cluster, BooleanSupplier condition) {
        assertTrue(cluster.simulation().runUntil(condition, BOUND));
    }

    private static String text(LogChunk chunk) {
        return new String(chunk.chunk().bytes().toArray(), StandardCharsets.UTF_8);
    }
}
