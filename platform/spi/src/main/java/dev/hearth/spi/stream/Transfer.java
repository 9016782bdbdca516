package dev.hearth.spi.stream;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** A fetch under way. Any thread may call. */
@ProviderType
public interface Transfer {
    /** Completes when the sink has it all, or fails. */
    CompletionStage<StreamInfo> done();

    /**
     * Stops reading soon, until {@link #resume}; the other side stops sending once the way between is full, and gives up
     * after ten minutes.
     */
    void pause();

    void resume();

    /** Ends it; {@link #done} fails with {@code TRANSFER_ABORTED} unless it was done. */
    void abort();
}
