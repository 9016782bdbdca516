package dev.hearth.spi.rpc;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Address of an endpoint, to which messages can be sent. The reference is valid even if its endpoint does not exist yet
 * or no longer exists. Any thread may call.
 */
@ProviderType
public interface EndpointRef {
    /**
     * Sends a message that needs no answer. A failed delivery throws no exception: the endpoints of the sender are
     * notified of the lost connection instead.
     */
    void send(Record message);

    /**
     * Sends a message and expects one answer. Fails with {@code PEER_LOST}, {@code ASK_TIMED_OUT}, {@code NO_ENDPOINT},
     * {@code ENDPOINT_BUSY}, {@code MESSAGE_TOO_LARGE}, or the endpoint's own failure. Each failure message names the
     * endpoint, the peer and the elapsed time. Callbacks run on the thread that read the answer and must not block.
     */
    default <R extends Record> CompletionStage<R> ask(Record message, Class<R> answer, Duration timeout) {
        return askAbortable(message, answer, timeout).answer();
    }

    /** Sends like {@link #ask}, but the caller can abort the wait. The endpoint is not notified of an abort. */
    <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout);
}
