package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Finds requests for executors that no worker could hold, even if nothing else ran on it. What is in use at the moment
 * and excluded hosts do not count, because waiting can change them. Stateless.
 */
final class UnplaceableExecutors {
    private UnplaceableExecutors() {}

    /**
     * Returns why no registered worker could hold an executor of {@code application}, with the request and the largest
     * worker. Empty if a worker could, if the application has an executor, and while no worker is registered, as after
     * the start of a cluster.
     */
    static String reason(Collection<WorkerRecord> workers, ApplicationRecord application) {
        if (!application.executors().isEmpty()) {
            return "";
        }
        RegisterApplication request = application.request();
        int cores = request.executorCores().orElse(1);
        int coresMax = request.coresMax().orElse(Integer.MAX_VALUE);
        if (coresMax < cores) {
            return "executors have " + Quantity.of(cores, "core") + " each (expected: at most the " + coresMax
                    + " that hearth.cores.max allows in all); lower hearth.executor.cores or raise hearth.cores.max";
        }
        if (workers.isEmpty() || workers.stream().anyMatch(worker -> missing(worker, request) == 0)) {
            return "";
        }
        return describe(workers, request);
    }

    /** Number of kinds of resources, cores and memory included, of which {@code worker} has too few in all. */
    private static int missing(WorkerRecord worker, RegisterApplication request) {
        int missing = worker.cores() < request.executorCores().orElse(1) ? 1 : 0;
        missing += worker.memory() < request.executorMemoryMebibytes() ? 1 : 0;
        for (Map.Entry<String, Integer> need : request.executorResources().entrySet()) {
            missing += worker.addresses().total(need.getKey()) < need.getValue() ? 1 : 0;
        }
        return missing;
    }

    private static String describe(Collection<WorkerRecord> workers, RegisterApplication request) {
        WorkerRecord largest = workers.stream()
                .min(Comparator.<WorkerRecord>comparingInt(worker -> missing(worker, request))
                        .thenComparing(
                                Comparator.comparingInt(WorkerRecord::memory).reversed())
                        .thenComparing(
                                Comparator.comparingInt(WorkerRecord::cores).reversed())
                        .thenComparing(WorkerRecord::id))
                .orElseThrow();
        List<String> settings = new ArrayList<>();
        if (largest.cores() < request.executorCores().orElse(1)) {
            settings.add("hearth.executor.cores");
        }
        if (largest.memory() < request.executorMemoryMebibytes()) {
            settings.add("hearth.executor.memory");
        }
        List<String> asked = new ArrayList<>();
        List<String> had = new ArrayList<>();
        request.executorResources().forEach((name, amount) -> {
            int total = largest.addresses().total(name);
            asked.add(amount + " of " + name);
            had.add(total + " of " + name);
            if (total < amount) {
                settings.add("hearth.executor.resource." + name + ".amount");
            }
        });
        return "no worker can hold an executor with "
                + size(request.executorCores().orElse(1), request.executorMemoryMebibytes(), asked)
                + " (expected: a worker of that size; the largest of " + Quantity.of(workers.size(), "worker") + ", "
                + largest.id() + ", has " + size(largest.cores(), largest.memory(), had) + " in all); lower "
                + String.join(" and ", settings) + ", or start a larger worker";
    }

    private static String size(int cores, int memoryMebibytes, List<String> resources) {
        List<String> parts = new ArrayList<>(List.of(Quantity.of(cores, "core"), memoryMebibytes + " MiB of memory"));
        parts.addAll(resources);
        String last = parts.remove(parts.size() - 1);
        return String.join(", ", parts) + " and " + last;
    }
}
