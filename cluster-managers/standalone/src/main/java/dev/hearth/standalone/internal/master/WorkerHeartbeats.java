package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Heartbeats of workers, and their check: a worker that has got all orders and runs other processes than the master
 * believes has to register again. Part of the state machine {@link Master}, which owns it.
 */
record WorkerHeartbeats(WorkerLedger workers, SubmittedDrivers drivers, ExecutorReturns executors) {
    /** Answer to a heartbeat. */
    enum Answer {
        NONE,
        RENEW_LEASE,
        REGISTER_AGAIN
    }

    /** Records a heartbeat. The lease of a worker begins again, unless it has to say first what it runs. */
    Answer answer(WorkerHeartbeat message, long peer, long now) {
        Optional<WorkerRecord> known = workers.find(message.worker(), peer).filter(worker -> !worker.isAway());
        known.ifPresent(registered -> workers.heard(registered, now));
        boolean tells = message.children() != 0;
        if (known.isEmpty()) {
            return tells ? Answer.REGISTER_AGAIN : Answer.NONE;
        }
        if (tells
                && message.orders() == known.get().orders()
                && message.children() != WorkerSession.sum(childrenOf(known.get()))) {
            return Answer.REGISTER_AGAIN;
        }
        return known.get().supervises() ? Answer.RENEW_LEASE : Answer.NONE;
    }

    /** Names of the processes of a worker that have not been ordered to end. */
    private List<String> childrenOf(WorkerRecord worker) {
        List<String> children = new ArrayList<>(executors.unclaimedOn(worker));
        drivers.runningOn(worker).stream()
                .filter(driver -> !driver.isKilled())
                .forEach(driver -> children.add(driver.id().value()));
        worker.grants().stream().filter(grant -> !grant.isReleased()).forEach(grant -> children.add(grant.holder()));
        return children;
    }
}
