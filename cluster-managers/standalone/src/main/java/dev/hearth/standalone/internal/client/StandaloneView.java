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
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationsListed;
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
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersListed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * View of a standalone cluster, which asks its master over one connection. Connects at the first question, and again
 * after a question has failed. Owned by the event loop of its services, which close the connection.
 */
final class StandaloneView implements ClusterView {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final List<RpcAddress> masters;
    private final RpcEnv rpc;
    private final EventLoop loop;
    private final Duration answerTimeout;
    private @Nullable CompletionStage<Peer> connection;

    StandaloneView(MasterUrl master, SubmissionServices services) {
        this.masters = MasterAddresses.parse(master);
        this.rpc = services.rpc();
        this.loop = services.loop();
        this.answerTimeout = RpcTimes.ask(services.settings(), ANSWER_TIMEOUT);
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
    public CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
        return ask(new ReadLog(source, range, holder), LogRead.class).thenApply(LogRead::chunk);
    }

    private <T extends Record> CompletionStage<T> ask(Record question, Class<T> answer) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        loop.execute(() -> {
            CompletionStage<Peer> used = connection == null ? MasterAddresses.connect(rpc, masters) : connection;
            connection = used;
            used.thenCompose(peer -> MasterConnection.endpointOf(peer).ask(question, answer, answerTimeout))
                    .whenComplete((found, failure) -> loop.inOrder(() -> {
                        if (failure == null) {
                            answered.complete(found);
                            return;
                        }
                        if (connection == used) {
                            connection = null;
                        }
                        answered.completeExceptionally(failure);
                    }));
        });
        return answered;
    }
}
