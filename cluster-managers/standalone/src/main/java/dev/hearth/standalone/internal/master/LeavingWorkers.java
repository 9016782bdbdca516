package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersDecommissioned;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import java.util.List;

/**
 * Decommissions workers: has nothing placed on them any more, and informs the applications that have executors there, which
 * may have others instead at once. Holds nothing that the records of workers and grants do not. Part of the state machine
 * {@link Master}, which owns it.
 */
final class LeavingWorkers {
    private final WorkerLedger workers;
    private final ExecutorGrants grants;
    private final EffectList effects;

    LeavingWorkers(WorkerLedger workers, ExecutorGrants grants, EffectList effects) {
        this.workers = workers;
        this.grants = grants;
        this.effects = effects;
    }

    /** Orders workers to leave, by their ids or by their hosts. Each answers with {@link WorkerLeaves}. */
    WorkersDecommissioned order(DecommissionWorkers message) {
        List<WorkerRecord> meant = workers.all().stream()
                .filter(worker -> isMeant(worker, message.targets()))
                .toList();
        meant.stream().filter(worker -> !worker.isLeaving()).forEach(worker -> {
            workers.leaves(worker);
            effects.send(worker, new LeaveCluster(message.reason()));
        });
        return new WorkersDecommissioned(meant.stream().map(WorkerRecord::id).toList());
    }

    private static boolean isMeant(WorkerRecord worker, List<String> targets) {
        return targets.stream()
                .anyMatch(target -> worker.id().equals(target) || worker.host().equalsIgnoreCase(target));
    }

    /** Records that a worker leaves, and informs the applications that have executors on it. */
    void leaves(WorkerLeaves message, long peer) {
        workers.find(message.worker(), peer).ifPresent(worker -> {
            if (!worker.isLeaving()) {
                workers.leaves(worker);
                effects.send(worker, new LeaveCluster(message.reason()));
            }
            effects.add(new MasterEffect.Note(
                    MasterLog.Cause.WORKER,
                    false,
                    "worker " + worker.id() + " is decommissioned: " + message.reason() + "; it has "
                            + Quantity.of(worker.grants().size(), "executor")));
            worker.grants().forEach(grant -> leave(grant, message));
        });
    }

    private void leave(Grant grant, WorkerLeaves message) {
        if (!grant.isLeaving()) {
            grant.application().leave(grant);
            grants.changed(grant.application());
            effects.send(
                    grant.application(),
                    new ExecutorLeaves(
                            grant.executor(),
                            "worker " + message.worker() + " is decommissioned: " + message.reason(),
                            message.withinMillis()));
        }
    }
}
