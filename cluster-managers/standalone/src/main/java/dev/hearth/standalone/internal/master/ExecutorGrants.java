package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.master.WaitingLine.Outcome;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.BatchedExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
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

    /** Time without executors after which an application learns why, and interval at which it learns of a new reason. */
    private static final long REPORT_NANOS = Duration.ofSeconds(5).toNanos();

    private final WorkerLedger workers;
    private final ApplicationLedger applications;
    private final ExecutorPlacement placement;
    private final IdGenerator ids;
    private final EffectList effects;
    private final FactList facts;
    private final WaitingLine<DemandRecord> line = new WaitingLine<>(DemandRecord.ORDER, DemandRecord::needs);
    private final NavigableSet<Due> due;
    private final Set<ApplicationRecord> changed = new LinkedHashSet<>(); // since the last settlement
    private final Map<ProcessNeeds, WaitReason> unplaceable = new LinkedHashMap<>(); // for the present set of workers
    private final Set<ApplicationRecord> waiting = new LinkedHashSet<>(); // that want executors and have none
    private long workersSeen;

    /** Application to look at again at the time {@code nanos}. */
    private record Due(ApplicationRecord application, long nanos) {}

    ExecutorGrants(
            boolean spreadOut,
            WorkerLedger workers,
            ApplicationLedger applications,
            IdGenerator ids,
            EffectList effects,
            FactList facts,
            long now) {
        this.workers = workers;
        this.applications = applications;
        this.ids = ids;
        this.effects = effects;
        this.facts = facts;
        this.placement = new ExecutorPlacement(workers.free(), spreadOut);
        // relative to one time, as the clock may pass the largest number
        this.due = new TreeSet<>(Comparator.<Due>comparingLong(entry -> entry.nanos() - now)
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
        waiting.remove(application);
        application.demands().forEach(line::remove);
    }

    /** Grants what can be granted now. */
    void settle(long now) {
        while (!due.isEmpty() && now - due.first().nanos() >= 0) {
            ApplicationRecord application = due.first().application();
            due.pollFirst();
            if (applications.contains(application)) {
                changed.add(application);
            }
        }
        changed.forEach(application -> queue(application, now));
        line.offer(demand -> grant(demand, now));
        report(now);
    }

    private void queue(ApplicationRecord application, long now) {
        Duration pause = application.pause(now);
        for (DemandRecord demand : application.demands()) {
            if (demand.isHungry() && pause.isZero()) {
                line.add(demand);
            } else {
                line.remove(demand);
            }
        }
        if (!pause.isZero() && application.lacksExecutors()) {
            due.add(new Due(application, now + pause.toNanos()));
        }
    }

    private Outcome grant(DemandRecord demand, long now) {
        ApplicationRecord application = demand.application();
        if (!demand.isHungry()) {
            return Outcome.LEAVES; // another demand of the application has taken the last cores that it may have
        }
        List<Grant> granted = placement.place(demand).stream()
                .map(slot -> application.grant(demand, slot.worker(), slot.cores(), now, ids.wallMillis(now)))
                .toList();
        if (!granted.isEmpty()) {
            changed.add(application);
            application
                    .reserve()
                    .ifPresent(below -> facts.add(() -> new Fact.ExecutorIdsReserved(application.id(), below)));
            order(application, granted);
        }
        if (!demand.isHungry()) {
            return Outcome.LEAVES;
        }
        return workers.free().hasRoom(demand.needs()) ? Outcome.WAITS : Outcome.NO_ROOM;
    }

    /** Orders executors of one demand, those of one worker at once if it takes batches, and informs the application. */
    private void order(ApplicationRecord application, List<Grant> granted) {
        Map<WorkerRecord, List<Grant>> byWorker = new LinkedHashMap<>();
        granted.forEach(grant -> byWorker.computeIfAbsent(grant.worker(), first -> new ArrayList<>())
                .add(grant));
        byWorker.forEach((worker, grants) -> {
            LaunchExecutors batch = batch(application, grants);
            if (grants.size() > 1 && worker.takesBatches()) {
                effects.send(worker, batch);
            } else {
                batch.orders().forEach(order -> effects.send(worker, order));
            }
        });
        granted.forEach(this::announce);
    }

    /** Orders an executor again that has never reached its worker. */
    void repeat(Grant grant) {
        batch(grant.application(), List.of(grant)).orders().forEach(order -> effects.send(grant.worker(), order));
    }

    /** Informs an application of an executor that it has got. */
    void announce(Grant grant) {
        effects.send(
                grant.application(),
                new ExecutorGranted(
                        grant.executor(),
                        grant.worker().id(),
                        grant.worker().host(),
                        grant.cores(),
                        grant.worker().directory(grant.application().id(), grant.executor()),
                        grant.demand().profile(),
                        grant.worker().pages()));
    }

    private static LaunchExecutors batch(ApplicationRecord application, List<Grant> grants) {
        RegisterApplication request = application.request();
        return new LaunchExecutors(
                application.id(),
                grants.get(0).memory(),
                request.driver(),
                request.settings(),
                grants.stream()
                        .map(grant -> new BatchedExecutor(grant.executor(), grant.cores(), grant.addresses()))
                        .toList(),
                grants.get(0).demand().profile());
    }

    /** Reports to applications why they have no executors, or that they get some. */
    private void report(long now) {
        if (workersSeen != workers.version()) {
            workersSeen = workers.version();
            Map<ProcessNeeds, WaitReason> before = new LinkedHashMap<>(unplaceable);
            unplaceable.clear();
            for (ProcessNeeds needs : line.needs()) {
                if (!unplaceable(needs).equals(before.get(needs))) {
                    line.waiting(needs).forEach(demand -> changed.add(demand.application()));
                }
            }
        }
        changed.forEach(application -> report(application, now));
        changed.clear();
    }

    private void report(ApplicationRecord application, long now) {
        if (application.waits()) {
            waiting.add(application);
        } else {
            waiting.remove(application);
        }
        long waited = application.waitedNanos(now);
        if (application.isAway() || (application.executors().isEmpty() && !application.waits())) {
            return; // what was reported last still holds
        }
        WaitReason reason = application.waits() ? unplaceable(application) : WaitReason.NONE;
        if (application.waits() && reason.isNone()) {
            if (waited >= REPORT_NANOS) {
                reason = lacking(application, now);
            }
            due.add(new Due(application, now + REPORT_NANOS - waited % REPORT_NANOS));
        }
        if (application.report(reason)) {
            effects.send(application, message(reason));
            if (application.isFirstOf(reason)) {
                effects.add(new MasterEffect.Note(
                        MasterLog.Cause.APPLICATION,
                        true,
                        "application " + application.id() + " ("
                                + application.request().name() + ") gets no executors: " + reason.text()));
            }
        }
    }

    private static ExecutorsUnplaceable message(WaitReason reason) {
        return reason.lasting()
                ? new ExecutorsUnplaceable(reason.text(), "")
                : new ExecutorsUnplaceable("", reason.text());
    }

    /** Why no worker could ever hold an executor of an application, or none. */
    private WaitReason unplaceable(ApplicationRecord application) {
        return application.demands().stream()
                .filter(demand -> demand.missing() > 0)
                .flatMap(
                        demand -> Stream.of(UnplaceableExecutors.beyondTheMaximum(demand), unplaceable(demand.needs())))
                .filter(found -> !found.isNone())
                .findFirst()
                .orElse(WaitReason.NONE);
    }

    private WaitReason unplaceable(ProcessNeeds needs) {
        if (unplaceable.size() >= REASONS_MAX) {
            unplaceable.clear();
        }
        return unplaceable.computeIfAbsent(needs, what -> UnplaceableExecutors.reason(workers.staying(), what));
    }

    /** Number of applications that want executors and have none. */
    int waiting() {
        return waiting.size();
    }

    /** Why an application that wants executors has none at present. */
    WaitReason lacking(ApplicationRecord application, long now) {
        if (application.reported().lasting()) {
            return application.reported();
        }
        Duration pause = application.pause(now);
        if (!pause.isZero()) {
            String text = "waits for " + pause.toMillis() + " ms, because "
                    + Quantity.of(application.earlyFailures(), "executor") + " failed soon after the start";
            return new WaitReason("pause", text, false);
        }
        return application.demands().stream()
                .filter(demand -> demand.missing() > 0)
                .findFirst()
                .map(demand -> lacking(demand.needs()))
                .orElse(WaitReason.NONE);
    }

    private WaitReason lacking(ProcessNeeds needs) {
        WaitReason shortage = Shortage.of(workers, needs);
        return workers.free().hasRoom(needs)
                ? new WaitReason(
                        "excluded",
                        shortage.text() + "; the application excludes the hosts of those that have room",
                        false)
                : shortage;
    }
}
