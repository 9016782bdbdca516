package dev.hearth.standalone.internal.master;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Drivers whose worker is away, each until a time of its own: supervised ones of a lost worker, until they surely have no
 * process there, and those of a former master, until their workers must have registered again. Owned by {@link
 * SubmittedDrivers}.
 */
final class FencedDrivers {
    private final Map<DriverRecord, Fence> fenced = new LinkedHashMap<>();
    private long nextNanos; // no fence ends before, if there is one

    private record Fence(String worker, long untilNanos) {}

    /** Adds a driver of the lost worker {@code worker}, which may have a process there until {@code untilNanos}. */
    void add(DriverRecord driver, String worker, long untilNanos) {
        if (fenced.isEmpty() || untilNanos - nextNanos < 0) {
            nextNanos = untilNanos;
        }
        fenced.put(driver, new Fence(worker, untilNanos));
    }

    /** Removes a driver that has ended. */
    void remove(DriverRecord driver) {
        fenced.remove(driver);
    }

    /** Removes and returns the drivers that may start elsewhere at {@code now}. */
    List<DriverRecord> due(long now) {
        if (fenced.isEmpty() || now - nextNanos < 0) {
            return List.of();
        }
        List<DriverRecord> due = take(fence -> now - fence.untilNanos() >= 0);
        nextNanos = fenced.values().stream()
                .map(Fence::untilNanos)
                .min((one, other) -> Long.signum(one - other))
                .orElse(now);
        return due;
    }

    /** Removes and returns the drivers of {@code worker}, all of whose processes have ended. */
    List<DriverRecord> of(String worker) {
        return take(fence -> fence.worker().equals(worker));
    }

    /** The drivers of {@code worker}. */
    List<DriverRecord> find(String worker) {
        return fenced.entrySet().stream()
                .filter(entry -> entry.getValue().worker().equals(worker))
                .map(Map.Entry::getKey)
                .toList();
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
