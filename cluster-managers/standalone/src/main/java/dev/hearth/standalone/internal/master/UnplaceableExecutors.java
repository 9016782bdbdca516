package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Finds requests for executors that no worker could hold, even if nothing else ran on it. What is in use at the moment
 * and excluded hosts do not count, because waiting can change them. Stateless.
 */
final class UnplaceableExecutors {
    private UnplaceableExecutors() {}

    /** Returns why {@code demand} exceeds what its application may have; none if it does not. */
    static WaitReason beyondTheMaximum(DemandRecord demand) {
        int cores = demand.needs().cores();
        int most = demand.application().coresMax();
        if (most >= cores) {
            return WaitReason.NONE;
        }
        return new WaitReason(
                "cores.max",
                "executors have " + Quantity.of(cores, "core") + " each (expected: at most the " + most
                        + " that hearth.cores.max allows in all); lower hearth.executor.cores or raise hearth.cores.max",
                true);
    }

    /**
     * Returns why none of {@code workers} could hold an executor that needs {@code needs}, with the largest worker. None if
     * a worker could, and while there are no workers, as after the start of a cluster.
     */
    static WaitReason reason(Collection<WorkerRecord> workers, ProcessNeeds needs) {
        return workers.isEmpty() || workers.stream().anyMatch(worker -> needs.tooFewInAll(worker) == 0)
                ? WaitReason.NONE
                : describe(workers, needs);
    }

    private static WaitReason describe(Collection<WorkerRecord> workers, ProcessNeeds needs) {
        WorkerRecord largest = workers.stream()
                .min(Comparator.<WorkerRecord>comparingInt(worker -> needs.tooFewInAll(worker))
                        .thenComparing(
                                Comparator.comparingInt(WorkerRecord::memory).reversed())
                        .thenComparing(
                                Comparator.comparingInt(WorkerRecord::cores).reversed())
                        .thenComparing(WorkerRecord::id))
                .orElseThrow();
        List<String> settings = new ArrayList<>();
        if (largest.cores() < needs.cores()) {
            settings.add("hearth.executor.cores");
        }
        if (largest.memory() < needs.memoryMebibytes()) {
            settings.add("hearth.executor.memory");
        }
        List<String> asked = new ArrayList<>();
        List<String> had = new ArrayList<>();
        needs.addresses().forEach((name, amount) -> {
            int total = largest.addresses().total(name);
            asked.add(amount + " of " + name);
            had.add(total + " of " + name);
            if (total < amount) {
                settings.add("hearth.executor.resource." + name + ".amount");
            }
        });
        String text = "no worker can hold an executor with "
                + size(needs.cores(), needs.memoryMebibytes(), asked)
                + " (expected: a worker of that size; the largest of " + Quantity.of(workers.size(), "worker") + ", "
                + largest.id() + ", has " + size(largest.cores(), largest.memory(), had) + " in all); lower "
                + String.join(" and ", settings) + ", or start a larger worker";
        String subject = largest.id() + " " + largest.cores() + " " + largest.memory() + " " + settings;
        return new WaitReason(subject, text, true);
    }

    private static String size(int cores, int memoryMebibytes, List<String> resources) {
        List<String> parts = new ArrayList<>(List.of(Quantity.of(cores, "core"), memoryMebibytes + " MiB of memory"));
        parts.addAll(resources);
        String last = parts.remove(parts.size() - 1);
        return String.join(", ", parts) + " and " + last;
    }
}
