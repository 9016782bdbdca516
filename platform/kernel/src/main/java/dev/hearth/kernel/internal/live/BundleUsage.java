package dev.hearth.kernel.internal.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Users of one bundle. A user takes a hold on the bundle; until the hold is closed, the bundle can be stopped only by
 * force. The bundle is open at first, then hidden (new users no longer find it), then sealed (every new hold is
 * refused).
 * <p>Guarded by its own lock; lives as long as the bundle is installed or a tracker of its services refers to it.
 */
public final class BundleUsage {
    private final SortedMap<String, Integer> holders = new TreeMap<>();
    private final SortedMap<String, Integer> residents = new TreeMap<>();
    private final Runnable idle;
    private boolean hidden;
    private boolean sealed;

    /**
     * {@code idle} runs when the last hold on the bundle is closed after {@link #hide}, so that the bundle can be
     * stopped.
     */
    BundleUsage(Runnable idle) {
        this.idle = idle;
    }

    /**
     * Takes a hold on the bundle, which keeps it from being stopped other than by force. {@code holder} describes the
     * user for people. Returns empty if the bundle is sealed, that is, refuses new holds.
     */
    public Optional<Hold> take(String holder) {
        return take(holders, holder);
    }

    /**
     * Takes a hold like {@link #take}, for a user that needs the bundle until the process ends. The bundle then cannot
     * be stopped even by force.
     */
    public Optional<Hold> takeForGood(String holder) {
        return take(residents, holder);
    }

    /** Hides the bundle from new users, such as applications. Current users may still use it. */
    public synchronized void hide() {
        hidden = true;
    }

    public synchronized boolean isHidden() {
        return hidden;
    }

    /**
     * Seals the bundle if no user has a hold on it, so that every later hold is refused. Returns true if the bundle is
     * sealed.
     */
    public synchronized boolean seal() {
        if (holders.isEmpty() && residents.isEmpty()) {
            hidden = true;
            sealed = true;
        }
        return sealed;
    }

    /**
     * Seals the bundle even if users have holds on it, unless one of these users lives as long as the process. Returns
     * true if the bundle is sealed.
     */
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

    /**
     * Returns descriptions of the users, such as applications. If a user has taken several holds, its description
     * states their number.
     */
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
                release(counts, holder);
            }
        });
    }

    private void release(Map<String, Integer> counts, String holder) {
        boolean last;
        synchronized (this) {
            counts.computeIfPresent(holder, (name, count) -> count == 1 ? null : count - 1);
            last = hidden && holders.isEmpty() && residents.isEmpty();
        }
        if (last) {
            idle.run();
        }
    }

    /**
     * Registration of one use of a bundle. Until it is closed, the bundle can be stopped only by force. Closing is
     * idempotent.
     */
    @FunctionalInterface
    public interface Hold extends AutoCloseable {
        @Override
        void close();
    }
}
