package dev.hearth.yarn.internal.allocator;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Failures of executors, in all and by host, as far as they still count: those within the validity interval, or all. A state machine without a clock.
 */
final class FailureWindows {
    /** Most failures that are remembered, hence the largest bound of a setting. */
    static final int FAILURES_MAX = 1_000_000;

    private static final int HOSTS_MAX = 10_000;

    private final Optional<Duration> validity;
    private final Deque<Long> all = new ArrayDeque<>();
    private final Map<String, Deque<Long>> byHost = new LinkedHashMap<>();

    FailureWindows(Optional<Duration> validity) {
        this.validity = validity;
    }

    void failed(long now) {
        add(all, now);
    }

    void failedOn(String host, long now) {
        add(byHost.computeIfAbsent(host, named -> new ArrayDeque<>(2)), now);
        if (byHost.size() > HOSTS_MAX) {
            byHost.remove(byHost.keySet().iterator().next());
        }
    }

    int count(long now) {
        expire(all, now);
        return all.size();
    }

    int countOn(String host, long now) {
        Deque<Long> failures = byHost.get(host);
        if (failures == null) {
            return 0;
        }
        expire(failures, now);
        if (failures.isEmpty()) {
            byHost.remove(host);
        }
        return failures.size();
    }

    private static void add(Deque<Long> failures, long now) {
        failures.addLast(now);
        if (failures.size() > FAILURES_MAX) {
            failures.removeFirst();
        }
    }

    private void expire(Deque<Long> failures, long now) {
        validity.ifPresent(time -> {
            while (!failures.isEmpty() && now - failures.getFirst() > time.toNanos()) {
                failures.removeFirst();
            }
        });
    }
}
