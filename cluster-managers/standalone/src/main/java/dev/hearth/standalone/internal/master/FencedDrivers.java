package dev.hearth.standalone.internal.master;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Supervised drivers whose worker is lost, until they surely have no process there. That is so when the lease of the
 * worker is over, or when the worker registers again, which it does after the end of all its processes. Owned by {@link
 * SubmittedDrivers}.
 */
final class FencedDrivers {
    private final Map<DriverRecord, Fence> fenced = new LinkedHashMap<>();

    private record Fence(String worker, long untilNanos) {}

    /** Adds a driver of the lost worker {@code worker}, which may have a process there until {@code untilNanos}. */
    void add(DriverRecord driver, String worker, long untilNanos) {
        fenced.put(driver, new Fence(worker, untilNanos));
    }

    /** Removes a driver that has ended. */
    void remove(DriverRecord driver) {
        fenced.remove(driver);
    }

    /** Removes and returns the drivers that may start elsewhere at {@code now}. */
    List<DriverRecord> due(long now) {
        return take(fence -> now - fence.untilNanos() >= 0);
    }

    /** Removes and returns the drivers of {@code worker}, all of whose processes have ended. */
    List<DriverRecord> of(String worker) {
        return take(fence -> fence.worker().equals(worker));
    }

    private List<DriverRecord> take(Predicate<Fence> chosen) {
        List<DriverRecord> taken = new ArrayList<>();
        fenced.forEach((driver, fence) -> {
            if (chosen.test(fence)) {
                taken.add(driver);
            }
        });
        taken.forEach(fenced::remove);
        return taken;
    }
}
