package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.stream.ContentId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;

/**
 * Client of the master that is this process. Belongs to no cluster until {@link MasterRole} opens it, and after it has
 * closed it. Any thread may call.
 */
@Component(service = {ClusterClient.class, MasterSubmissions.class})
public final class MasterSubmissions implements ClusterClient {
    private volatile @Nullable Opened opened;

    private record Opened(MasterUrl master, ClusterClient client) {}

    void open(MasterUrl master, ClusterClient client) {
        opened = new Opened(master, client);
    }

    @Override
    public Optional<MasterUrl> own() {
        return Optional.ofNullable(opened).map(Opened::master);
    }

    @Override
    public CompletionStage<SubmissionId> submit(SubmissionPlan plan) {
        return ask(client -> client.submit(plan));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
        return ask(client -> client.status(pattern));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
        return ask(client -> client.kill(pattern));
    }

    @Override
    public CompletionStage<Integer> clear() {
        return ask(ClusterClient::clear);
    }

    @Override
    public CompletionStage<UploadStatus> held(ContentId content) {
        return ask(client -> client.held(content));
    }

    @Override
    public CompletionStage<UploadStatus> take(ContentPiece piece) {
        return ask(client -> client.take(piece));
    }

    @Override
    public void close() {
        opened = null;
    }

    private <T> CompletionStage<T> ask(Function<ClusterClient, CompletionStage<T>> call) {
        Opened present = opened;
        return present == null
                ? CompletableFuture.failedStage(ErrorCode.CLUSTER_UNREACHABLE.failure(
                        "master: this process does not run one now (expected: a master); try again soon"))
                : call.apply(present.client());
    }
}
