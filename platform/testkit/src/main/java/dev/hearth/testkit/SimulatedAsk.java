package dev.hearth.testkit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * State of one ask, a message that waits for its answer: it ends by the answer, the timeout, or the loss of the peer.
 */
final class SimulatedAsk<R extends Record> {
    final CompletableFuture<R> stage = new CompletableFuture<>();
    EventLoop.Timeout timeout = () -> {};
    private final SimulatedRef endpoint;
    private final String question;
    private final Class<R> expected;
    private final long sinceNanos;

    SimulatedAsk(SimulatedRef endpoint, String question, Class<R> expected, long sinceNanos) {
        this.endpoint = endpoint;
        this.question = question;
        this.expected = expected;
        this.sinceNanos = sinceNanos;
    }

    void complete(Record answer, long now) {
        if (expected.isInstance(answer)) {
            stage.complete(expected.cast(answer));
        } else {
            fail(ErrorCode.MALFORMED_MESSAGE, "answer " + answer.getClass().getSimpleName(), now);
        }
    }

    void fail(ErrorCode code, String why, long now) {
        stage.completeExceptionally(code.failure(endpoint + ": " + why + " (expected: " + expected.getSimpleName()
                + " for " + question + "); after " + millis(now) + " ms"));
    }

    /** Fails the ask because the endpoint has answered with the failure {@code code} and {@code message}. */
    void refuse(ErrorCode code, String message, long now) {
        stage.completeExceptionally(
                code.failure(message + "; answered by " + endpoint + " after" + " " + millis(now) + " ms"));
    }

    private long millis(long now) {
        return Duration.ofNanos(now - sinceNanos).toMillis();
    }
}
