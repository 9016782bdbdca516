package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.protocol.DriverSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Drivers that wait for a worker, in groups of equal demand: if the first one of a group fits nowhere, no other one does.
 * Owned by {@link SubmittedDrivers}.
 */
final class WaitingDrivers {
    private final Map<Demand, Group> groups = new LinkedHashMap<>();

    /** Cores, memory and addresses that a driver needs, and whether its worker must supervise it. */
    private record Demand(int cores, int memoryMebibytes, Map<String, Integer> addresses, boolean supervise) {
        static Demand of(DriverSpec spec) {
            return new Demand(spec.cores(), spec.memoryMebibytes(), spec.addresses(), spec.supervise());
        }
    }

    /** Drivers of equal demand, and why they wait. */
    static final class Group {
        private final Set<DriverRecord> drivers = new LinkedHashSet<>();
        private final List<DriverRecord> unannounced = new ArrayList<>();
        private String reason = "";

        String reason() {
            return reason;
        }

        private DriverRecord first() {
            return drivers.iterator().next();
        }
    }

    void add(DriverRecord driver) {
        Group group = groups.computeIfAbsent(Demand.of(driver.spec()), demand -> new Group());
        group.drivers.add(driver);
        group.unannounced.add(driver);
        driver.waitIn(group);
    }

    void remove(DriverRecord driver) {
        Demand demand = Demand.of(driver.spec());
        Group group = groups.get(demand);
        if (group != null && group.drivers.remove(driver) && group.drivers.isEmpty()) {
            groups.remove(demand);
        }
    }

    /**
     * Offers the waiting drivers to {@code place}, in the order of their submission, until it refuses one of each group.
     * A driver that it takes no longer waits. The others wait for the reason {@code why}. Returns those whose watchers
     * have no report of that yet.
     */
    List<DriverRecord> offer(Predicate<DriverRecord> place, Function<DriverSpec, String> why) {
        PriorityQueue<Group> open = new PriorityQueue<>(
                Comparator.comparingLong(group -> group.first().number()));
        open.addAll(groups.values());
        List<DriverRecord> waiting = new ArrayList<>();
        while (!open.isEmpty()) {
            Group group = open.remove();
            DriverRecord first = group.first();
            if (place.test(first)) {
                remove(first);
                if (!group.drivers.isEmpty()) {
                    open.add(group);
                }
            } else {
                group.reason = why.apply(first.spec());
                group.unannounced.stream().filter(group.drivers::contains).forEach(waiting::add);
                group.unannounced.clear();
            }
        }
        return waiting;
    }
}
