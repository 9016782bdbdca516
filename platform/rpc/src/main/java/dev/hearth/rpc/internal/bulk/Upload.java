package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads a file to the content store of another process, which identifies the file by its hash. Failed attempts are
 * retried. The steps of an upload (hashing, sending, waiting) run one after another.
 */
final class Upload {
    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);

    private final Path file;
    private final Optional<ContentId> known;
    private final PieceChecksumCache checksums;
    private final BiFunction<BulkRequest.Offer, StreamContent.FilePart, UploadExchange> sender;
    private final Download.Steps steps;
    private final RetryBackoff attempts;
    private final CompletableFuture<ContentId> done = new CompletableFuture<>();

    /**
     * Creates an upload of {@code file}, whose hash may be {@code known}. Each call of {@code sender} makes one attempt to send the offered content to
     * the target process.
     */
    Upload(
            Path file,
            Optional<ContentId> known,
            PieceChecksumCache checksums,
            BiFunction<BulkRequest.Offer, StreamContent.FilePart, UploadExchange> sender,
            Download.Steps steps,
            RetryBackoff attempts) {
        this.file = file;
        this.known = known;
        this.checksums = checksums;
        this.sender = sender;
        this.steps = steps;
        this.attempts = attempts;
    }

    CompletionStage<ContentId> start() {
        steps.now(this::hash);
        return done;
    }

    private void hash() {
        try {
            PieceChecksumCache.FileState state = checksums.stateOf(file);
            ContentId content = known.isPresent() ? known.get() : ContentId.of(file);
            attempt(new BulkRequest.Offer(content, state.size()), state);
        } catch (NoSuchFileException missing) {
            done.completeExceptionally(
                    ErrorCode.PATH_MISSING.failure(file + ": no such file (expected: a file to upload)", missing));
        } catch (IOException unreadable) {
            done.completeExceptionally(unreadable(unreadable));
        }
    }

    private void attempt(BulkRequest.Offer offer, PieceChecksumCache.FileState hashed) {
        try {
            PieceChecksumCache.FileState now = checksums.stateOf(file);
            if (now.size() != hashed.size() || now.changedNanos() != hashed.changedNanos()) {
                done.completeExceptionally(ErrorCode.STREAM_CHANGED.failure(
                        file + ": changed while it was uploaded (expected: a file that does not change)"));
                return;
            }
        } catch (IOException unreadable) {
            done.completeExceptionally(unreadable(unreadable));
            return;
        }
        UploadExchange exchange = sender.apply(
                offer,
                new StreamContent.FilePart(
                        file, 0, offer.size(), offer.content().sha256()));
        exchange.done()
                .whenComplete((info, failure) -> steps.now(() -> {
                    if (failure == null) {
                        done.complete(offer.content());
                    } else {
                        failed(Failures.asHearth(failure, ErrorCode.INTERNAL, file.toString()), exchange, hashed);
                    }
                }));
    }

    private void failed(HearthException failure, UploadExchange exchange, PieceChecksumCache.FileState hashed) {
        Optional<Duration> wait = RetryBackoff.isRetryable(Failures.code(failure))
                ? attempts.next(Math.max(0, exchange.offset()))
                : Optional.empty();
        if (wait.isPresent() && exchange.request() instanceof BulkRequest.Offer offer) {
            LOG.debug("{}: retried in {} ms after {}", file, wait.get().toMillis(), failure.getMessage());
            steps.later(wait.get(), () -> steps.now(() -> attempt(offer, hashed)));
        } else {
            done.completeExceptionally(failure);
        }
    }

    private HearthException unreadable(IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                file + ": cannot be read, " + failure + " (expected: a file to upload)", failure);
    }
}
