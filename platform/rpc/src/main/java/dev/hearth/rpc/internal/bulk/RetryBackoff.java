package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether and when to try again: as long as something gets further, and a bounded number of times when nothing does, at
 * growing intervals. A state machine of one download or upload, used by one thread at a time.
 */
final class RetryBackoff {
    private final Duration first;
    private final Duration last;
    private long reached = -1;
    private int vain;

    RetryBackoff(Duration first, Duration last) {
        this.first = first;
        this.last = last;
    }

    /** How long to wait after an attempt that got as far as {@code bytes}; empty when it is enough. */
    Optional<Duration> next(long bytes) {
        vain = bytes > reached && reached >= 0 ? 0 : vain;
        reached = Math.max(reached, bytes);
        vain++;
        if (vain >= BulkLimits.ATTEMPTS_WITHOUT_PROGRESS_MAX) {
            return Optional.empty();
        }
        Duration wait = first.multipliedBy(1L << (vain - 1));
        return Optional.of(wait.compareTo(last) < 0 ? wait : last);
    }

    /** All begins anew: what was reached is void. */
    void restart() {
        reached = -1;
    }

    /** Whether a failure may pass by itself. */
    static boolean mayPass(ErrorCode code) {
        return code == ErrorCode.PEER_LOST
                || code == ErrorCode.PEER_UNREACHABLE
                || code == ErrorCode.STREAM_DAMAGED
                || code == ErrorCode.MALFORMED_MESSAGE // damage may hit the head of a chunk as well
                || code == ErrorCode.TOO_MANY_ASKS;
    }
}
