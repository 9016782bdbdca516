package dev.hearth.standalone.internal.master;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * Drivers that have ended, in the order of their ends: at least the last {@link DriverBounds#retained}, and those of the
 * last {@link DriverBounds#retainedTime}. Only the former keep their output. Owned by {@link SubmittedDrivers}.
 */
final class EndedDrivers {
    private final int retained;
    private final long retainedNanos;
    private final Deque<Ended> ended = new ArrayDeque<>();
    private final Deque<DriverRecord> withOutput = new ArrayDeque<>();

    EndedDrivers(int retained, Duration retainedTime) {
        this.retained = retained;
        this.retainedNanos = retainedTime.toNanos();
    }

    private record Ended(DriverRecord driver, long nanos) {}

    /** Adds a driver that ended at {@code now}. Returns the drivers to forget. */
    List<DriverRecord> add(DriverRecord driver, long now) {
        ended.add(new Ended(driver, now));
        withOutput.add(driver);
        if (withOutput.size() > retained) {
            withOutput.remove().dropOutput();
        }
        return expired(now);
    }

    /** Returns the drivers to forget at {@code now}. */
    List<DriverRecord> expired(long now) {
        List<DriverRecord> forgotten = new ArrayList<>();
        while (ended.size() > retained
                && (ended.size() > DriverBounds.RETAINED_MAX
                        || now - ended.getFirst().nanos() >= retainedNanos)) {
            forgotten.add(ended.remove().driver());
        }
        return forgotten;
    }

    /** Returns all of them, and forgets them. */
    Collection<DriverRecord> clear() {
        List<DriverRecord> all = ended.stream().map(Ended::driver).toList();
        ended.clear();
        withOutput.clear();
        return all;
    }
}
