package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import dev.hearth.standalone.internal.master.UnplaceableExecutors.Reason;
import dev.hearth.standalone.internal.master.WaitingLine.Outcome;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Grants executors to the applications that lack some, in the order of their registration. Asks only those whose wish has
 * changed, or for which a worker has got room. Holds nothing that the records of applications and workers do not imply.
 * Part of the state machine {@link Master}, which owns it.
 */
final class ExecutorGrants {
    private static final int REASONS_MAX = 1_000;

    private final WorkerLedger workers;
    private final ApplicationLedger applications;
    private final ExecutorPlacement placement;
    private final IdGenerator ids;
    private final EffectList effects;
    private final WaitingLine<ExecutorDemand> line = new WaitingLine<>(ExecutorDemand.ORDER, ExecutorDemand::needs);
    private final NavigableSet<Paused> paused;
    private final Set<ApplicationRecord> changed = new LinkedHashSet<>(); // since the last settlement
    private final Map<ProcessNeeds, Reason> unplaceable = new LinkedHashMap<>(); // for the present set of workers
    private long workersSeen;

    /** Application that may get executors again at the time {@code dueNanos}. */
    private record Paused(ApplicationRecord application, long dueNanos) {}

    ExecutorGrants(
            boolean spreadOut,
            WorkerLedger workers,
            ApplicationLedger applications,
            IdGenerator ids,
            EffectList effects,
            long now) {
        this.workers = workers;
        this.applications = applications;
        this.ids = ids;
        this.effects = effects;
        this.placement = new ExecutorPlacement(workers.free(), spreadOut);
        // relative to one time, as the clock may pass the largest number
        this.paused = new TreeSet<>(Comparator.<Paused>comparingLong(entry -> entry.dueNanos() - now)
                .thenComparingLong(entry -> entry.application().number()));
        workers.free().onGain(line::gained);
    }

    /** The wish of an application, or what it has, has changed. */
    void changed(ApplicationRecord application) {
        changed.add(application);
    }

    /** An application has ended. */
    void remove(ApplicationRecord application) {
        changed.remove(application);
        application.demands().forEach(line::remove);
    }

    /** Grants what can be granted now. */
    void settle(long now) {
        while (!paused.isEmpty() && now - paused.first().dueNanos() >= 0) {
            ApplicationRecord application = paused.pollFirst().application();
            if (applications.contains(application)) {
                changed.add(application);
            }
        }
        changed.forEach(application -> queue(application, now));
        line.offer(demand -> grant(demand, now));
        report();
    }

    private void queue(ApplicationRecord application, long now) {
        Duration pause = application.pause(now);
        for (ExecutorDemand demand : application.demands()) {
            if (demand.isHungry() && pause.isZero()) {
                line.add(demand);
            } else {
                line.remove(demand);
            }
        }
        if (!pause.isZero() && application.executorsMissing() > 0) {
            paused.add(new Paused(application, now + pause.toNanos()));
        }
    }

    private Outcome grant(ExecutorDemand demand, long now) {
        ApplicationRecord application = demand.application();
        if (!demand.isHungry()) {
            return Outcome.LEAVES; // another demand of the application has taken the last cores that it may have
        }
        for (ExecutorPlacement.Assignment slot : placement.place(demand)) {
            Grant grant = application.grant(demand, slot.worker(), slot.cores(), now, ids.wallMillis(now));
            changed.add(application);
            launch(grant);
        }
        if (!demand.isHungry()) {
            return Outcome.LEAVES;
        }
        return workers.free().hasRoom(demand.needs()) ? Outcome.WAITS : Outcome.NO_ROOM;
    }

    private void launch(Grant grant) {
        ApplicationRecord application = grant.application();
        RegisterApplication request = application.request();
        WorkerRecord worker = grant.worker();
        effects.send(
                worker,
                new LaunchExecutor(
                        application.id(),
                        grant.executor(),
                        grant.cores(),
                        grant.memory(),
                        request.driver(),
                        request.settings(),
                        grant.addresses()));
        effects.send(
                application,
                new ExecutorGranted(
                        grant.executor(),
                        worker.id(),
                        worker.host(),
                        grant.cores(),
                        worker.directory(application.id(), grant.executor())));
    }

    /** Reports to applications that no worker could ever hold one of their executors, or that one can. */
    private void report() {
        if (workersSeen != workers.version()) {
            workersSeen = workers.version();
            Map<ProcessNeeds, Reason> before = new LinkedHashMap<>(unplaceable);
            unplaceable.clear();
            for (ProcessNeeds needs : line.needs()) {
                if (!reason(needs).equals(before.get(needs))) {
                    line.waiting(needs).forEach(demand -> changed.add(demand.application()));
                }
            }
        }
        changed.forEach(this::report);
        changed.clear();
    }

    private void report(ApplicationRecord application) {
        if (application.executors().isEmpty() && application.executorsMissing() == 0) {
            return; // what was reported last still holds
        }
        Reason reason = application.executors().isEmpty() ? reason(application) : Reason.NONE;
        if (application.unplaceable(reason)) {
            effects.send(application, new ExecutorsUnplaceable(reason.text()));
            if (application.isFirstOf(reason)) {
                effects.add(new MasterEffect.Note(
                        MasterLog.Cause.APPLICATION,
                        true,
                        "application " + application.id() + " ("
                                + application.request().name() + ") gets no executors: " + reason.text()));
            }
        }
    }

    private Reason reason(ApplicationRecord application) {
        return application.demands().stream()
                .filter(demand -> demand.missing() > 0)
                .flatMap(demand -> Stream.of(UnplaceableExecutors.beyondTheMaximum(demand), reason(demand.needs())))
                .filter(found -> !found.equals(Reason.NONE))
                .findFirst()
                .orElse(Reason.NONE);
    }

    private Reason reason(ProcessNeeds needs) {
        if (unplaceable.size() >= REASONS_MAX) {
            unplaceable.clear();
        }
        return unplaceable.computeIfAbsent(needs, what -> UnplaceableExecutors.reason(workers.all(), what));
    }

    /** Why an application that wants executors has none, for display. */
    String lacking(ApplicationRecord application, long now) {
        if (!application.unplaceable().isEmpty()) {
            return application.unplaceable();
        }
        Duration pause = application.pause(now);
        if (!pause.isZero()) {
            return "waits for " + pause.toMillis() + " ms, because "
                    + Quantity.of(application.earlyFailures(), "executor") + " ended soon after the start";
        }
        return application.demands().stream()
                .filter(demand -> demand.missing() > 0)
                .findFirst()
                .map(demand -> Shortage.of(workers, demand.needs()) + excluded(demand))
                .orElse("");
    }

    private String excluded(ExecutorDemand demand) {
        return workers.free().hasRoom(demand.needs()) ? ", and the application excludes the hosts that have room" : "";
    }
}
