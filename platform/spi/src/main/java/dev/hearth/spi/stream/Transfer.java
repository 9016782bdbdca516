package dev.hearth.spi.stream;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Fetch of a stream from another process, in progress or ended. Any thread may call. */
@ProviderType
public interface Transfer {
    /** Completion stage that completes after the sink has received all bytes, or fails with the reason. */
    CompletionStage<StreamInfo> done();

    /**
     * Stops reading soon, until {@link #resume}. The sender stops once the connection's buffers are full, and aborts
     * the transfer if it cannot send for ten minutes.
     */
    void pause();

    void resume();

    /** Aborts the fetch: {@link #done} fails with {@code TRANSFER_ABORTED} unless it has completed. */
    void abort();
}
