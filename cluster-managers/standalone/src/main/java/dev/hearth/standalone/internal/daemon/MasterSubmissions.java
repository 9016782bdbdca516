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

    /** Master of this process, with its client if it leads. */
    private record Opened(MasterUrl master, String state, Optional<ClusterClient> client) {}

    /** Opens the client of the master that leads in this process. */
    void open(MasterUrl master, ClusterClient client) {
        opened = new Opened(master, ALIVE, Optional.of(client));
    }

    /** Refuses requests from now on, as the master of this process does not lead, but has the state {@code state}. */
    void refuse(MasterUrl master, MasterState state) {
        opened = new Opened(master, state.name(), Optional.empty());
    }

    @Override
    public String state() {
        Opened present = opened;
        return present == null ? STANDBY : present.state();
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
        Optional<ClusterClient> client = present == null ? Optional.empty() : present.client();
        return client.map(call)
                .orElseGet(() -> CompletableFuture.failedStage(ErrorCode.CLUSTER_UNREACHABLE.failure("master: "
                        + (present == null ? "this process does not run one now" : "it is " + present.state())
                        + " (expected: a master that leads); try again soon, or ask another one")));
    }
}
