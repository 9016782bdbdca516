package dev.hearth.kubernetes.internal.executors;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Pods to delete: those of a short time go by one request, and what failed is tried again. A state machine without a clock,
 * owned by {@link PodAllocator}.
 */
final class Deletions {
    /** Maximum number of pods that one request deletes. */
    static final int AT_ONCE_MAX = 200;

    private static final Duration AFTER = Duration.ofMillis(50);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final TreeSet<Long> executors = new TreeSet<>();
    private boolean planned;
    private long atNanos;

    void add(long executor, long now) {
        if (executors.add(executor) && !planned) {
            planned = true;
            atNanos = now + AFTER.toNanos();
        }
    }

    /** Adds executors whose deletion failed; an empty collection plans the next request alone. */
    void again(Collection<Long> failed, long now) {
        executors.addAll(failed);
        planned = true;
        atNanos = now + AGAIN.toNanos();
    }

    void remove(long executor) {
        executors.remove(executor);
    }

    void clear() {
        executors.clear();
    }

    /** Whether the time of a planned request has come; it is not planned any more. */
    boolean take(long now) {
        boolean due = planned && now - atNanos >= 0;
        planned &= !due;
        return due;
    }

    /** The executors to delete now, as many as one request takes each; none of them is left here. */
    List<List<Long>> requests() {
        List<Long> all = List.copyOf(executors);
        executors.clear();
        List<List<Long>> requests = new ArrayList<>();
        for (int from = 0; from < all.size(); from += AT_ONCE_MAX) {
            requests.add(all.subList(from, Math.min(all.size(), from + AT_ONCE_MAX)));
        }
        return requests;
    }

    /** Nanoseconds until the planned request; the largest number if there is none. */
    long remaining(long now) {
        return planned ? atNanos - now : Long.MAX_VALUE;
    }
}
