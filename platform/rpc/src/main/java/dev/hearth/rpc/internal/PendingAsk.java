package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.time.Ticker;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One question on its way: what it waits for, since when, and how its failures are told. Completes once. */
final class PendingAsk {
    private static final Duration TIMEOUT_MAX = Duration.ofDays(3650);

    private final long id;
    private final String subject;
    private final ProtocolCodec codec;
    private final Class<? extends Record> answer;
    private final long timeoutNanos;
    private final Ticker ticker;
    private final long startedNanos;
    private final CompletableFuture<Record> result = new CompletableFuture<>();
    private @Nullable Future<?> timer; // owned by the peer's event loop

    PendingAsk(
            long id,
            String subject,
            ProtocolCodec codec,
            Class<? extends Record> answer,
            Duration timeout,
            Ticker ticker) {
        this.id = id;
        this.subject = subject;
        this.codec = codec;
        this.answer = answer;
        this.timeoutNanos = (timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout).toNanos();
        this.ticker = ticker;
        this.startedNanos = ticker.nanos();
    }

    long id() {
        return id;
    }

    ProtocolCodec codec() {
        return codec;
    }

    <R extends Record> CompletionStage<R> stage(Class<R> type) {
        return result.thenApply(type::cast);
    }

    long remainingNanos() {
        return Math.max(0, timeoutNanos - (ticker.nanos() - startedNanos));
    }

    void timeBy(Future<?> timeout) {
        timer = timeout;
    }

    void untime() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    void complete(Record record) {
        if (answer.isInstance(record)) {
            result.complete(record);
        } else {
            fail(
                    ErrorCode.MALFORMED_MESSAGE,
                    "the answer was " + record.getClass().getSimpleName() + " (expected: " + answer.getSimpleName()
                            + ")");
        }
    }

    /** Fails with what went wrong between the two ends. */
    void fail(ErrorCode code, String reason) {
        result.completeExceptionally(code.failure(subject + " after " + elapsedMillis() + " ms: " + reason));
    }

    /** Fails with what the other side answered, in its words, and with where and when after them. */
    void failAnswered(String code, String text) {
        result.completeExceptionally(
                new HearthException(code, text + " [" + subject + ", answered after " + elapsedMillis() + " ms]"));
    }

    void expire() {
        fail(
                ErrorCode.ASK_TIMED_OUT,
                "no answer (expected: within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms)");
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - startedNanos);
    }
}
