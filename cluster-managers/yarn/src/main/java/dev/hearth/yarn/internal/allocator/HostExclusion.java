package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.RestartBackoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Hosts on which no container may start: those of the settings, those that contexts exclude, those on which too many
 * containers failed, and for a moment those on which containers fail repeatedly. Executors that run there go on. Owned by
 * {@link Allocator}.
 */
final class HostExclusion {
    private static final int BACKOFFS_MAX = 1_000;
    private static final long FOREVER_NANOS = Duration.ofDays(3650).toNanos();

    private final AllocatorRules.Exclusion rules;
    private final FailureWindows failures;
    private final Map<Integer, Set<String>> byContext = new LinkedHashMap<>();
    private final Map<String, Long> untilNanos = new LinkedHashMap<>(); // in the order of their ends
    private final Map<String, RestartBackoff> backoffs = new LinkedHashMap<>();
    private Set<String> current = Set.of(); // without those of the back-off
    private Set<String> ordered = new TreeSet<>(); // as the line knows them
    private boolean changed = true;
    private long recheckNanos; // when a back-off ends; meaningful after the first change

    /** Change of the excluded hosts since the last one. */
    record Difference(List<String> exclude, List<String> admit) {}

    HostExclusion(AllocatorRules.Exclusion rules, FailureWindows failures) {
        this.rules = rules;
        this.failures = failures;
    }

    boolean contains(String host) {
        return ordered.contains(host);
    }

    Set<String> ordered() {
        return new TreeSet<>(ordered);
    }

    /**
     * Whether no node is left of {@code nodes}, the number that the cluster has, without those in {@code gone}. Unknown if the
     * number is 0.
     */
    boolean isEverything(int nodes, Set<String> gone) {
        int excluded = current.size();
        for (String host : current) {
            excluded -= gone.contains(host) ? 1 : 0;
        }
        return nodes > 0 && excluded >= nodes;
    }

    void excludes(int context, Set<String> hosts) {
        Set<String> before =
                hosts.isEmpty() ? byContext.remove(context) : byContext.put(context, new LinkedHashSet<>(hosts));
        changed |= !(before == null ? Set.of() : before).equals(hosts);
    }

    /** Counts a failure that its host may have caused, of a container granted at {@code grantedNanos}. */
    void failed(String host, long grantedNanos, long now) {
        failures.failedOn(host, now);
        backoffs.computeIfAbsent(host, named -> new RestartBackoff(now)).noteEnd(grantedNanos, now);
        if (backoffs.size() > BACKOFFS_MAX) {
            backoffs.remove(backoffs.keySet().iterator().next());
        }
        if (rules.onFailure() && failures.countOn(host, now) > rules.failuresMax()) {
            untilNanos.remove(host);
            untilNanos.put(host, now + rules.timeout().toNanos());
        }
        changed = true;
    }

    /** Brings the excluded hosts up to date and returns the change. */
    Difference refresh(long now) {
        Iterator<Long> ends = untilNanos.values().iterator();
        while (ends.hasNext() && now - ends.next() >= 0) {
            ends.remove();
            changed = true;
        }
        if (!changed && now - recheckNanos < 0) {
            return new Difference(List.of(), List.of());
        }
        changed = false;
        Set<String> hosts = new TreeSet<>(rules.nodes());
        byContext.values().forEach(hosts::addAll);
        hosts.addAll(untilNanos.keySet());
        current = hosts;
        Set<String> next = new TreeSet<>(hosts);
        backoffs.forEach((host, backoff) -> {
            if (!backoff.remaining(now).isZero()) {
                next.add(host);
            }
        });
        List<String> exclude = new ArrayList<>(next);
        exclude.removeAll(ordered);
        List<String> admit = new ArrayList<>(ordered);
        admit.removeAll(next);
        ordered = next;
        long wait = remaining(now);
        recheckNanos = now + (wait == Long.MAX_VALUE ? FOREVER_NANOS : wait);
        return new Difference(exclude, admit);
    }

    /** Nanoseconds until the next host is admitted again; the largest number if none is. */
    long remaining(long now) {
        long next = Long.MAX_VALUE;
        if (!untilNanos.isEmpty()) {
            next = Math.max(0, untilNanos.values().iterator().next() - now);
        }
        for (Map.Entry<String, RestartBackoff> host : backoffs.entrySet()) {
            long wait = host.getValue().remaining(now).toNanos();
            next = wait > 0 && ordered.contains(host.getKey()) ? Math.min(next, wait) : next;
        }
        return next;
    }
}
