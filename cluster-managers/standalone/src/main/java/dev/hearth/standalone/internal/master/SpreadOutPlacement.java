package dev.hearth.standalone.internal.master;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Where drivers and executors go: spread out, on the workers with most free cores first. No state of its own. */
final class SpreadOutPlacement {
    private static final Comparator<WorkerRecord> MOST_FREE_FIRST =
            Comparator.comparingInt(WorkerRecord::coresFree).reversed().thenComparing(WorkerRecord::id);

    private SpreadOutPlacement() {}

    /** One executor to launch. */
    record Assignment(WorkerRecord worker, int cores) {}

    static Optional<WorkerRecord> forDriver(Collection<WorkerRecord> workers, int cores, int memory) {
        return workers.stream().filter(worker -> worker.fits(cores, memory)).min(MOST_FREE_FIRST);
    }

    /**
     * The executors to launch for an application now. With a number of cores per executor, as many executors as fit, dealt
     * around; without one, a single executor per worker that takes cores one at a time, dealt around.
     */
    static List<Assignment> forExecutors(Collection<WorkerRecord> workers, ApplicationRecord application) {
        int perExecutor = application.request().executorCores().orElse(1);
        boolean oneEach = application.request().executorCores().isEmpty();
        int memory = application.request().executorMemoryMebibytes();
        List<WorkerRecord> usable = workers.stream()
                .filter(worker -> worker.fits(perExecutor, memory) && !application.excludes(worker.host()))
                .sorted(MOST_FREE_FIRST)
                .toList();
        int[] cores = new int[usable.size()];
        int[] executors = new int[usable.size()];
        int coresLeft = application.coresMissing();
        int executorsLeft = application.executorsMissing();
        boolean given = true;
        while (given) {
            given = false;
            for (int i = 0; i < cores.length && coresLeft >= perExecutor; i++) {
                WorkerRecord worker = usable.get(i);
                boolean grows = oneEach && executors[i] == 1;
                int memoryAfter = memory * (executors[i] + (grows ? 0 : 1));
                if (worker.fits(cores[i] + perExecutor, memoryAfter) && (grows || executorsLeft > 0)) {
                    cores[i] += perExecutor;
                    coresLeft -= perExecutor;
                    if (!grows) {
                        executors[i]++;
                        executorsLeft--;
                    }
                    given = true;
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
}
