package dev.hearth.standalone.internal.master;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which workers get the executors of an application, and how many cores. Looks only at workers that may get one.
 * Changes nothing. Owned by {@link ExecutorGrants}.
 */
final class ExecutorPlacement {
    private final FreeWorkers workers;
    private final boolean spreadOut;

    ExecutorPlacement(FreeWorkers workers, boolean spreadOut) {
        this.workers = workers;
        this.spreadOut = spreadOut;
    }

    /** Decision to launch one executor with {@code cores} cores on {@code worker}. */
    record Assignment(WorkerRecord worker, int cores) {}

    /** Worker that may get executors, with those that it gets. */
    private static final class Candidate {
        private final WorkerRecord worker;
        private int cores;
        private int executors;

        Candidate(WorkerRecord worker) {
            this.worker = worker;
        }
    }

    /**
     * Returns the executors to launch for {@code demand} now. Workers on hosts that pending tasks prefer come first, those of
     * most tasks before others, then those of the selection policy. Executors of a fixed size are placed one by one; others
     * get a core at a time, one executor for each worker. Spread out, each worker gets one of these in turn; packed, it gets
     * as many as it holds.
     */
    List<Assignment> place(DemandRecord demand) {
        return new Deal(demand).assignments();
    }

    /** One distribution of executors. */
    private final class Deal {
        private final DemandRecord demand;
        private final ProcessNeeds needs;
        private final Iterator<WorkerRecord> source;
        private final List<Candidate> candidates = new ArrayList<>();
        private int coresLeft;
        private int executorsLeft;

        Deal(DemandRecord demand) {
            this.demand = demand;
            this.needs = demand.needs();
            this.source = nearestFirst(demand);
            this.coresLeft = demand.application().coresAllowed();
            this.executorsLeft = demand.missing();
        }

        List<Assignment> assignments() {
            boolean placed = true;
            while (placed) {
                placed = round();
            }
            List<Assignment> assignments = new ArrayList<>();
            for (Candidate candidate : candidates) {
                for (int n = 0; n < candidate.executors; n++) {
                    assignments.add(new Assignment(candidate.worker, candidate.cores / candidate.executors));
                }
            }
            return assignments;
        }

        /** Gives each worker its turn. Returns whether one got anything. */
        private boolean round() {
            boolean placed = false;
            Candidate candidate = candidate(0);
            for (int i = 1; candidate != null; i++) {
                boolean again = true;
                while (again && add(candidate)) {
                    placed = true;
                    again = !spreadOut;
                }
                candidate = coresLeft >= needs.cores() ? candidate(i) : null;
            }
            return placed;
        }

        /** The next worker of this round. New ones are of use only as long as executors are missing. */
        private @Nullable Candidate candidate(int number) {
            if (number == candidates.size() && executorsLeft > 0 && source.hasNext()) {
                candidates.add(new Candidate(source.next()));
            }
            return number < candidates.size() ? candidates.get(number) : null;
        }

        private boolean add(Candidate candidate) {
            boolean grows = !demand.isSized() && candidate.executors == 1;
            int executors = candidate.executors + (grows ? 0 : 1);
            int cores = candidate.cores + needs.cores();
            boolean fits = coresLeft >= needs.cores()
                    && (grows || executorsLeft > 0)
                    && candidate.worker.fits(cores, (long) needs.memoryMebibytes() * executors)
                    && (grows || candidate.worker.addresses().fits(needs.addresses(), executors));
            if (fits) {
                executorsLeft -= executors - candidate.executors;
                coresLeft -= needs.cores();
                candidate.executors = executors;
                candidate.cores = cores;
            }
            return fits;
        }
    }

    private Iterator<WorkerRecord> nearestFirst(DemandRecord demand) {
        ProcessNeeds needs = demand.needs();
        Set<WorkerRecord> preferred = new LinkedHashSet<>();
        demand.tasksByHost().entrySet().stream()
                .filter(tasks -> tasks.getValue() > 0)
                .map(Map.Entry::getKey)
                .flatMap(host -> workers.onHost(host).stream())
                .filter(worker -> needs.fit(worker)
                        && demand.preference(worker.host()) > 0
                        && !demand.application().excludes(worker.host()))
                .sorted(Comparator.<WorkerRecord>comparingLong(worker -> demand.preference(worker.host()))
                        .reversed()
                        .thenComparing(workers.policy().order()))
                .forEach(preferred::add);
        Iterator<WorkerRecord> first = preferred.iterator();
        Iterator<WorkerRecord> others = workers.forExecutors(needs);
        return new Iterator<>() {
            private @Nullable WorkerRecord found;

            @Override
            public boolean hasNext() {
                while (found == null && (first.hasNext() || others.hasNext())) {
                    if (first.hasNext()) {
                        found = first.next();
                    } else {
                        WorkerRecord worker = others.next();
                        boolean skipped = preferred.contains(worker)
                                || demand.application().excludes(worker.host());
                        found = skipped ? null : worker;
                    }
                }
                return found != null;
            }

            @Override
            public WorkerRecord next() {
                WorkerRecord next = hasNext() ? found : null;
                if (next == null) {
                    throw new IllegalStateException("no worker is left (expected: hasNext)");
                }
                found = null;
                return next;
            }
        };
    }
}
