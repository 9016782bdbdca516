package dev.hearth.local.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Lists and logs of a local cluster with two executors of three cores, of which one has ended. */
class LocalClusterViewTest {
    private static final ApplicationId APPLICATION = new ApplicationId("local-cluster-1-2-0");
    private static final LocalClusterSettings SETTINGS = settings();

    private final ExecutorRecords records = new ExecutorRecords(APPLICATION, "127.0.0.1");
    private final LocalClusterView view = new LocalClusterView(new Files(), "ann");
    private final Cluster cluster = new Cluster();

    LocalClusterViewTest() {
        view.add(cluster);
        launch("0");
        launch("1");
    }

    @Test
    void listsTheMachineAndTheApplication() {
        lose("0", LostExecutor.because("exit status 137"), 2_500);
        assertEquals(
                List.of("local-cluster-1-2-0 127.0.0.1 ALIVE 3/6 512/1024 1 executors 0 drivers"),
                list(view.workers()).stream()
                        .map(worker -> worker.id() + " " + worker.address() + " " + worker.state() + " "
                                + worker.coresUsed().orElseThrow() + "/"
                                + worker.cores().orElseThrow() + " "
                                + worker.memoryUsedMebibytes().orElseThrow() + "/"
                                + worker.memoryMebibytes().orElseThrow() + " "
                                + worker.executors().orElseThrow() + " executors "
                                + worker.drivers().orElseThrow() + " drivers")
                        .toList());
        assertEquals(
                List.of("local-cluster-1-2-0 slow ann RUNNING 3 cores 1 executors 127.0.0.1:4711 after 4000 ms"),
                list(view.applications()).stream()
                        .map(entry -> entry.id() + " " + entry.name() + " " + entry.user() + " " + entry.state() + " "
                                + entry.cores().orElseThrow() + " cores "
                                + entry.executors().orElseThrow() + " executors " + entry.driver() + " after "
                                + entry.durationMillis().orElseThrow() + " ms")
                        .toList());
        assertEquals(List.of(), list(view.drivers()));
        view.remove(cluster);
        assertEquals(List.of(), list(view.applications()));
    }

    @Test
    void listsExecutorsWithTheirEnds() {
        records.running(new ExecutorId("1"));
        lose("0", LostExecutor.released("idle"), 2_500);
        launch("2");
        launch("3");
        lose("2", new LostExecutor(LostExecutor.Cause.FAILED, "exit status 0", OptionalInt.of(0), List.of()), 2_600);
        lose("3", new LostExecutor(LostExecutor.Cause.FAILED, "exit status 9", OptionalInt.of(9), List.of()), 2_700);
        assertEquals(
                List.of(
                        "0 KILLED 'idle' until 2500",
                        "2 EXITED 'exit status 0' until 2600",
                        "3 FAILED 'exit status 9' until 2700",
                        "1 RUNNING '' until 0"),
                list(view.executors(Optional.of(APPLICATION))).stream()
                        .map(entry -> entry.id() + " " + entry.state() + " '" + entry.message() + "' until "
                                + entry.endedMillis().orElse(0))
                        .toList());
        assertEquals(List.of(), list(view.executors(Optional.of(new ApplicationId("local-cluster-9")))));
    }

    @Test
    void remembersALimitedNumberOfEndedExecutors() {
        for (int number = 2; number < ExecutorRecords.ENDED_MAX + 5; number++) {
            launch(String.valueOf(number));
            lose(String.valueOf(number), LostExecutor.because("exit status 1"), 3_000);
        }
        List<ExecutorEntry> entries = records.entries();
        assertEquals(ExecutorRecords.ENDED_MAX + 2, entries.size());
        assertEquals("5", entries.get(0).id().value());
    }

    @Test
    void readsTheOutputOfItsExecutors() {
        LogChunk running = log("1");
        assertEquals(
                "/w/local-cluster-1-2-0/1", new String(running.chunk().bytes().toArray(), StandardCharsets.UTF_8));
        assertEquals(List.of(false, "127.0.0.1"), List.of(running.hasEnded(), running.holder()));
        lose("1", LostExecutor.because("exit status 1"), 3_000);
        assertEquals(true, log("1").hasEnded());
        CompletionException missing = assertThrows(CompletionException.class, () -> log("7"));
        assertEquals(ErrorCode.LOG_UNKNOWN, Failures.code(missing));
        view.remove(cluster);
        CompletionException ended = assertThrows(CompletionException.class, () -> log("1"));
        assertEquals(
                "log of executor 1 of local-cluster-1-2-0: not on this machine (expected: an executor of an open"
                        + " application of this process)",
                Failures.unwrap(ended).getMessage());
    }

    private LogChunk log(String executor) {
        return view.log(
                        LogSource.ofExecutor(APPLICATION, new ExecutorId(executor)),
                        OutputRange.from(OutputName.STDOUT, OutputPosition.START),
                        "")
                .toCompletableFuture()
                .join();
    }

    private void launch(String executor) {
        records.launching(
                new ExecutorId(executor),
                new ExecutorSize(SETTINGS.cores(), SETTINGS.memoryMebibytes()),
                Map.of("stdout", "file:///w/stdout"),
                1_000);
    }

    private void lose(String executor, LostExecutor why, long wallMillis) {
        records.lost(new ExecutorId(executor), why, wallMillis);
    }

    private static <T> List<T> list(CompletionStage<ClusterListing<T>> listing) {
        return listing.toCompletableFuture().join().entries();
    }

    private static LocalClusterSettings settings() {
        Settings all = Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.localCluster.dir", "/w",
                                "hearth.executor.cores", "3",
                                "hearth.executor.memory", "512m"));
        return LocalClusterSettings.from(new LocalClusterUrl(2, 3, 512), all, ExecutorProfile.of(all));
    }

    /** The cluster of one application. */
    private final class Cluster implements LocalClusterView.Shown {
        @Override
        public ApplicationId application() {
            return APPLICATION;
        }

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public LocalClusterSettings settings() {
            return SETTINGS;
        }

        @Override
        public String driver() {
            return "127.0.0.1:4711";
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public long startedMillis() {
            return 500;
        }

        @Override
        public long nowMillis() {
            return 4_500;
        }

        @Override
        public List<ExecutorEntry> executors() {
            return records.entries();
        }
    }

    /** Outputs of executors 0 and 1, whose text is the name of their directory. */
    private static final class Files implements ProcessLauncher {
        @Override
        public ChildProcess start(ChildSpec spec) {
            throw new AssertionError("no process is started here");
        }

        @Override
        public CompletionStage<Optional<OutputChunk>> readOutput(Path directory, OutputRange range) {
            OutputPosition from = range.position();
            Bytes text = Bytes.owning(directory.toString().getBytes(StandardCharsets.UTF_8));
            OutputPosition to = new OutputPosition(from.file(), from.offset() + text.size());
            boolean known = List.of("0", "1").contains(directory.getFileName().toString());
            return CompletableFuture.completedStage(
                    known ? Optional.of(new OutputChunk(text, from, to, true, false)) : Optional.empty());
        }
    }
}
