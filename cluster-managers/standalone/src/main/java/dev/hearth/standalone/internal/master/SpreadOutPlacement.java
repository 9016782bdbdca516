package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.protocol.DriverSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Places drivers and executors on the workers with the most free cores, so that load is spread out. Stateless. */
final class SpreadOutPlacement {
    private static final Comparator<WorkerRecord> MOST_FREE_FIRST =
            Comparator.comparingInt(WorkerRecord::coresFree).reversed().thenComparing(WorkerRecord::id);

    private SpreadOutPlacement() {}

    /** Decision to launch one executor with {@code cores} cores on {@code worker}. */
    record Assignment(WorkerRecord worker, int cores) {}

    static Optional<WorkerRecord> forDriver(Collection<WorkerRecord> workers, DriverSpec driver) {
        return workers.stream()
                .filter(worker -> worker.fits(driver.cores(), driver.memoryMebibytes())
                        && (worker.supervises() || !driver.supervise())
                        && worker.addresses().fits(driver.addresses(), 1))
                .min(MOST_FREE_FIRST);
    }

    /**
     * Returns the executors to launch for an application now, distributed round-robin over the workers. Each round begins
     * with the workers on hosts that the application's pending tasks prefer, most tasks first. If {@code
     * hearth.executor.cores} is set, places as many executors of that size as fit. Otherwise places one executor per
     * worker, and adds one core to each executor per round.
     */
    static List<Assignment> forExecutors(Collection<WorkerRecord> workers, ApplicationRecord application) {
        int perExecutor = application.request().executorCores().orElse(1);
        boolean oneExecutorPerWorker = application.request().executorCores().isEmpty();
        int memory = application.request().executorMemoryMebibytes();
        Map<String, Integer> addresses = application.request().executorResources();
        List<WorkerRecord> usable = workers.stream()
                .filter(worker -> worker.fits(perExecutor, memory) && !application.excludes(worker.host()))
                .sorted(nearestFirst(workers, application))
                .toList();
        int[] cores = new int[usable.size()];
        int[] executors = new int[usable.size()];
        int coresLeft = application.coresAllowed();
        int executorsLeft = application.executorsMissing();
        boolean placed = true;
        while (placed) {
            placed = false;
            for (int i = 0; i < cores.length && coresLeft >= perExecutor; i++) {
                WorkerRecord worker = usable.get(i);
                boolean grows = oneExecutorPerWorker && executors[i] == 1;
                long memoryAfter = (long) memory * (executors[i] + (grows ? 0 : 1));
                boolean hasAddresses = grows || worker.addresses().fits(addresses, executors[i] + 1);
                if (worker.fits(cores[i] + perExecutor, memoryAfter) && hasAddresses && (grows || executorsLeft > 0)) {
                    cores[i] += perExecutor;
                    coresLeft -= perExecutor;
                    if (!grows) {
                        executors[i]++;
                        executorsLeft--;
                    }
                    placed = true;
                }
            }
        }
        List<Assignment> slots = new ArrayList<>();
        for (int i = 0; i < cores.length; i++) {
            for (int n = 0; n < executors[i]; n++) {
                slots.add(new Assignment(usable.get(i), cores[i] / executors[i]));
            }
        }
        return slots;
    }

    private static Comparator<WorkerRecord> nearestFirst(
            Collection<WorkerRecord> workers, ApplicationRecord application) {
        Map<String, Long> preferences = new HashMap<>(); // computed once per host; never iterated
        workers.forEach(worker -> preferences.computeIfAbsent(worker.host(), application::preference));
        return Comparator.<WorkerRecord>comparingLong(worker -> preferences.getOrDefault(worker.host(), 0L))
                .reversed()
                .thenComparing(MOST_FREE_FIRST);
    }
}
