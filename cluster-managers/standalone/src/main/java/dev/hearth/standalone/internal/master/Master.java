package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
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
import dev.hearth.standalone.internal.master.ApplicationRecord.Grant;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationRegistered;
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
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Places drivers and executors on the workers of a standalone cluster. A state machine: events arrive as method calls
 * with the time, and answers are return values. {@link #settle} places waiting drivers and executors and returns the
 * effects. Owned by {@link MasterShell}.
 * <p>Invariants: a worker's reserved resources never exceed its total; ids are unique; a lost connection ends what was
 * registered or launched over it; every driver reaches exactly one final state. See the package for the terms.
 */
final class Master {
    /** Heartbeats after which the silence of a worker confirms a doubt about one of its executors. */
    private static final int SILENT_HEARTBEATS = 2;

    private static final String DRIVER_KILLED = "its driver was killed";

    private final MasterSettings settings;
    private final IdGenerator ids;
    private final WorkerPlaces places;
    private final LostWorkers lost;
    private final Map<String, WorkerRecord> workers = new LinkedHashMap<>();
    private final EffectList effects = new EffectList();
    private final SubmittedDrivers drivers;
    private final ClusterHistory history;
    private final Map<ApplicationId, ApplicationRecord> applications = new LinkedHashMap<>();
    private long lastExpireNanos;

    /** Creates a master without uploaded files. */
    Master(MasterSettings settings, IdGenerator ids, long now) {
        this(settings, ids, ContentLedger.none(), now);
    }

    Master(MasterSettings settings, IdGenerator ids, ContentLedger contents, long now) {
        this.settings = settings;
        this.ids = ids;
        this.places = new WorkerPlaces(settings);
        this.lost = new LostWorkers(settings);
        this.drivers = new SubmittedDrivers(settings.drivers(), ids, effects, contents);
        this.history = new ClusterHistory(settings);
        this.lastExpireNanos = now;
    }

    WorkerRegistered registerWorker(RegisterWorker message, long peer, long now) {
        WorkerRecord known = workers.get(message.worker());
        if (known != null && known.peer() == peer) {
            return registered();
        }
        int others = workers.size() - (known == null ? 0 : 1);
        long ofConnection = workers.values().stream()
                .filter(worker -> worker.peer() == peer)
                .count();
        Optional<String> refusal = places.refusal(message, others, ofConnection, now);
        if (refusal.isPresent()) {
            return new WorkerRegistered(refusal.get(), 0, 0);
        }
        if (known != null) {
            workerLost(known, "the worker registered again over another connection", now);
        }
        drivers.workerReturned(message.worker());
        places.taken(message.worker());
        lost.returned(message.worker());
        workers.put(message.worker(), new WorkerRecord(message, peer, now));
        return registered();
    }

    private WorkerRegistered registered() {
        return new WorkerRegistered(
                "", settings.heartbeat().toMillis(), settings.lease().toMillis());
    }

    /** Records a heartbeat. Returns whether to answer it, which renews the lease of the worker. */
    boolean workerHeartbeat(String worker, long peer, long now) {
        WorkerRecord known = workers.get(worker);
        boolean isRegistered = known != null && known.peer() == peer;
        if (isRegistered) {
            known.heartbeat(now);
        }
        return isRegistered && known.supervises();
    }

    void workerStops(String worker, long peer) {
        WorkerRecord known = workers.get(worker);
        if (known != null && known.peer() == peer) {
            known.stops();
        }
    }

    DriverSubmitted submit(SubmitDriver message, long peer, long now) {
        return drivers.submit(message, peer, now);
    }

    DriverFound find(SubmissionId submission) {
        return drivers.find(submission);
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
        drivers.ended(message, peer, now);
    }

    void driverRestarts(DriverRestarts message, long peer, long now) {
        if (drivers.restarts(message, peer)) {
            removeOf(message.submission(), message.attempt(), "its driver has failed", now);
        }
    }

    void driverStarted(DriverStarted message, long peer, long now) {
        drivers.started(message, peer, now);
    }

    void driverReturned(DriverReturned message, long peer, long now) {
        if (drivers.returned(message, peer, now)) {
            removeOf(message.submission(), message.attempt(), "its worker stops", now);
        }
    }

    /** Ends the applications of a supervised driver that its starts up to number {@code attempt} have registered. */
    private void removeOf(SubmissionId driver, int attempt, String why, long now) {
        applications.values().stream()
                .filter(application ->
                        application.submission().filter(driver::equals).isPresent()
                                && application.request().attempt() <= attempt)
                .toList()
                .forEach(application -> {
                    remove(application, ApplicationEntry.State.FAILED, why, now);
                    effects.send(application, new ApplicationRemoved(why, false));
                });
    }

    ApplicationRegistered registerApplication(RegisterApplication message, long peer, long now) {
        if (applications.size() >= settings.applicationsMax()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: "
                    + Quantity.of(applications.size(), "application")
                    + " registered already (expected: at most hearth.deploy.applicationsMax ="
                    + " " + settings.applicationsMax() + ", with the new one); try again when one of them has ended");
        }
        if (message.executorCores().orElse(1) < 1 || message.executorMemoryMebibytes() < 1) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("application " + message.name()
                    + ": executors without cores or without memory requested (expected: at least 1 core and 1 MiB"
                    + " for each executor)");
        }
        message.submission()
                .flatMap(submission -> drivers.refusal(submission, message.attempt()))
                .ifPresent(why -> {
                    throw ErrorCode.SUBMISSION_REFUSED.failure("application " + message.name() + ": " + why);
                });
        ApplicationRecord application =
                new ApplicationRecord(ids.application(now), message, peer, now, ids.wallMillis(now));
        applications.put(application.id(), application);
        return new ApplicationRegistered(application.id());
    }

    void want(WantExecutors message, long peer) {
        ApplicationRecord application = applications.get(message.application());
        if (application != null && application.peer() == peer) {
            application.want(message.total(), message.excludedHosts(), message.tasksByHost());
        }
    }

    void release(ReleaseExecutors message, long peer) {
        ApplicationRecord application = applications.get(message.application());
        if (application != null && application.peer() == peer) {
            message.executors().forEach(executor -> stop(application, executor));
        }
    }

    /**
     * Handles the report that an application cannot reach an executor. If the executor's worker is silent too, its host
     * is probably lost. The application learns this at once, and the executor is stopped if the worker returns.
     */
    void doubt(DoubtExecutor message, long peer, long now) {
        ApplicationRecord application = applications.get(message.application());
        Grant grant = application == null ? null : application.executors().get(message.executor());
        if (application == null || application.peer() != peer || grant == null || grant.isReleased()) {
            return;
        }
        long silentNanos = grant.worker().silentNanos(now);
        if (silentNanos > SILENT_HEARTBEATS * settings.heartbeat().toNanos()) {
            stop(application, message.executor());
            String why = "worker " + grant.worker().id() + " is silent, too: no message for "
                    + Duration.ofNanos(silentNanos).toSeconds() + " s";
            effects.send(
                    application,
                    new ExecutorGone(message.executor(), Cause.HOST_LOST, why, OptionalInt.empty(), List.of()));
        }
    }

    ApplicationEnded end(EndApplication message, long peer, long now) {
        ApplicationRecord application = applications.get(message.application());
        if (application != null && application.peer() == peer) {
            ApplicationEntry.State reported = ApplicationRecord.state(message.result());
            boolean byKill = reported != ApplicationEntry.State.FINISHED && isDriverKilled(application);
            remove(application, byKill ? ApplicationEntry.State.KILLED : reported, byKill ? DRIVER_KILLED : "", now);
        }
        return new ApplicationEnded(message.application());
    }

    /** Kills an application; returns its state before the kill. */
    ApplicationFound kill(KillApplication message, long now) {
        ApplicationRecord application = applications.get(message.application());
        if (application == null) {
            return new ApplicationFound(history.find(message.application())
                    .orElseThrow(() -> ErrorCode.APPLICATION_UNKNOWN.failure("application " + message.application()
                            + ": not known to this master (expected: one that runs, or is among the last"
                            + " hearth.deploy.retainedApplications that ended); hearth:applications lists them")));
        }
        ApplicationFound before = new ApplicationFound(entry(application, now));
        remove(application, ApplicationEntry.State.KILLED, message.reason(), now);
        application.submission().ifPresent(drivers::applicationKilled);
        effects.send(application, new ApplicationRemoved("killed: " + message.reason(), true));
        return before;
    }

    void executorEnded(ExecutorEnded message, long peer, long now) {
        giveBackAddresses(peer, holder(message.application(), message.executor()));
        ApplicationRecord application = applications.get(message.application());
        Grant grant = application == null ? null : application.executors().get(message.executor());
        effects.add(MasterNotes.executorEnded(message, grant == null || grant.isReleased()));
        if (application == null || grant == null || grant.worker().peer() != peer) {
            history.exited(message);
            return; // the application has ended, which already released cores and memory
        }
        application.executors().remove(message.executor());
        grant.freeResources();
        history.add(application
                .entry(message.executor(), grant, grant.isReleased() ? State.KILLED : ApplicationRecord.state(message))
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
        if (!grant.isReleased()) {
            application.noteEnd(grant, now);
            if (application.earlyFailures() >= settings.executorFailuresMax()
                    && application.executors().values().stream().noneMatch(other -> other.isStable(now))) {
                String why = Quantity.of(application.earlyFailures(), "executor")
                        + " failed soon after their start, as many as hearth.deploy.maxExecutorRetries"
                        + " allows; the last executor: " + message.message();
                remove(application, ApplicationEntry.State.FAILED, why, now);
                effects.send(
                        application,
                        new ApplicationRemoved(
                                Failures.expecting(why, "executors that keep running")
                                        + (message.logs().isEmpty()
                                                ? ""
                                                : "; see " + String.join(", ", message.logs())),
                                false));
            }
        }
    }

    /**
     * Ends everything that depends on the lost connection {@code peer}. That is the drivers and executors on the worker
     * that used it, and the applications registered over it. A submitter that used it gets no more reports.
     */
    void peerLost(long peer, String reason, long now) {
        workers.values().stream()
                .filter(worker -> worker.peer() == peer)
                .toList()
                .forEach(worker -> {
                    workerLost(worker, reason, now);
                    places.left(worker.id(), now);
                });
        applications.values().stream()
                .filter(application -> application.peer() == peer)
                .toList()
                .forEach(application -> driverLost(application, reason, now));
        drivers.peerLost(peer);
    }

    /**
     * Declares workers lost that have been silent for longer than the timeout. If this method was not called for half
     * the timeout, the master itself was suspended. Heartbeats may then be queued, so it resets all timeouts instead.
     */
    void expire(long now) {
        if (now - lastExpireNanos > settings.workerTimeout().toNanos() / 2) {
            workers.values().forEach(worker -> worker.heartbeat(now));
        }
        lastExpireNanos = now;
        workers.values().stream()
                .filter(worker ->
                        worker.silentNanos(now) > settings.workerTimeout().toNanos())
                .toList()
                .forEach(worker -> {
                    workerLost(
                            worker,
                            "no message from the worker for more than "
                                    + settings.workerTimeout().toSeconds() + " s",
                            now);
                    places.left(worker.id(), now);
                    effects.disconnect(worker);
                });
    }

    /**
     * Places waiting drivers on workers, and then the executors that applications still lack. Returns all effects to
     * perform since the last call, in order.
     */
    List<MasterEffect> settle(long now) {
        drivers.place(workers.values(), now);
        applications.values().stream()
                .filter(application -> application.mayGrant(now))
                .forEach(application -> grant(application, now));
        applications.values().forEach(this::reportUnplaceable);
        return effects.take();
    }

    /** All applications for display: the registered ones, in order of their registration, after those that ended. */
    List<ApplicationEntry> applicationEntries(long now) {
        List<ApplicationEntry> entries = new ArrayList<>(history.applications());
        applications.values().forEach(application -> entries.add(entry(application, now)));
        return entries;
    }

    /** Executors of {@code only}, or of all applications, for display: those that run after those that ended. */
    List<ExecutorEntry> executorEntries(Optional<ApplicationId> only) {
        Predicate<ApplicationId> chosen = id -> only.isEmpty() || only.get().equals(id);
        List<ExecutorEntry> entries = new ArrayList<>(history.executors());
        entries.removeIf(entry -> !chosen.test(entry.application()));
        applications.values().stream()
                .filter(application -> chosen.test(application.id()))
                .forEach(application -> application
                        .executors()
                        .forEach((executor, grant) -> entries.add(application.entry(executor, grant, State.RUNNING))));
        return entries;
    }

    List<ListedDriver> driverEntries() {
        return drivers.entries();
    }

    private ApplicationEntry entry(ApplicationRecord application, long now) {
        boolean waits = application.executors().isEmpty() && application.executorsMissing() > 0;
        return application.entry(
                waits ? ApplicationEntry.State.WAITING : ApplicationEntry.State.RUNNING,
                waits ? lacking(application) : "",
                ids.wallMillis(now));
    }

    private String lacking(ApplicationRecord application) {
        if (!application.unplaceable().isEmpty()) {
            return application.unplaceable();
        }
        RegisterApplication request = application.request();
        int coresMost = workers.values().stream()
                .mapToInt(WorkerRecord::coresFree)
                .max()
                .orElse(0);
        int memoryMost = workers.values().stream()
                .mapToInt(WorkerRecord::memoryFree)
                .max()
                .orElse(0);
        return "waits for executors of " + Quantity.of(request.executorCores().orElse(1), "core") + " and "
                + request.executorMemoryMebibytes() + " MiB; workers now: " + workers.size()
                + (workers.isEmpty()
                        ? ""
                        : ", free on one: " + Quantity.of(coresMost, "core") + ", " + memoryMost + " MiB");
    }

    /** All workers for display: the registered ones in order of their registration, then the lost ones. */
    List<WorkerEntry> workerEntries(long now) {
        Map<WorkerRecord, Integer> executors = new LinkedHashMap<>();
        applications
                .values()
                .forEach(application -> application
                        .executors()
                        .values()
                        .forEach(grant -> executors.merge(grant.worker(), 1, Integer::sum)));
        Map<WorkerRecord, Integer> driversOf = drivers.countByWorker();
        List<WorkerEntry> entries = new ArrayList<>();
        workers.values()
                .forEach(worker -> entries.add(worker.entry(
                        WorkerEntry.State.ALIVE,
                        executors.getOrDefault(worker, 0),
                        driversOf.getOrDefault(worker, 0),
                        now)));
        entries.addAll(lost.entries(now));
        return entries;
    }

    List<WorkerRecord> logHolders(LogSource source, String before) {
        return LogRelay.holders(source, before, workers, applications, drivers);
    }

    int workers() {
        return workers.size();
    }

    int applications() {
        return applications.size();
    }

    int coresFree() {
        return workers.values().stream().mapToInt(WorkerRecord::coresFree).sum();
    }

    private void grant(ApplicationRecord application, long now) {
        for (SpreadOutPlacement.Assignment slot : SpreadOutPlacement.forExecutors(workers.values(), application)) {
            ExecutorId executor = application.grant(slot.worker(), slot.cores(), now, ids.wallMillis(now));
            RegisterApplication request = application.request();
            List<ResourceInformation> addresses =
                    slot.worker().addresses().take(holder(application.id(), executor), request.executorResources());
            application.use(executor, addresses);
            effects.send(
                    slot.worker(),
                    new LaunchExecutor(
                            application.id(),
                            executor,
                            slot.cores(),
                            request.executorMemoryMebibytes(),
                            request.driver(),
                            request.settings(),
                            addresses));
            effects.send(
                    application,
                    new ExecutorGranted(
                            executor,
                            slot.worker().id(),
                            slot.worker().host(),
                            slot.cores(),
                            slot.worker().directory(application.id(), executor)));
        }
    }

    /** Reports to an application, and once to the log, that no worker could ever hold one of its executors. */
    private void reportUnplaceable(ApplicationRecord application) {
        if (application.executors().isEmpty() && application.executorsMissing() == 0) {
            return; // what was reported last still holds
        }
        String reason = UnplaceableExecutors.reason(workers.values(), application);
        if (application.unplaceable(reason)) {
            effects.send(application, new ExecutorsUnplaceable(reason));
            if (application.isFirstOf(reason)) {
                effects.add(new MasterEffect.Note(
                        MasterLog.Cause.APPLICATION,
                        true,
                        "application " + application.id() + " ("
                                + application.request().name() + ") gets no executors: " + reason));
            }
        }
    }

    private void workerLost(WorkerRecord worker, String reason, long now) {
        workers.remove(worker.id());
        lost.add(worker, now);
        String why = "worker " + worker.id() + " is lost: " + reason;
        int ended = drivers.countByWorker().getOrDefault(worker, 0);
        effects.add(MasterNotes.workerLost(why, ended, executorsOn(worker)));
        long fence = worker.lastHeartbeatNanos() + settings.fence().toNanos();
        drivers.workerLost(worker, why, fence, now).forEach(driver -> removeOf(driver, Integer.MAX_VALUE, why, now));
        applications.values().forEach(application -> {
            List<ExecutorId> lost = application.executors().entrySet().stream()
                    .filter(entry -> entry.getValue().worker() == worker)
                    .map(Map.Entry::getKey)
                    .toList();
            for (ExecutorId executor : lost) {
                Grant grant = Objects.requireNonNull(application.executors().remove(executor));
                history.add(application.entry(executor, grant, State.LOST).ended(ids.wallMillis(now), why));
                effects.send(
                        application, new ExecutorGone(executor, Cause.HOST_LOST, why, OptionalInt.empty(), List.of()));
            }
        });
    }

    private long executorsOn(WorkerRecord worker) {
        return applications.values().stream()
                .flatMap(application -> application.executors().values().stream())
                .filter(grant -> grant.worker() == worker)
                .count();
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
        history.add(application.entry(how, why, millis).ended(millis));
        effects.add(MasterNotes.applicationEnded(application, how, why, now));
        applications.remove(application.id());
        application.executors().forEach((executor, grant) -> {
            history.add(application.entry(executor, grant, State.KILLED).ended(millis, "its application has ended"));
            effects.send(grant.worker(), new StopExecutor(application.id(), executor));
            grant.freeResources();
        });
    }

    /** Frees the addresses of a process whose end its worker has reported over the connection {@code peer}. */
    private void giveBackAddresses(long peer, String holder) {
        workers.values().stream()
                .filter(worker -> worker.peer() == peer)
                .forEach(worker -> worker.addresses().giveBack(holder));
    }

    private static String holder(ApplicationId application, ExecutorId executor) {
        return application + "/" + executor;
    }
}
