package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.WorkerEntry;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Workers that were lost, for display. A worker is forgotten when it registers again, after {@link
 * MasterSettings#lostWorkerRetention}, or when too many others were lost after it. Owned by {@link Master}.
 */
final class LostWorkers {
    private static final int LOST_WORKERS_MAX = 1_000;

    private final MasterSettings settings;
    private final Map<String, Loss> lost = new LinkedHashMap<>(); // by worker, the oldest loss first

    LostWorkers(MasterSettings settings) {
        this.settings = settings;
    }

    private record Loss(WorkerRecord worker, long nanos) {}

    void add(WorkerRecord worker, long now) {
        lost.remove(worker.id());
        lost.put(worker.id(), new Loss(worker, now));
        expire(now);
    }

    void returned(String worker) {
        lost.remove(worker);
    }

    int size() {
        return lost.size();
    }

    List<WorkerEntry> entries(long now) {
        expire(now);
        return lost.values().stream()
                .map(loss -> loss.worker().entry(endOf(loss.worker()), 0, now))
                .toList();
    }

    private static WorkerEntry.State endOf(WorkerRecord worker) {
        return worker.isLeaving() ? WorkerEntry.State.DECOMMISSIONED : WorkerEntry.State.DEAD;
    }

    private void expire(long now) {
        Iterator<Loss> oldest = lost.values().iterator();
        while (oldest.hasNext()) {
            boolean expired = now - oldest.next().nanos()
                    >= settings.lostWorkerRetention().toNanos();
            if (!expired && lost.size() <= LOST_WORKERS_MAX) {
                return;
            }
            oldest.remove();
        }
    }
}
