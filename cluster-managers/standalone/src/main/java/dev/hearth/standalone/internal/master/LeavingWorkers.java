package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import dev.hearth.standalone.internal.master.WorkerRecord.Departure;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersDecommissioned;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

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
        meant.forEach(worker -> {
            if (!worker.isLeaving()) {
                workers.leaves(worker, new Departure(message.reason(), false, OptionalLong.empty()));
            }
            confirm(worker);
        });
        return new WorkersDecommissioned(meant.stream().map(WorkerRecord::id).toList());
    }

    private static boolean isMeant(WorkerRecord worker, List<String> targets) {
        return targets.stream()
                .anyMatch(target -> worker.id().equals(target) || worker.host().equalsIgnoreCase(target));
    }

    /** Orders a worker to leave, or confirms that it does, once over each connection. */
    private void confirm(WorkerRecord worker) {
        worker.departure()
                .filter(known -> worker.confirms())
                .ifPresent(known -> effects.send(worker, new LeaveCluster(known.reason())));
    }

    /** A worker is back over another connection, over which it has no order yet. */
    void returned(WorkerRecord worker) {
        confirm(worker);
    }

    /** Records that a worker leaves, and informs the applications that have executors on it. */
    void leaves(WorkerLeaves message, long peer, long now) {
        workers.find(message.worker(), peer).ifPresent(worker -> {
            workers.leaves(worker, departure(message, now));
            confirm(worker);
            effects.add(new MasterEffect.Note(
                    MasterLog.Cause.WORKER,
                    false,
                    "worker " + worker.id() + " is decommissioned: " + message.reason() + "; it has "
                            + Quantity.of(worker.grants().size(), "executor")));
            worker.grants().stream().filter(grant -> !grant.isLeaving()).forEach(grant -> leave(grant, now));
        });
    }

    private static Departure departure(WorkerLeaves message, long now) {
        return new Departure(
                message.reason(),
                true,
                message.withinMillis().isPresent()
                        ? OptionalLong.of(now
                                + Duration.ofMillis(message.withinMillis().getAsLong())
                                        .toNanos())
                        : OptionalLong.empty());
    }

    /** An application is back, or new to this master: informs it of its executors on workers that leave. */
    void returned(ApplicationRecord application, long now) {
        List.copyOf(application.executors().values()).stream()
                .filter(grant ->
                        grant.worker().departure().filter(Departure::begun).isPresent())
                .forEach(grant -> leave(grant, now));
    }

    private void leave(Grant grant, long now) {
        Departure departure = grant.worker().departure().orElseThrow();
        grant.application().leave(grant);
        grants.changed(grant.application());
        effects.send(
                grant.application(),
                new ExecutorLeaves(
                        grant.executor(),
                        "worker " + grant.worker().id() + " is decommissioned: " + departure.reason(),
                        departure.endNanos().isPresent()
                                ? OptionalLong.of(Math.max(
                                        0,
                                        Duration.ofNanos(departure.endNanos().getAsLong() - now)
                                                .toMillis()))
                                : OptionalLong.empty()));
    }
}
