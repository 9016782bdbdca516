package dev.hearth.itests.simulation;

import dev.hearth.testkit.Simulation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All processes of drivers and executors that workers have started. Checks at each start, which alone can break it, that
 * each driver has one process at most and that no worker runs more than it has.
 */
final class ProcessLedger {
    private final Simulation simulation;
    private final Map<String, Entry> entries = new LinkedHashMap<>(); // by driver, or application and executor

    ProcessLedger(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The capacity of a worker, and the part of it that its processes use. */
    static final class Capacity {
        private final String worker;
        private final int cores;
        private final int mebibytes;
        private int coresUsed;
        private int mebibytesUsed;

        Capacity(String worker, int cores, int mebibytes) {
            this.worker = worker;
            this.cores = cores;
            this.mebibytes = mebibytes;
        }

        private boolean isKept() {
            return coresUsed <= cores && mebibytesUsed <= mebibytes;
        }
    }

    /** The processes of one driver or executor. */
    private static final class Entry {
        private int starts;
        private int alive;
        private SimulatedProcesses.Child last;
        private String worker;

        private Entry(SimulatedProcesses.Child first, String worker) {
            last = first;
            this.worker = worker;
        }
    }

    /** Records that a process begins, which uses so much of {@code place} until it ends. */
    void began(String name, SimulatedProcesses.Child child, Capacity place, int cores, int mebibytes) {
        Entry entry = entries.computeIfAbsent(name, first -> new Entry(child, place.worker));
        entry.last = child;
        entry.worker = place.worker;
        entry.starts++;
        entry.alive++;
        place.coresUsed += cores;
        place.mebibytesUsed += mebibytes;
        child.process().onCrash(() -> {
            entry.alive--;
            place.coresUsed -= cores;
            place.mebibytesUsed -= mebibytes;
        });
        simulation.require("at most one process of " + name, () -> entry.alive <= 1);
        simulation.require(place.worker + " runs no more than it has", place::isKept);
    }

    int starts(String name) {
        return entries.containsKey(name) ? entries.get(name).starts : 0;
    }

    /** The process of {@code name} that runs. */
    Optional<SimulatedProcesses.Child> running(String name) {
        return Optional.ofNullable(entries.get(name))
                .filter(entry -> entry.alive > 0)
                .map(entry -> entry.last);
    }

    /** Names of the processes that were started, each as often as it was. */
    List<String> history() {
        List<String> names = new ArrayList<>();
        entries.forEach((name, entry) -> {
            for (int start = 0; start < entry.starts; start++) {
                names.add(name);
            }
        });
        return names;
    }

    /** Names of those that run. */
    List<String> running() {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().alive > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Those that run, with their workers, in the order of their names. */
    List<String> placed() {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().alive > 0)
                .map(entry -> entry.getKey() + " on " + entry.getValue().worker)
                .sorted()
                .toList();
    }
}
