package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.rpc.RpcTimes;
import java.time.Duration;

/**
 * Timeouts of bulk connections. {@code silence} is the maximum time without a byte during a transfer. {@code
 * reconnectFirst} and {@code reconnectLast} are the first and the longest delay between retries.
 */
record BulkTimeouts(
        Duration silence,
        Duration readerPauseMax,
        Duration clientIdleMax,
        Duration serverIdleMax,
        Duration reconnectFirst,
        Duration reconnectLast) {
    private static final int CHECKS_PER_SILENCE = 4;

    static BulkTimeouts of(RpcTimes times) {
        return new BulkTimeouts(
                times.silence(),
                BulkLimits.READER_PAUSE_MAX,
                BulkLimits.CLIENT_IDLE_MAX,
                BulkLimits.SERVER_IDLE_MAX,
                times.reconnectFirst(),
                times.reconnectLast());
    }

    /**
     * Interval of WORKING frames, the sign of life during slow disk operations. It is shorter than the silence timeout.
     */
    Duration workBeat() {
        Duration part = silence.dividedBy(CHECKS_PER_SILENCE);
        return part.compareTo(BulkLimits.WORK_BEAT_MAX) < 0 ? part : BulkLimits.WORK_BEAT_MAX;
    }

    /** Returns the interval between checks for expired timeouts, in milliseconds. */
    long checkMillis() {
        long shortest = Math.min(silence.toMillis(), Math.min(readerPauseMax.toMillis(), serverIdleMax.toMillis()));
        return Math.max(1, shortest / CHECKS_PER_SILENCE);
    }
}
