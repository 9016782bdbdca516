package dev.hearth.spi.rpc;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Address of an endpoint, to which messages can be sent. It may exist although the endpoint does not, or no longer. Any
 * thread may call.
 */
@ProviderType
public interface EndpointRef {
    /**
     * Sends without expecting an answer. If the message cannot be delivered, the loss of the peer is reported instead.
     */
    void send(Record message);

    /**
     * Sends and expects one answer. Fails with {@code PEER_LOST}, {@code ASK_TIMED_OUT}, {@code NO_ENDPOINT},
     * {@code ENDPOINT_BUSY}, {@code MESSAGE_TOO_LARGE}, or the endpoint's own failure. Each message names the endpoint,
     * the peer and the elapsed time. Callbacks run on the thread that read the answer and must not block.
     */
    default <R extends Record> CompletionStage<R> ask(Record message, Class<R> answer, Duration timeout) {
        return askAbortable(message, answer, timeout).answer();
    }

    /** Sends like {@link #ask}, but the caller can abort the wait. The endpoint is not notified of an abort. */
    <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout);
}
