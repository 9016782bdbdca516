package dev.hearth.rpc.internal.http;

import java.util.Map;
import java.util.WeakHashMap;

/** Estimates the size of a handler's next answer from its previous ones. Any thread may call. */
final class HandlerAnswerSizes {
    private static final int DECAY = 8;

    private final Map<Mount, Long> estimates = new WeakHashMap<>(); // guarded by this

    /** The estimate for the next answer, 0 before the first. */
    synchronized long next(Mount mount) {
        return estimates.getOrDefault(mount, 0L);
    }

    /** Learns the size of an answer: a larger one counts at once, smaller ones lower the estimate by and by. */
    synchronized void answered(Mount mount, long bytes) {
        long before = next(mount);
        estimates.put(mount, Math.max(bytes, before - before / DECAY));
    }
}
