package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationSession.HeldExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import dev.hearth.standalone.internal.protocol.WorkerSession.ExecutorReport;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Agreement of the master with workers and applications about executors, when one of them registers again. Executors of
 * applications that have not registered with a new master are unclaimed: they keep what they use until their application
 * comes or the time for that is over. Part of the state machine {@link Master}, which owns it.
 */
final class ExecutorReturns {
    private final WorkerLedger workers;
    private final ApplicationLedger applications;
    private final ExecutorGrants grants;
    private final IdGenerator ids;
    private final EffectList effects;
    private final EndingProcesses ending;
    private final Map<String, Unclaimed> unclaimed = new LinkedHashMap<>(); // by holder of addresses
    private final long claimNanos; // until which applications may claim executors
    private final long returnNanos; // until which workers may bring executors
    private boolean mayReturn = true;

    /** Executor that runs on {@code worker}, and may belong to an application that has not registered yet. */
    private static final class Unclaimed {
        private final WorkerRecord worker;
        private final ExecutorReport report;
        private boolean stops;

        Unclaimed(WorkerRecord worker, ExecutorReport report) {
            this.worker = worker;
            this.report = report;
        }
    }

    ExecutorReturns(
            SessionSettings settings,
            WorkerLedger workers,
            ApplicationLedger applications,
            ExecutorGrants grants,
            IdGenerator ids,
            EffectList effects,
            EndingProcesses ending,
            long now) {
        this.workers = workers;
        this.applications = applications;
        this.grants = grants;
        this.ids = ids;
        this.effects = effects;
        this.ending = ending;
        this.claimNanos = now + settings.applicationGrace().toNanos();
        this.returnNanos = now + settings.recoveryTimeout().toNanos();
    }

    /**
     * Compares the executors that {@code worker} reports with those that the master has granted there. Repeats lost orders,
     * and stops executors that belong to no application. Returns reports about released executors that never started.
     */
    List<ExecutorEnded> reconcile(WorkerRecord worker, WorkerSession session, long now) {
        Set<String> reported = new LinkedHashSet<>();
        for (ExecutorReport report : session.executors()) {
            reported.add(Grant.holder(report.application(), report.executor()));
            reconcile(worker, report, now);
        }
        List.copyOf(unclaimed.entrySet()).stream()
                .filter(entry -> entry.getValue().worker == worker && !reported.contains(entry.getKey()))
                .forEach(entry -> forget(entry.getKey()));
        giveUp(worker.id(), "worker " + worker.id() + " has registered without it");
        List<ExecutorEnded> ended = new ArrayList<>();
        for (Grant grant : List.copyOf(worker.grants())) {
            if (reported.contains(grant.holder())) {
                continue;
            }
            if (grant.isReleased()) {
                ended.add(new ExecutorEnded(
                        grant.application().id(),
                        grant.executor(),
                        OptionalInt.empty(),
                        "released before it was started",
                        List.of()));
            } else {
                grants.repeat(grant);
            }
        }
        return ended;
    }

    private void reconcile(WorkerRecord worker, ExecutorReport report, long now) {
        String holder = Grant.holder(report.application(), report.executor());
        ApplicationRecord application = applications.find(report.application()).orElse(null);
        Grant grant = application == null ? null : application.executors().get(report.executor());
        if (grant != null && grant.worker() == worker) {
            if (grant.isReleased() && !report.ended()) {
                order(worker, report);
            }
        } else if (unclaimed.containsKey(holder) || (report.ended() && application == null)) {
            return; // as before, or the message about the end follows
        } else if (application != null && application.expectNoMore(report.executor()) && hasRoom(worker, report)) {
            application.adopt(worker, report, now, ids.wallMillis(now));
            grants.changed(application);
        } else if (application == null && now - claimNanos < 0 && hasRoom(worker, report)) {
            worker.reserve(report.cores(), report.memoryMebibytes());
            worker.claimAddresses(holder, report.resources());
            unclaimed.put(holder, new Unclaimed(worker, report));
        } else if (!report.ended()) {
            stop(worker, report);
        }
    }

    private static boolean hasRoom(WorkerRecord worker, ExecutorReport report) {
        return worker.fits(report.cores(), report.memoryMebibytes()) && worker.hasFree(report.resources());
    }

