package dev.hearth.rpc.internal.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the HTTP server of one port since it was opened. Thread-safe. */
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

    /** Number of event streams that were closed because the client read too slowly. */
    long slowListeners() {
        return slowListeners.sum();
    }
}
