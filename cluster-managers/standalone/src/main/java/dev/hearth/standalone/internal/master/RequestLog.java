package dev.hearth.standalone.internal.master;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Requests that a master has accepted, by their ids, with their drivers: those of the last time, and of drivers that
 * have not ended. Each operation costs O(1) on average. Owned by {@link SubmittedDrivers}.
 */
final class RequestLog<D> {
    private final int most;
    private final long keptNanos;
    private final Map<String, Entry<D>> entries = new LinkedHashMap<>(); // the oldest first

    RequestLog(int most, Duration kept) {
        this.most = most;
        this.keptNanos = kept.toNanos();
    }

    private record Entry<D>(D driver, long nanos) {}

    Optional<D> find(String request) {
        return Optional.ofNullable(entries.get(request)).map(Entry::driver);
    }

    /**
     * Adds a request, and forgets those that are too old or too many. One whose driver is {@code active} counts as new
     * when its time is over.
     */
    void add(String request, D driver, long now, Predicate<D> active) {
        entries.put(request, new Entry<>(driver, now));
        for (int left = 2; left > 0 && isFull(now); left--) { // two for each one added, so that old ones vanish in time
            Iterator<Map.Entry<String, Entry<D>>> oldest = entries.entrySet().iterator();
            Map.Entry<String, Entry<D>> first = oldest.next();
            oldest.remove();
            if (entries.size() < most && active.test(first.getValue().driver())) {
                entries.put(first.getKey(), new Entry<>(first.getValue().driver(), now));
            }
        }
    }

    int size() {
        return entries.size();
    }

    private boolean isFull(long now) {
        return entries.size() > most
                || (entries.size() > 1
                        && now - entries.values().iterator().next().nanos() > keptNanos);
    }
}
