package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListedDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LogRead;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReadLog;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersDecommissioned;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** View of the cluster whose master runs in the same process. Immutable; any thread may call it. */
record LocalView(
        EventLoop loop,
        Master master,
        LogRelay logs,
        Function<DecommissionWorkers, CompletionStage<WorkersDecommissioned>> decommission,
        Function<KillApplication, CompletionStage<ApplicationFound>> kill)
        implements ClusterView {
    @Override
    public CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
        return CompletableFuture.supplyAsync(() -> logs.read(new ReadLog(source, range, holder)), loop)
                .thenCompose(read -> read)
                .thenApply(LogRead::chunk);
    }

    @Override
    public CompletionStage<ClusterListing<WorkerEntry>> workers() {
        return listing(() -> master.workerEntries(now()));
    }

    @Override
    public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
        return listing(() -> master.applicationEntries(now()));
    }

    @Override
    public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
        return listing(() -> master.executorEntries(application));
    }

    @Override
    public CompletionStage<ClusterListing<DriverEntry>> drivers() {
        return listing(
                () -> master.driverEntries().stream().map(ListedDriver::shown).toList());
    }

    @Override
    public CompletionStage<List<String>> decommission(List<String> targets, String reason) {
        return decommission.apply(new DecommissionWorkers(targets, reason)).thenApply(WorkersDecommissioned::workers);
    }

    @Override
    public CompletionStage<ApplicationEntry> kill(ApplicationId application, String reason) {
        return kill.apply(new KillApplication(application, reason)).thenApply(ApplicationFound::application);
    }

    private <T> CompletionStage<ClusterListing<T>> listing(Supplier<List<T>> entries) {
        return CompletableFuture.supplyAsync(() -> ClusterListing.of(entries.get()), loop);
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
