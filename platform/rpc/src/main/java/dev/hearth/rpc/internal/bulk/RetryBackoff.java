package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether and when a failed transfer is retried. Delays grow between retries, and the number of consecutive
 * attempts without progress is bounded. State machine of one download or upload, used by one thread at a time.
 */
final class RetryBackoff {
    private final Duration first;
    private final Duration last;
    private long reached = -1;
    private int fruitless;

    RetryBackoff(Duration first, Duration last) {
        this.first = first;
        this.last = last;
    }

    /**
     * Returns the delay before the next attempt, after an attempt that ended with {@code bytes} transferred in total.
     * Empty if no retries are left.
     */
    Optional<Duration> next(long bytes) {
        fruitless = bytes > reached && reached >= 0 ? 0 : fruitless;
        reached = Math.max(reached, bytes);
        fruitless++;
        if (fruitless >= BulkLimits.ATTEMPTS_WITHOUT_PROGRESS_MAX) {
            return Optional.empty();
        }
        Duration wait = first.multipliedBy(1L << (fruitless - 1));
        return Optional.of(wait.compareTo(last) < 0 ? wait : last);
    }

    /** Forgets how many bytes were transferred, because the transfer starts over at its first byte. */
    void restart() {
        reached = -1;
    }

    /** Whether a transfer that failed with {@code code} may succeed if it is retried. */
    static boolean isRetryable(ErrorCode code) {
        return code == ErrorCode.PEER_LOST
                || code == ErrorCode.PEER_UNREACHABLE
                || code == ErrorCode.STREAM_DAMAGED
                // retryable, because corruption in transit may also hit the head of a chunk
                || code == ErrorCode.MALFORMED_MESSAGE
                || code == ErrorCode.TOO_MANY_ASKS;
    }
}
