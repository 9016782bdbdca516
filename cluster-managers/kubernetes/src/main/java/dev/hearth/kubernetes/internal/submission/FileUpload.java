package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.seat.FileReceiver;
import dev.hearth.kubernetes.internal.seat.UploadClient;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends the files of a submission to its running driver, and tries again until they are there. Used once. */
final class FileUpload {
    private static final int ATTEMPTS_MAX = 40;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final ApiServer server;
    private final SubmissionServices services;
    private final String pod;
    private final UploadClient client;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    FileUpload(
            ApiServer server,
            SubmissionServices services,
            SubmissionListener listener,
            String pod,
            List<LocalFile> files,
            String proof) {
        this.server = server;
        this.services = services;
        this.pod = pod;
        Map<String, Path> byHash = new LinkedHashMap<>();
        files.forEach(file -> byHash.put(file.sha256(), file.path()));
        this.client = new UploadClient(
                proof,
                byHash,
                (file, sent, bytes) -> services.loop()
                        .execute(() -> listener.uploaded(file.getFileName().toString(), sent, bytes)));
    }

    /** Sends the files. Fails with {@code CLUSTER_UNREACHABLE} after several attempts. Call it on the loop. */
    CompletionStage<Void> begin() {
        attempt(1);
        return done;
    }

    private void attempt(int number) {
        CompletionStage<String> sent = CompletableFuture.supplyAsync(this::send, services.blocking());
        sent.whenComplete((words, failure) -> services.loop().execute(() -> {
            if (failure != null) {
                done.completeExceptionally(failure);
            } else if (words.isEmpty()) {
                done.complete(null);
            } else if (number < ATTEMPTS_MAX) {
                services.loop().schedule(PAUSE, () -> attempt(number + 1));
            } else {
                done.completeExceptionally(ErrorCode.CLUSTER_UNREACHABLE.failure("files of the submission: not"
                        + " sent to pod " + pod + ": " + words + " (expected: the right to create"
                        + " pods/portforward); or put them into the image, as local:/path, or where the driver"
                        + " can fetch them, as https:, or make them small enough for a secret"));
            }
        }));
    }

    /** Sends the files once; returns why it has to be tried again, or an empty text. */
    private String send() {
        try (ApiServer.ForwardedPort port = server.forward(pod, FileReceiver.PORT)) {
            List<String> damaged = client.send(port.in(), port.out());
            return damaged.isEmpty() ? "" : damaged.size() + " files arrived damaged";
        } catch (IOException failure) {
            return String.valueOf(failure.getMessage());
        }
    }
}
