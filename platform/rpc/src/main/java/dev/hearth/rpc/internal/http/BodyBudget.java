package dev.hearth.rpc.internal.http;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the total bytes of request bodies in memory. Any thread may call. */
final class BodyBudget {
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    BodyBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Reserves bytes; false if that would exceed the limit, in which case none are reserved. */
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
