package dev.hearth.kernel.internal.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who uses one bundle, and whether new users may find it. Goes one way: open, hidden, sealed.
 * <p>Guarded by its own lock; lives as long as somebody who looks at the bundle's services remembers it.
 */
public final class BundleUse {
    private final SortedMap<String, Integer> holders = new TreeMap<>();
    private final SortedMap<String, Integer> residents = new TreeMap<>();
    private final Runnable idle;
    private boolean hidden;
    private boolean sealed;

    /** {@code idle} runs when the last holder of a hidden bundle has let go. */
    BundleUse(Runnable idle) {
        this.idle = idle;
    }

    /** Keeps the bundle until the hold is closed; empty once it is sealed. {@code holder} is for people to read. */
    public Optional<Hold> take(String holder) {
        return take(holders, holder);
    }

    /** As {@link #take}, for what lives as long as the process: no bound ends it. */
    public Optional<Hold> takeForGood(String holder) {
        return take(residents, holder);
    }

    /** New users do not find the bundle from now on; those who hold it keep it. */
    public synchronized void hide() {
        hidden = true;
    }

    public synchronized boolean isHidden() {
        return hidden;
    }

    /** Ends the taking of holds, provided that nobody has one; tells whether it did. */
    public synchronized boolean seal() {
        if (holders.isEmpty() && residents.isEmpty()) {
            hidden = true;
            sealed = true;
        }
        return sealed;
    }

    /** Ends the taking of holds, although some hold the bundle; not when something does that lives as long as the process. */
    public synchronized boolean sealByForce() {
        if (residents.isEmpty()) {
            hidden = true;
            sealed = true;
        }
        return sealed;
    }

    public synchronized boolean isResident() {
        return !residents.isEmpty();
    }

    /** The holders in words, each with its count when that is not one. */
    public synchronized List<String> holders() {
        List<String> words = new ArrayList<>();
        for (Map<String, Integer> counts : List.of(residents, holders)) {
            counts.forEach((holder, count) -> words.add(count == 1 ? holder : holder + " (" + count + " times)"));
        }
        return words;
    }

    private synchronized Optional<Hold> take(Map<String, Integer> counts, String holder) {
        if (sealed) {
            return Optional.empty();
        }
        counts.merge(holder, 1, Integer::sum);
        AtomicBoolean held = new AtomicBoolean(true);
        return Optional.of(() -> {
            if (held.compareAndSet(true, false)) {
                letGo(counts, holder);
            }
        });
    }

    private void letGo(Map<String, Integer> counts, String holder) {
        boolean last;
        synchronized (this) {
            counts.computeIfPresent(holder, (name, count) -> count == 1 ? null : count - 1);
            last = hidden && holders.isEmpty() && residents.isEmpty();
        }
        if (last) {
            idle.run();
        }
    }

    /** One use of a bundle. Closing it twice does no harm. */
    @FunctionalInterface
    public interface Hold extends AutoCloseable {
        @Override
        void close();
    }
}
