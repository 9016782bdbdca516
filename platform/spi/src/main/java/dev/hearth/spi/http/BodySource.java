package dev.hearth.spi.http;

import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Body of a response that is produced piece by piece, while the client reads: an archive, a long list, or the growing
 * end of a log. Only a few pieces are in memory at a time, so a slow client slows its source down and costs no thread.
 */
@ConsumerType
public interface BodySource extends AutoCloseable {
    /**
     * Returns the next piece, now or asynchronously; an empty result ends the body, and a failure breaks the connection,
     * so that the client notices the missing end. Called on a thread that may block briefly, one call at a time, and only
     * when the client has read most of the earlier pieces.
     */
    CompletionStage<Optional<Bytes>> next();

    /** Called exactly once: after the end of the body, after a failure, or when the client has disconnected. */
    @Override
    void close();

    /** Creates a source that sends the bytes of {@code stream} and then closes it. */
    static BodySource of(InputStream stream) {
        return new BodySource() {
            private static final int PIECE_BYTES = 64 * 1024;

            @Override
            public CompletionStage<Optional<Bytes>> next() {
                try {
                    byte[] piece = stream.readNBytes(PIECE_BYTES);
                    return CompletableFuture.completedStage(
                            piece.length == 0 ? Optional.empty() : Optional.of(Bytes.owning(piece)));
                } catch (IOException failure) {
                    return CompletableFuture.failedStage(failure);
                }
            }

            @Override
            public void close() {
                try {
                    stream.close();
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }
        };
    }
}
