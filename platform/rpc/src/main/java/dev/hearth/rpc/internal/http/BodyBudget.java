package dev.hearth.rpc.internal.http;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the total bytes of the request bodies that one HTTP server holds in memory. Thread-safe. */
final class BodyBudget {
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    BodyBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Reserves bytes. Returns false, without reserving any, if the total would exceed the limit. */
    boolean reserve(int more) {
        if (bytes.addAndGet(more) > bytesMax) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    void release(long some) {
        bytes.addAndGet(-some);
    }

    long bytes() {
        return bytes.get();
    }
}
