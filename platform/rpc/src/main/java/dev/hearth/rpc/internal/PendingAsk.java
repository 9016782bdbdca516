package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.error.ErrorCategory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Ask (a message that expects one answer) that waits for its answer, with its timeout. It completes once. */
final class PendingAsk<R extends Record> extends CompletableFuture<R> {
    private static final Duration TIMEOUT_MAX = Duration.ofDays(3650);

    private final long id;
    private final NettyPeer peer;
    private final String endpoint;
    private final ProtocolCodec codec;
    private final Class<R> answer;
    private final long timeoutNanos;
    private final long startedNanos;

    PendingAsk(
            long id,
            NettyPeer peer,
            String endpoint,
            ProtocolCodec codec,
            Class<R> answer,
            Duration timeout,
            long startedNanos) {
        this.id = id;
        this.peer = peer;
        this.endpoint = endpoint;
        this.codec = codec;
        this.answer = answer;
        this.timeoutNanos = (timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout).toNanos();
        this.startedNanos = startedNanos;
    }

    long id() {
        return id;
    }

    ProtocolCodec codec() {
        return codec;
    }

    /** Time at which the ask times out, in nanoseconds of the monotonic clock. */
    long deadlineNanos() {
        return startedNanos + timeoutNanos;
    }

    void answer(Record record) {
        if (answer.isInstance(record)) {
            complete(answer.cast(record));
        } else {
            fail(
                    ErrorCode.MALFORMED_MESSAGE,
                    "the answer was " + record.getClass().getSimpleName() + " (expected: " + answer.getSimpleName()
                            + ")");
        }
    }

    /** Fails the ask with an error that this process detected, such as the loss of the connection. */
    void fail(ErrorCode code, String reason) {
        if (!isDone()) {
            completeExceptionally(code.failure(subject() + " after " + elapsedMillis() + " ms: " + reason));
        }
    }

    /**
     * Fails the ask with the error that the remote process sent. Appends the endpoint and the elapsed time to the error
     * text, unless the user has caused the error, who is not helped by them.
     */
    void failAnswered(String code, String text) {
        HearthException plain = new HearthException(code, text);
        completeExceptionally(
                Failures.code(plain).category() == ErrorCategory.USER
                        ? plain
                        : new HearthException(
                                code, text + " [" + subject() + ", answered after " + elapsedMillis() + " ms]"));
    }

    void expire() {
        fail(
                ErrorCode.ASK_TIMED_OUT,
                "no answer (expected: within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms)");
    }

    /** Aborts the ask, because the caller no longer wants the answer. Thread-safe. */
    void abort() {
        if (!isDone()) {
            fail(ErrorCode.ASK_ABORTED, "aborted by the caller (expected: a wait until the answer)");
            peer.forget(this);
        }
    }

    private String subject() {
        return "ask of endpoint " + endpoint + " at " + peer.remote();
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(peer.ticker().nanos() - startedNanos);
    }
}
