package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationsListed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversListed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorsListed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListApplications;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListedDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LogRead;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReadLog;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersDecommissioned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersListed;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * View of a standalone cluster, which asks its master over one connection. Connects at the first question, and again
 * after a question has failed. Owned by the event loop of its services, which close the connection.
 */
final class StandaloneView implements ClusterView {
    private final MasterLine line;

    StandaloneView(MasterUrl master, SubmissionServices services) {
        this.line = new MasterLine(master, services);
    }

    @Override
    public CompletionStage<ClusterListing<WorkerEntry>> workers() {
        return ask(new ListWorkers(), WorkersListed.class).thenApply(answer -> ClusterListing.of(answer.workers()));
    }

    @Override
    public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
        return ask(new ListApplications(), ApplicationsListed.class)
                .thenApply(answer -> ClusterListing.of(answer.applications()));
    }

    @Override
    public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
        return ask(new ListExecutors(application), ExecutorsListed.class)
                .thenApply(answer -> ClusterListing.of(answer.executors()));
    }

    @Override
    public CompletionStage<ClusterListing<DriverEntry>> drivers() {
        return ask(new ListDrivers(), DriversListed.class)
                .thenApply(answer -> ClusterListing.of(
                        answer.drivers().stream().map(ListedDriver::shown).toList()));
    }

    @Override
    public CompletionStage<ApplicationEntry> kill(ApplicationId application, String reason) {
        return ask(new KillApplication(application, reason), ApplicationFound.class)
                .thenApply(ApplicationFound::application);
    }

    @Override
    public CompletionStage<List<String>> decommission(List<String> targets, String reason) {
        return ask(new DecommissionWorkers(targets, reason), WorkersDecommissioned.class)
                .thenApply(WorkersDecommissioned::workers);
    }

    @Override
    public CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
        return ask(new ReadLog(source, range, holder), LogRead.class).thenApply(LogRead::chunk);
    }

    private <T extends Record> CompletionStage<T> ask(Record question, Class<T> answer) {
        return line.ask(question, answer);
    }
}
