package dev.hearth.rpc.internal.http;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes that bodies of requests under way may hold, all together. Any thread may call. */
final class BodyBudget {
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    BodyBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes so many more; false when that would be too many, and then none are taken. */
    boolean take(int more) {
        if (bytes.addAndGet(more) > bytesMax) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    void giveBack(long some) {
        bytes.addAndGet(-some);
    }

    long bytes() {
        return bytes.get();
    }
}
