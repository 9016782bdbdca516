package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.process.ProcessLauncher;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * View of the local clusters of this process: one for each application that is open. The machine is their only worker,
 * and its entry has the id of the application. Any thread may call.
 */
final class LocalClusterView implements ClusterView {
    private final ProcessLauncher launcher;
    private final String user;
    private final List<Shown> open = new CopyOnWriteArrayList<>();

    LocalClusterView(ProcessLauncher launcher, String user) {
        this.launcher = launcher;
        this.user = user;
    }

    /** Local cluster of one application. Its methods return snapshots. */
    interface Shown {
        ApplicationId application();

        String name();

        LocalClusterSettings settings();

        /** Address of the driver, as {@code host:port}. */
        String driver();

        String host();

        long startedMillis();

        long nowMillis();

        List<ExecutorEntry> executors();
    }

    void add(Shown cluster) {
        open.add(cluster);
    }

    void remove(Shown cluster) {
        open.remove(cluster);
    }

    @Override
    public CompletionStage<ClusterListing<WorkerEntry>> workers() {
        return listing(open.stream().map(LocalClusterView::worker).toList());
    }

    @Override
    public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
        return listing(open.stream().map(this::application).toList());
    }

    @Override
    public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
        return listing(open.stream()
                .filter(cluster -> application.isEmpty() || application.get().equals(cluster.application()))
                .flatMap(cluster -> cluster.executors().stream())
                .toList());
    }

    /** There are none: drivers of local clusters are not submitted. */
    @Override
    public CompletionStage<ClusterListing<DriverEntry>> drivers() {
        return listing(List.of());
    }

    @Override
    public CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
        Optional<Shown> found = open.stream()
                .filter(cluster -> source.application().equals(Optional.of(cluster.application())))
                .findFirst();
        if (found.isEmpty()) {
            return CompletableFuture.failedStage(unknown(source, "an executor of an open application of this process"));
        }
        Shown cluster = found.get();
        boolean runs = cluster.executors().stream()
                .anyMatch(entry -> entry.id().value().equals(source.process())
                        && !entry.state().isFinal()); // asked before the output is read, so that none is missed
        return launcher.readOutput(
                        directory(cluster.settings(), cluster.application(), new ExecutorId(source.process())), range)
                .thenApply(chunk -> chunk.map(read -> new LogChunk(read, !runs, cluster.host()))
                        .orElseThrow(() -> unknown(source, "an executor that was started")));
    }

    /** Work directory of an executor, with its output files. */
    static Path directory(LocalClusterSettings settings, ApplicationId application, ExecutorId executor) {
        return settings.directory().resolve(application.value()).resolve(executor.value());
    }

    private static RuntimeException unknown(LogSource source, String expected) {
        return ErrorCode.LOG_UNKNOWN.failure("log of " + source + ": not on this machine (expected: " + expected + ")");
    }

    private static <T> CompletionStage<ClusterListing<T>> listing(List<T> entries) {
        return CompletableFuture.completedStage(ClusterListing.of(entries));
    }

    private static int running(Shown cluster) {
        return (int) cluster.executors().stream()
                .filter(entry -> !entry.state().isFinal())
                .count();
    }

    private static WorkerEntry worker(Shown cluster) {
        LocalClusterSettings settings = cluster.settings();
        int running = running(cluster);
        return new WorkerEntry(
                cluster.application().value(),
                cluster.host(),
                0,
                WorkerEntry.State.ALIVE,
                OptionalInt.of(settings.executorsMax() * settings.cores()),
                OptionalInt.of(running * settings.cores()),
                OptionalLong.of((long) settings.executorsMax() * settings.memoryMebibytes()),
                OptionalLong.of((long) running * settings.memoryMebibytes()),
                List.of(),
                List.of(),
                OptionalLong.empty(),
                OptionalInt.of(running),
                OptionalInt.of(0),
                Map.of());
    }

    private ApplicationEntry application(Shown cluster) {
        int running = running(cluster);
        return new ApplicationEntry(
                cluster.application(),
                cluster.name(),
                user,
                ApplicationEntry.State.RUNNING,
                "",
                OptionalInt.of(running * cluster.settings().cores()),
                OptionalLong.of(cluster.settings().memoryMebibytes()),
                OptionalInt.of(running),
                OptionalLong.of(cluster.startedMillis()),
                OptionalLong.empty(),
                OptionalLong.of(Math.max(0, cluster.nowMillis() - cluster.startedMillis())),
                cluster.driver(),
                Optional.empty(),
                Map.of());
    }
}
