package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Processes that workers have brought and that belong to nothing that the master knows. They were ordered to end, and keep
 * what they use until they have. Owned by {@link Master}.
 */
final class EndingProcesses {
    private final Map<Key, Use> processes = new LinkedHashMap<>();

    private record Key(WorkerRecord worker, String name) {}

    private record Use(int cores, int memory) {}

    /** Reserves what the process {@code name} uses on {@code worker}, if the worker has room for it. */
    void add(WorkerRecord worker, String name, int cores, int memory, List<ResourceInformation> resources) {
        Key key = new Key(worker, name);
        if (!processes.containsKey(key) && worker.fits(cores, memory) && worker.hasFree(resources)) {
            worker.reserve(cores, memory);
            worker.claimAddresses(name, resources);
            processes.put(key, new Use(cores, memory));
        }
    }

    /** The process {@code name} on {@code worker} has ended. */
    void ended(WorkerRecord worker, String name) {
        Use use = processes.remove(new Key(worker, name));
        if (use != null) {
            worker.giveBackAddresses(name);
            worker.release(use.cores(), use.memory());
        }
    }

    /** Forgets the processes of {@code worker} but those that it still {@code brings}. */
    void retain(WorkerRecord worker, List<String> brings) {
        List.copyOf(processes.keySet()).stream()
                .filter(key -> key.worker() == worker && !brings.contains(key.name()))
                .forEach(key -> ended(worker, key.name()));
    }
}