    private void stop(WorkerRecord worker, ExecutorReport report) {
        ending.add(
                worker,
                Grant.holder(report.application(), report.executor()),
                report.cores(),
                report.memoryMebibytes(),
                report.resources());
        order(worker, report);
    }

    private void order(WorkerRecord worker, ExecutorReport report) {
        effects.send(worker, new StopExecutor(report.application(), report.executor()));
    }

    /**
     * Gives an application that registers again the executors that it {@code holds}. Those that no worker has brought yet
     * are expected, if the application {@code isNew} to this master; while that is possible, nothing is granted instead of
     * them. The application learns of the others.
     */
    void claim(ApplicationRecord application, List<HeldExecutor> holds, boolean isNew, long now) {
        Set<ExecutorId> held = new LinkedHashSet<>();
        for (HeldExecutor executor : holds) {
            held.add(executor.executor());
            if (application.executors().containsKey(executor.executor())
                    || application.isExpecting(executor.executor())) {
                continue;
            }
            String holder = Grant.holder(application.id(), executor.executor());
            Unclaimed found = unclaimed.get(holder);
            if (found != null && !found.stops) {
                forget(holder);
                application.adopt(found.worker, found.report, now, ids.wallMillis(now));
            } else if (isNew
                    && found == null
                    && mayReturn
                    && workers.find(executor.worker()).isEmpty()) {
                application.expect(executor);
            } else {
                gone(application, executor, "it is not known to the master");
            }
        }
        for (Grant grant : application.executors().values()) {
            if (!held.contains(grant.executor())) {
                grants.announce(grant);
            }
        }
        unclaimed.values().stream()
                .filter(other -> other.report.application().equals(application.id()) && !other.stops)
                .forEach(this::stop);
        grants.changed(application);
    }

    private void stop(Unclaimed executor) {
        executor.stops = true;
        order(executor.worker, executor.report);
    }

    private void gone(ApplicationRecord application, HeldExecutor executor, String why) {
        effects.send(
                application,
                new ExecutorGone(executor.executor(), Cause.HOST_LOST, why, OptionalInt.empty(), List.of()));
    }

    /** An executor has ended, or its worker is lost. */
    void ended(ApplicationId application, ExecutorId executor) {
        forget(Grant.holder(application, executor));
        applications.find(application).ifPresent(known -> {
            if (known.expectNoMore(executor)) {
                grants.changed(known);
            }
        });
    }

    private void forget(String holder) {
        Unclaimed executor = unclaimed.remove(holder);
        if (executor != null) {
            executor.worker.giveBackAddresses(holder);
            executor.worker.release(executor.report.cores(), executor.report.memoryMebibytes());
        }
    }

    /** Forgets the unclaimed executors of a worker that is lost. */
    void workerLost(WorkerRecord worker) {
        Iterator<Unclaimed> all = unclaimed.values().iterator();
        while (all.hasNext()) {
            if (all.next().worker == worker) {
                all.remove();
            }
        }
    }

    /** Names of the executors of {@code worker} that are unclaimed. */
    List<String> unclaimedOn(WorkerRecord worker) {
        return unclaimed.entrySet().stream()
                .filter(entry -> entry.getValue().worker == worker && !entry.getValue().stops)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Stops what no application has claimed, and gives up executors that no worker has brought, when the time for it is over. */
    void expire(long now) {
        if (now - claimNanos >= 0) {
            unclaimed.values().stream().filter(executor -> !executor.stops).forEach(this::stop);
        }
        if (mayReturn && now - returnNanos >= 0) {
            giveUp("", "its worker did not register again");
            mayReturn = false;
        }
    }

    /** Gives up the executors that applications expect on {@code worker}, or on all workers if that is empty. */
    private void giveUp(String worker, String why) {
        if (!mayReturn) {
            return;
        }
        for (ApplicationRecord application : applications.all()) {
            for (HeldExecutor executor : application.expected()) {
                if (worker.isEmpty() || worker.equals(executor.worker())) {
                    application.expectNoMore(executor.executor());
                    gone(application, executor, why);
                    grants.changed(application);
                }
            }
        }
    }
}
