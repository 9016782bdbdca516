package dev.hearth.kubernetes.internal.executors;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Pods whose creation was answered and that no list or watch has reported yet. Those that stay unseen are read one by one: a
 * pod that was created and deleted between a list and the answer to its creation is reported by no watch. A state machine
 * without a clock, owned by {@link PodAllocator}.
 */
final class UnseenPods {
    /** Time after which a pod that was not seen is read. */
    static final Duration UNSEEN_MAX = Duration.ofSeconds(30);

    private final Deque<Unseen> waiting = new ArrayDeque<>(); // in the order of their times

    private record Unseen(long executor, long dueNanos) {}

    void add(long executor, long now) {
        waiting.addLast(new Unseen(executor, now + UNSEEN_MAX.toNanos()));
    }

    /** The executors whose time has come; some of their pods may have been seen since. */
    List<Long> due(long now) {
        List<Long> due = new ArrayList<>();
        while (!waiting.isEmpty() && now - waiting.getFirst().dueNanos() >= 0) {
            due.add(waiting.removeFirst().executor());
        }
        return due;
    }

    /** Nanoseconds until the next time; the largest number if there is none. */
    long remaining(long now) {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.getFirst().dueNanos() - now;
    }
}
