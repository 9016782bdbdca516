package dev.hearth.spi.rpc;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** The sendable address of an endpoint; it proves nothing about liveness. Any thread may call. */
@ProviderType
public interface EndpointRef {
    /** Sends without an answer. A message that cannot be delivered shows as the loss of the peer. */
    void send(Record message);

    /**
     * Sends and waits for one answer. Fails with {@code PEER_LOST}, {@code ASK_TIMED_OUT}, {@code NO_ENDPOINT},
     * {@code ENDPOINT_BUSY}, {@code MESSAGE_TOO_LARGE}, or what the endpoint answered; each says endpoint, peer and how
     * long it took. What follows the answer runs on the thread that read it and must not wait.
     */
    default <R extends Record> CompletionStage<R> ask(Record message, Class<R> answer, Duration timeout) {
        return askAbortable(message, answer, timeout).answer();
    }

    /** Asks as {@link #ask} does, and can be told that the answer does not matter any more; the other side is not. */
    <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout);
}
