package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Client of the master in the same process. Immutable; any thread may call it. */
record LocalClient(MasterShell master, UploadDesk uploads) implements ClusterClient {
    @Override
    public CompletionStage<SubmissionId> submit(SubmissionPlan plan) {
        return master.submit(new SubmitDriver(plan.requestId(), DriverSpec.of(plan), ""));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
        return master.statuses(pattern).thenApply(LocalClient::shown);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
        return master.kill(pattern).thenApply(LocalClient::shown);
    }

    private static List<SubmissionStatus> shown(List<DriverStatus> statuses) {
        return statuses.stream().map(DriverStatus::shown).toList();
    }

    @Override
    public CompletionStage<Integer> clear() {
        return master.clearDrivers();
    }

    @Override
    public CompletionStage<UploadStatus> held(ContentId content) {
        return uploads.held(content);
    }

    @Override
    public CompletionStage<UploadStatus> take(ContentPiece piece) {
        return uploads.take(piece);
    }

    @Override
    public void close() {
        // this client holds nothing
    }
}
