package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.ExecutorEntry.State;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationRegistered;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DoubtExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversCleared;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListedDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ProfileDemand;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WatchDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerFull;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersDecommissioned;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Places drivers and executors on the workers of a standalone cluster. A state machine: events arrive as method calls
 * with the time, and answers are return values. {@link #settle} places waiting drivers and executors and returns the
 * effects. Owned by {@link MasterShell}.
 * <p>Invariants: a worker's reserved resources never exceed its total; ids are unique; what was registered or launched over
 * a lost connection ends unless it comes back in time; every driver reaches exactly one final state. See the package for
 * the terms.
 */
final class Master {
    /**
     * Heartbeats after which the silence of a worker confirms a doubt about one of its executors, and another process may
     * take its id.
     */
    private static final int SILENT_HEARTBEATS = 2;

    private static final String DRIVER_KILLED = "its driver was killed";

    private final MasterSettings settings;
    private final IdGenerator ids;
    private final EffectList effects = new EffectList();
    private final FactList facts;
    private final WorkerLedger workers;
    private final SubmittedDrivers drivers;
    private final ApplicationLedger applications = new ApplicationLedger();
    private final DriverReturns driverReturns;
    private final EndingProcesses ending = new EndingProcesses();
    private final ExecutorGrants grants;
    private final ExecutorReturns executorReturns;
    private final ApplicationSessions sessions;
    private final ClusterHistory history;
    private final LeavingWorkers leaving;
    private final PausedWorkers paused;
    private final WorkerHeartbeats heartbeats;
    private final ApplicationListing listing;
    private final List<DriverRecord> ended = new ArrayList<>(); // since the last settlement

    /** Creates a master without uploaded files. */
    Master(MasterSettings settings, IdGenerator ids, long now) {
        this(settings, ids, ContentLedger.none(), Optional.empty(), now);
    }

    /** Creates a master that goes on where the one before, which has left {@code ledger}, has ended. */
    Master(MasterSettings settings, IdGenerator ids, ContentLedger contents, Optional<MasterLedger> ledger, long now) {
        this.facts = new FactList(ledger);
        this.settings = settings;
        this.ids = ids;
        this.workers = new WorkerLedger(settings, now);
        this.drivers = new SubmittedDrivers(settings.drivers(), workers, ids, effects, facts, contents);
        this.driverReturns = new DriverReturns(drivers, ids, effects, facts, ending);
        this.grants =
                new ExecutorGrants(settings.placement().spreadOut(), workers, applications, ids, effects, facts, now);
        this.executorReturns =
                new ExecutorReturns(settings.sessions(), workers, applications, grants, ids, effects, ending, now);
        this.history = new ClusterHistory(settings);
        this.leaving = new LeavingWorkers(workers, grants, effects);
        this.heartbeats = new WorkerHeartbeats(workers, drivers, executorReturns);
        this.listing = new ApplicationListing(applications, history, grants, ids);
        this.sessions = new ApplicationSessions(settings, applications, grants, drivers, history, ids, facts, now);
        drivers.onEnd(ended::add);
        this.paused = new PausedWorkers(workers, effects);
        ledger.ifPresent(kept -> {
            ids.resume(kept.submissions(), kept.applications());
            drivers.recover(settings.recovery(), now);
        });
    }

    /** Returns the facts since the last call, which must be durable before the effects and answers that follow them. */
    List<Fact> facts() {
        return facts.take();
    }

    /** Sets why nothing new is to be taken on, such as a log that cannot be written; empty if nothing hinders. */
    void hindered(Optional<String> why) {
        sessions.hindered(why);
        drivers.hindered(why);
    }

    /** Registers a worker. One that has been away goes on with what it runs; another one is new. */
    WorkerRegistered registerWorker(RegisterWorker message, long peer, long now) {
        Optional<WorkerRecord> known = workers.find(message.worker());
        if (known.filter(worker -> worker.peer() == peer && !worker.isAway()).isPresent()) {
            return registered();
        }
        Optional<String> refusal =
                workers.refusal(message, peer, settings.heartbeat().multipliedBy(SILENT_HEARTBEATS), now);
        if (refusal.isPresent()) {
            return new WorkerRegistered(refusal.get(), 0, 0);
        }
        Optional<WorkerRecord> same = known.filter(worker -> worker.isContinuedBy(message));
        known.filter(worker -> !worker.isAway()).ifPresent(effects::disconnect);
        if (same.isPresent()) {
            workers.returns(same.get(), peer, now);
            leaving.returned(same.get());
        } else {
            known.ifPresent(worker -> workerLost(worker, "the worker registered again over another connection", now));
            workers.register(message, peer, now);
        }
        reconcile(workers.find(message.worker()).orElseThrow(), message.session(), now);
        return registered();
    }

    private void reconcile(WorkerRecord worker, WorkerSession session, long now) {
        ending.retain(worker, session.runs());
        driverReturns
                .reconcile(worker, session, now)
                .forEach(end -> removeOf(end.submission(), end.attempt(), end.why(), now));
        executorReturns.reconcile(worker, session, now).forEach(end -> executorEnded(end, worker.peer(), now));
        if (!session.isResumable()) {
            drivers.workerReturned(worker.id());
        }
    }

    private WorkerRegistered registered() {
        return new WorkerRegistered(
                "", settings.heartbeat().toMillis(), settings.lease().toMillis());
    }

    WorkerHeartbeats.Answer workerHeartbeat(WorkerHeartbeat message, long peer, long now) {
        return heartbeats.answer(message, peer, now);
    }

    void workerStops(String worker, long peer) {
        workers.find(worker, peer).ifPresent(WorkerRecord::stops);
    }

    void workerLeaves(WorkerLeaves message, long peer, long now) {
        leaving.leaves(message, peer, now);
    }

    void workerFull(WorkerFull message, long peer, long now) {
        paused.pause(message, peer, now);
    }

    WorkersDecommissioned decommission(DecommissionWorkers message) {
        return leaving.order(message);
    }

    DriverSubmitted submit(SubmitDriver message, long now) {
        return drivers.submit(message, now);
    }

    void acknowledged(SubmitDriver message, long peer) {
        drivers.acknowledged(message, peer);
    }

    DriverFound find(SubmissionId submission) {
        return drivers.find(submission);
    }

    DriverFound watch(WatchDriver message, long peer) {
        return drivers.watch(message, peer);
    }

    DriversFound find(FindDrivers message) {
        return drivers.find(message);
    }

    DriversFound kill(KillDrivers message, long now) {
        return drivers.kill(message, now);
    }

    DriversCleared clearDrivers() {
        return drivers.clear();
    }

    DriverFound kill(SubmissionId submission, long now) {
        return drivers.kill(submission, now);
    }

    void driverEnded(DriverEnded message, long peer, long now) {
        workers.of(peer)
                .forEach(worker -> ending.ended(worker, message.submission().value()));
        drivers.ended(message, peer, now);
    }

    void driverRestarts(DriverRestarts message, long peer, long now) {
        if (driverReturns.restarts(message, peer)) {
            removeOf(message.submission(), message.attempt(), "its driver has failed", now);
        }
    }

    void driverStarted(DriverStarted message, long peer, long now) {
        driverReturns.started(message, peer, now);
    }

    void driverReturned(DriverReturned message, long peer, long now) {
        if (driverReturns.returned(message, peer, now)) {
            removeOf(message.submission(), message.attempt(), "its worker stops", now);
        }
    }

    /** Ends the applications of a supervised driver that its starts up to number {@code attempt} have registered. */
    private void removeOf(SubmissionId driver, int attempt, String why, long now) {
        applications.of(driver).stream()
                .filter(application -> application.request().attempt() <= attempt)
                .forEach(application -> {
                    remove(application, ApplicationEntry.State.FAILED, why, now);
                    effects.send(application, new ApplicationRemoved(why, false));
                });
    }

    /** Registers an application. One that has been away goes on with its executors. */
    ApplicationRegistered registerApplication(RegisterApplication message, long peer, long now) {
        Optional<ApplicationRecord> known = applications.continuedBy(message);
        known.filter(application -> !application.isAway() && application.peer() != peer)
                .ifPresent(application -> effects.add(new MasterEffect.Disconnect(application.peer())));
        ApplicationRecord application =
                known.isPresent() ? sessions.resume(known.get(), message, peer) : sessions.register(message, peer, now);
        message.session().wants().ifPresent(wants -> want(wants, peer));
        if (message.session().resumes().isPresent()) {
            executorReturns.claim(application, message.session().holds(), known.isEmpty(), now);
            leaving.returned(application, now);
        }
        return new ApplicationRegistered(application.id());
    }

    void want(WantExecutors message, long peer) {
        applications.find(message.application(), peer).ifPresent(application -> {
            List<ProfileDemand> accepted =
                    message.profiles().stream().filter(application::accepts).toList();
            if (accepted.size() < message.profiles().size()) {
                effects.add(MasterNotes.profilesRefused(application));
            }
            application.want(new WantExecutors(
                    application.id(), message.total(), message.excludedHosts(), message.tasksByHost(), accepted));
            grants.changed(application);
        });
    }

    void release(ReleaseExecutors message, long peer) {
        applications
                .find(message.application(), peer)
                .ifPresent(application -> message.executors().forEach(executor -> stop(application, executor)));
    }

    /**
     * Handles the report that an application cannot reach an executor. If the executor's worker is silent too, its host
     * is probably lost. The application learns this at once, and the executor is stopped if the worker returns.
     */
    void doubt(DoubtExecutor message, long peer, long now) {
        Optional<Grant> doubted = applications
                .find(message.application(), peer)
                .map(application -> application.executors().get(message.executor()))
                .filter(grant -> !grant.isReleased());
        if (doubted.isEmpty()) {
            return;
        }
        Grant grant = doubted.get();
        long silentNanos = grant.worker().silentNanos(now);
        if (silentNanos > SILENT_HEARTBEATS * settings.heartbeat().toNanos()) {
            stop(grant.application(), message.executor());
            String why = "worker " + grant.worker().id() + " is silent, too: no message for "
                    + Duration.ofNanos(silentNanos).toSeconds() + " s";
            effects.send(
                    grant.application(),
                    new ExecutorGone(message.executor(), Cause.HOST_LOST, why, OptionalInt.empty(), List.of()));
        }
    }

    ApplicationEnded end(EndApplication message, long peer, long now) {
        applications.find(message.application(), peer).ifPresent(application -> {
            ApplicationEntry.State reported = ApplicationRecord.state(message.result());
            boolean byKill = reported != ApplicationEntry.State.FINISHED && isDriverKilled(application);
            remove(application, byKill ? ApplicationEntry.State.KILLED : reported, byKill ? DRIVER_KILLED : "", now);
        });
        return new ApplicationEnded(message.application());
    }

    /** Kills an application; returns its state before the kill. */
    ApplicationFound kill(KillApplication message, long now) {
        Optional<ApplicationRecord> known = applications.find(message.application());
        if (known.isEmpty()) {
            return new ApplicationFound(history.find(message.application())
                    .orElseThrow(() -> ErrorCode.APPLICATION_UNKNOWN.failure("application " + message.application()
                            + ": not known to this master (expected: one that runs, or is among the last"
                            + " hearth.deploy.retainedApplications that ended); hearth:applications lists them")));
        }
        ApplicationRecord application = known.get();
        ApplicationFound before = new ApplicationFound(listing.entry(application, now));
        remove(application, ApplicationEntry.State.KILLED, message.reason(), now);
        application.submission().ifPresent(drivers::applicationKilled);
        effects.send(application, new ApplicationRemoved("killed: " + message.reason(), true));
        return before;
    }

    void executorEnded(ExecutorEnded message, long peer, long now) {
        String holder = Grant.holder(message.application(), message.executor());
        workers.of(peer).forEach(worker -> {
            ending.ended(worker, holder);
            worker.giveBackAddresses(holder);
        });
        Optional<Grant> known = applications
                .find(message.application())
                .map(application -> application.executors().get(message.executor()));
        effects.add(MasterNotes.executorEnded(
                message, known.isEmpty() || known.get().isReleased()));
        if (known.isEmpty() || known.get().worker().peer() != peer) {
            executorReturns.ended(message.application(), message.executor());
            history.exited(message);
            return; // the application has ended, which already released cores and memory
        }
        Grant grant = known.get();
        ApplicationRecord application = grant.application();
        application.remove(grant);
        grants.changed(application);
        history.add(application
                .entry(grant, grant.isReleased() ? State.KILLED : ApplicationRecord.state(message))
                .ended(ids.wallMillis(now), message.message())
                .exited(message.exitStatus(), message.message()));
        effects.send(
                application,
                new ExecutorGone(
                        message.executor(),
                        grant.isReleased() ? Cause.RELEASED : Cause.FAILED,
                        message.message(),
                        message.exitStatus(),
                        message.logs()));
        if (!grant.isReleased() && !grant.isLeaving() && !application.isAway()) { // without its driver, executors end
            boolean failed =
                    message.exitStatus().orElse(1) != 0 && !grant.worker().isHindered();
            application.noteEnd(grant, failed, now);
            giveUp(application, message, now);
        }
    }

    /** Removes an application too many of whose executors have failed, of which {@code last} is the last one. */
    private void giveUp(ApplicationRecord application, ExecutorEnded last, long now) {
        if (settings.executorFailuresMax() < 0
                || application.earlyFailures() < Math.max(1, settings.executorFailuresMax())
                || application.executors().values().stream().anyMatch(other -> other.isStable(now))) {
            return;
        }
        String why = Quantity.of(application.earlyFailures(), "executor")
                + " failed soon after their start, as many as hearth.deploy.maxExecutorRetries"
                + " allows; the last executor: " + last.message();
        remove(application, ApplicationEntry.State.FAILED, why, now);
        effects.send(
                application,
                new ApplicationRemoved(
                        Failures.expecting(why, "executors that keep running")
                                + (last.logs().isEmpty() ? "" : "; see " + String.join(", ", last.logs())),
                        false));
    }

    /**
     * Records that the connection {@code peer} has ended. What was registered over it may come back over another one for
     * some time; what cannot, ends. A submitter that used it gets no more reports.
     */
    void peerLost(long peer, String reason, long now) {
        workers.of(peer).forEach(worker -> {
            if (worker.session().isEmpty() || worker.isStopping()) {
                workerLost(worker, reason, now);
                workers.keepPlace(worker, now);
            } else {
                effects.add(MasterNotes.workerAway(worker, reason));
                workers.goesAway(worker, now);
            }
        });
        applications.of(peer).forEach(application -> {
            if (!application.request().session().isResumable()
                    || application.submission().filter(drivers::hasEnded).isPresent()) {
                driverLost(application, reason, now);
            } else {
                effects.add(MasterNotes.applicationAway(application, reason));
                applications.leaves(application, now);
                grants.changed(application);
            }
        });
        drivers.peerLost(peer);
    }

    /**
     * Declares workers lost that have been silent for longer than the timeout, unless the master itself was suspended, and
     * gives up what has not come back after its connection has ended.
     */
    void expire(long now) {
        String reason = "no message from the worker for more than "
                + settings.workerTimeout().toSeconds() + " s";
        workers.silent(now).forEach(worker -> {
            workerLost(worker, reason, now);
            workers.keepPlace(worker, now);
            effects.disconnect(worker);
        });
        Duration workerGrace = settings.sessions().workerGrace();
        workers.gone(workerGrace.toNanos(), now).forEach(worker -> {
            workerLost(
                    worker,
                    "its connection has ended, and it did not come back within " + workerGrace.toSeconds() + " s",
                    now);
            workers.keepPlace(worker, now);
        });
        Duration applicationGrace = settings.sessions().applicationGrace();
        applications
                .gone(applicationGrace.toNanos(), now)
                .forEach(application -> driverLost(
                        application,
                        "its connection has ended, and it did not come back within " + applicationGrace.toSeconds()
                                + " s",
                        now));
        executorReturns.expire(now);
        sessions.closeUnreturned(now);
    }

    /** Ends the applications whose drivers have ended, and whose connections too. */
    private void endDriverless(long now) {
        for (DriverRecord driver : List.copyOf(ended)) {
            applications.of(driver.id()).stream()
                    .filter(ApplicationRecord::isAway)
                    .forEach(application -> driverLost(application, "its driver has ended", now));
        }
        ended.clear();
    }

    /**
     * Places waiting drivers on workers, and then the executors that applications still lack. Returns all effects to
     * perform since the last call, in order.
     */
    List<MasterEffect> settle(long now) {
        paused.settle(now);
        drivers.place(now);
        endDriverless(now);
        grants.settle(now);
        history.forget(now);
        return effects.take();
    }

    /** As {@link #settle}, while nothing is to be placed. */
    List<MasterEffect> settleWithoutPlacing(long now) {
        history.forget(now);
        return effects.take();
    }

    List<ApplicationEntry> applicationEntries(long now) {
        return listing.applications(now);
    }

    List<ExecutorEntry> executorEntries(Optional<ApplicationId> only) {
        return listing.executors(only);
    }

    List<ListedDriver> driverEntries() {
        return drivers.entries();
    }

    /** All workers for display: the registered ones in order of their registration, then the lost ones. */
    List<WorkerEntry> workerEntries(long now) {
        return workers.entries(drivers::on, now);
    }

    List<WorkerRecord> logHolders(LogSource source, String before) {
        return LogRelay.holders(source, before, workers, applications, drivers);
    }

    int workers() {
        return workers.all().size();
    }

    int applications() {
        return applications.size();
    }

    List<ApplicationFigures> applicationFigures() {
        return listing.figures();
    }

    MasterFigures figures() {
        return new MasterFigures(
                workers.all().size() - workers.leaving(),
                workers.leaving() + workers.lost(),
                applications.size(),
                grants.waiting(),
                drivers.active(),
                drivers.placed());
    }

    int coresFree() {
        return workers.all().stream().mapToInt(WorkerRecord::coresFree).sum();
    }

    private void workerLost(WorkerRecord worker, String reason, long now) {
        workers.remove(worker, now);
        String why = "worker " + worker.id() + " is lost: " + reason;
        List<Grant> executors = List.copyOf(worker.grants());
        effects.add(MasterNotes.workerLost(why, drivers.on(worker), executors.size()));
        long fence = worker.lastHeartbeatNanos() + settings.fence().toNanos();
        executorReturns.workerLost(worker);
        ending.retain(worker, List.of());
        drivers.workerLost(worker, why, fence, now).forEach(driver -> removeOf(driver, Integer.MAX_VALUE, why, now));
        for (Grant grant : executors) {
            ApplicationRecord application = grant.application();
            if (applications.contains(application)) { // and did not end with its driver
                application.remove(grant);
                grants.changed(application);
                history.add(application.entry(grant, State.LOST).ended(ids.wallMillis(now), why));
                effects.send(
                        application,
                        new ExecutorGone(grant.executor(), Cause.HOST_LOST, why, OptionalInt.empty(), List.of()));
            }
        }
    }

    private void stop(ApplicationRecord application, ExecutorId executor) {
        Grant grant = application.executors().get(executor);
        if (grant != null && !grant.isReleased()) {
            grant.release();
            effects.send(grant.worker(), new StopExecutor(application.id(), executor));
        }
    }

    /** Ends an application whose driver closed its connection without a word about its result. */
    private void driverLost(ApplicationRecord application, String reason, long now) {
        boolean killed = isDriverKilled(application);
        remove(
                application,
                killed ? ApplicationEntry.State.KILLED : ApplicationEntry.State.FAILED,
                killed ? DRIVER_KILLED : "its driver is lost: " + reason,
                now);
    }

    private boolean isDriverKilled(ApplicationRecord application) {
        return application.submission().filter(drivers::isKilled).isPresent();
    }

    private void remove(ApplicationRecord application, ApplicationEntry.State how, String why, long now) {
        long millis = ids.wallMillis(now);
        history.add(application.entry(how, why, millis).ended(millis), now);
        effects.add(MasterNotes.applicationEnded(application, how, why, now));
        applications.remove(application);
        grants.remove(application);
        sessions.closed(application);
        List.copyOf(application.executors().values()).forEach(grant -> {
            history.add(application.entry(grant, State.KILLED).ended(millis, "its application has ended"));
            effects.send(grant.worker(), new StopExecutor(application.id(), grant.executor()));
            application.remove(grant);
            // the process uses its cores and memory until its worker reports its end
            ending.add(grant.worker(), grant.holder(), grant.cores(), grant.memory(), List.of());
        });
    }
}
