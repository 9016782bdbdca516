package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ClearDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ContentFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversCleared;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindContent;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.TakePiece;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Client of a master for many submissions, over one connection and without reports about them. */
final class StandaloneClient implements ClusterClient {
    /** Maximum size of a piece in one message, so that other questions do not wait long for it. */
    private static final int PIECE_BYTES_MAX = 1 << 20;

    private final MasterLine line;

    StandaloneClient(MasterUrl master, SubmissionServices services) {
        this.line = new MasterLine(master, services);
    }

    /** Id of the request that {@code plan} is; a new one if the plan has none. */
    static String request(SubmissionPlan plan) {
        return plan.requestId().isEmpty() ? UUID.randomUUID().toString() : plan.requestId();
    }

    @Override
    public CompletionStage<SubmissionId> submit(SubmissionPlan plan) {
        SubmitDriver question;
        try {
            question = new SubmitDriver(request(plan), DriverSpec.of(plan), "");
        } catch (RuntimeException refused) {
            return CompletableFuture.failedStage(refused);
        }
        return line.ask(question, DriverSubmitted.class).thenApply(DriverSubmitted::submission);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
        return pattern.single().isPresent()
                ? line.ask(new FindDriver(pattern.single().get()), DriverFound.class)
                        .thenApply(StandaloneClient::shown)
                : line.ask(new FindDrivers(pattern.text()), DriversFound.class).thenApply(StandaloneClient::shown);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
        return pattern.single().isPresent()
                ? line.ask(new KillDriver(pattern.single().get()), DriverFound.class)
                        .thenApply(StandaloneClient::shown)
                : line.ask(new KillDrivers(pattern.text()), DriversFound.class).thenApply(StandaloneClient::shown);
    }

    @Override
    public CompletionStage<Integer> clear() {
        return line.ask(new ClearDrivers(), DriversCleared.class).thenApply(DriversCleared::drivers);
    }

    @Override
    public CompletionStage<UploadStatus> held(ContentId content) {
        return line.ask(new FindContent(content), ContentFound.class).thenApply(ContentFound::status);
    }

    @Override
    public CompletionStage<UploadStatus> take(ContentPiece piece) {
        return take(piece, piece.bytes().toArray(), 0);
    }

    /** Sends {@code bytes}, those of {@code piece}, from the index {@code from} on, one part after another. */
    private CompletionStage<UploadStatus> take(ContentPiece piece, byte[] bytes, int from) {
        int until = Math.min(bytes.length, from + PIECE_BYTES_MAX);
        TakePiece part = new TakePiece(
                piece.content(),
                piece.total(),
                piece.first() + from,
                Bytes.owning(Arrays.copyOfRange(bytes, from, until)));
        return line.ask(part, ContentFound.class).thenCompose(answer -> {
            UploadStatus status = answer.status();
            boolean goesOn = until < bytes.length && status.bytes() == piece.first() + until;
            return goesOn ? take(piece, bytes, until) : CompletableFuture.completedStage(status);
        });
    }

    @Override
    public void close() {
        line.close();
    }

    private static List<SubmissionStatus> shown(DriverFound answer) {
        return List.of(answer.status().shown());
    }

    static List<SubmissionStatus> shown(DriversFound answer) {
        return answer.statuses().stream().map(DriverStatus::shown).toList();
    }
}
