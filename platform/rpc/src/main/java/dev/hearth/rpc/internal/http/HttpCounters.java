package dev.hearth.rpc.internal.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a lane has done since it was opened. Any thread may call. */
final class HttpCounters {
    private final AtomicLong requests = new AtomicLong();
    private final LongAdder failures = new LongAdder();
    private final LongAdder slowListeners = new LongAdder();

    /** The number of a new request. */
    long nextRequest() {
        return requests.incrementAndGet();
    }

    long requests() {
        return requests.get();
    }

    void failed() {
        failures.increment();
    }

    /** Requests that were answered with a status of 500 and above. */
    long failures() {
        return failures.sum();
    }

    void slowListener() {
        slowListeners.increment();
    }

    /** Event streams that were ended because their page did not keep up. */
    long slowListeners() {
        return slowListeners.sum();
    }
}
