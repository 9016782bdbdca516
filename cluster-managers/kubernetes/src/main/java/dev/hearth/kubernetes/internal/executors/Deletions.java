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
    /** Largest time between two requests while pods keep coming, as when the statuses of a rack arrive one by one. */
    private static final Duration PAUSE_MOST = Duration.ofSeconds(1);

    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final TreeSet<Long> executors = new TreeSet<>();
    private boolean planned;
    private long atNanos;
    private Duration pause = Duration.ZERO; // from the last request to the next; zero before the first
    private long lastNanos;

    void add(long executor, long now) {
        if (executors.add(executor) && !planned) {
            planned = true;
            pause = now - lastNanos > 2 * pause.toNanos() ? Duration.ZERO : pause;
            long least = pause.isZero() ? 0 : lastNanos + pause.toNanos() - now;
            atNanos = now + Math.max(AFTER.toNanos(), least);
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
        if (due) {
            lastNanos = now;
            Duration longer = pause.isZero() ? AFTER.multipliedBy(2) : pause.multipliedBy(2);
            pause = longer.compareTo(PAUSE_MOST) > 0 ? PAUSE_MOST : longer;
        }
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
