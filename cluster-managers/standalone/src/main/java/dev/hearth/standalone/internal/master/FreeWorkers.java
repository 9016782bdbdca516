package dev.hearth.standalone.internal.master;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Index of the workers on which something can be placed, by what they have free and by host. It follows each change of a
 * worker, so that no placement looks at all workers. Owned by {@link WorkerLedger}.
 */
final class FreeWorkers implements WorkerRecord.Watcher {
    private final SelectionPolicy policy;
    private final WorkerOrder forExecutors;
    private final WorkerOrder forDrivers;
    private final Set<WorkerRecord> workers = new LinkedHashSet<>();
    private final Map<String, Set<WorkerRecord>> byHost = new LinkedHashMap<>();
    private final Map<String, Integer> mostAddresses = new LinkedHashMap<>(); // by resource; until a worker changes
    private final List<Consumer<WorkerRecord>> onGain = new ArrayList<>();

    FreeWorkers(PlacementSettings settings) {
        SelectionPolicy drivers =
                settings.spreadOutDrivers() ? SelectionPolicy.CORES_FREE_DESC : SelectionPolicy.WORKER_ID;
        this.policy = settings.selection();
        this.forExecutors = new WorkerOrder(policy);
        this.forDrivers = drivers == policy ? forExecutors : new WorkerOrder(drivers);
    }

    /** Adds a listener of workers that have got more free than before, or that are new. */
    void onGain(Consumer<WorkerRecord> listener) {
        onGain.add(listener);
    }

    void add(WorkerRecord worker) {
        workers.add(worker);
        byHost.computeIfAbsent(worker.host(), first -> new LinkedHashSet<>()).add(worker);
        changed(worker, true);
    }

    void remove(WorkerRecord worker) {
        if (workers.remove(worker)) {
            Set<WorkerRecord> neighbours = byHost.getOrDefault(worker.host(), Set.of());
            neighbours.remove(worker);
            if (neighbours.isEmpty()) {
                byHost.remove(worker.host());
            }
            forExecutors.remove(worker);
            forDrivers.remove(worker);
            mostAddresses.clear();
        }
    }

    @Override
    public void changed(WorkerRecord worker, boolean gained) {
        if (workers.contains(worker)) {
            forExecutors.put(worker);
            if (forDrivers != forExecutors) {
                forDrivers.put(worker);
            }
            mostAddresses.clear();
            if (gained) {
                onGain.forEach(listener -> listener.accept(worker));
            }
        }
    }

    /** Workers with room for an executor, in the order of the selection policy. Valid until a worker changes. */
    Iterator<WorkerRecord> forExecutors(ProcessNeeds needs) {
        return forExecutors.fitting(needs);
    }

    Optional<WorkerRecord> forDriver(ProcessNeeds needs) {
        Iterator<WorkerRecord> fitting = forDrivers.fitting(needs);
        return fitting.hasNext() ? Optional.of(fitting.next()) : Optional.empty();
    }

    boolean hasRoom(ProcessNeeds needs) {
        return forExecutors.fitting(needs).hasNext();
    }

    /** The order in which {@link #forExecutors} returns workers. */
    SelectionPolicy policy() {
        return policy;
    }

    Collection<WorkerRecord> onHost(String host) {
        return byHost.getOrDefault(host, Set.of());
    }

    /** Most cores that one worker has free; 0 without workers. */
    int mostCores() {
        return forExecutors.mostCores();
    }

    /** Most memory in MiB that one worker has free; 0 without workers. */
    int mostMemory() {
        return forExecutors.mostMemory();
    }

    /** Most addresses of {@code resource} that one worker has free; 0 without workers. */
    int mostAddresses(String resource) {
        return mostAddresses.computeIfAbsent(
                resource,
                name -> workers.stream()
                        .mapToInt(worker -> worker.addresses().free(name))
                        .max()
                        .orElse(0));
    }

    boolean anySupervises() {
        return workers.stream().anyMatch(WorkerRecord::supervises);
    }
}
