package dev.hearth.rpc.internal.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a lane since it was opened. Any thread may call. */
final class HttpCounters {
    private final AtomicLong requests = new AtomicLong();
    private final LongAdder failures = new LongAdder();
    private final LongAdder slowListeners = new LongAdder();

    /** Counts a new request and returns its number. */
    long nextRequest() {
        return requests.incrementAndGet();
    }

    long requests() {
        return requests.get();
    }

    void failed() {
        failures.increment();
    }

    /** Number of responses with a status of 500 or above. */
    long failures() {
        return failures.sum();
    }

    void slowListener() {
        slowListeners.increment();
    }

    /** Number of event streams closed because the client was too slow. */
    long slowListeners() {
        return slowListeners.sum();
    }
}
