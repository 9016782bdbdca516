package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Processes that were ordered to end and belong to nothing that the master knows any more: executors of applications that
 * have ended, and what workers have brought that nothing claims. They keep what they use until their workers report their
 * end, which they do within the time that a worker takes to kill a process. Owned by {@link Master}.
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
