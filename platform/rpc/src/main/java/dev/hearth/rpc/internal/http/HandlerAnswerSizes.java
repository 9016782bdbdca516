package dev.hearth.rpc.internal.http;

import java.util.Map;
import java.util.WeakHashMap;

/** Estimates the size of a handler's next answer from its previous ones. Any thread may call. */
final class HandlerAnswerSizes {
    private static final int DECAY = 8;

    private final Map<Mount, Long> estimates = new WeakHashMap<>(); // guarded by this

    /**
     * Returns the estimated size in bytes of the next answer of the handler in {@code mount}; 0 before its first
     * answer.
     */
    synchronized long next(Mount mount) {
        return estimates.getOrDefault(mount, 0L);
    }

    /**
     * Updates the estimate for the handler in {@code mount} by the size of its latest answer. A larger answer raises
     * the estimate at once, a smaller one lowers it by an eighth at most.
     */
    synchronized void answered(Mount mount, long bytes) {
        long before = next(mount);
        estimates.put(mount, Math.max(bytes, before - before / DECAY));
    }
}
