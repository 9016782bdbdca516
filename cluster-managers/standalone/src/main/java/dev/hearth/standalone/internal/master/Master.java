package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.master.ApplicationRecord.Grant;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationRegistered;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DoubtExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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

    private final MasterSettings settings;
    private final IdGenerator ids;
    private final WorkerPlaces places;
    private final LostWorkers lost;
    private final Map<String, WorkerRecord> workers = new LinkedHashMap<>();
    private final Map<SubmissionId, DriverRecord> drivers = new LinkedHashMap<>();
    private final Map<String, SubmissionId> requests = new LinkedHashMap<>();
    private final Map<ApplicationId, ApplicationRecord> applications = new LinkedHashMap<>();
    private List<MasterEffect> effects = new ArrayList<>();
    private long lastExpireNanos;

    Master(MasterSettings settings, IdGenerator ids, long now) {
        this.settings = settings;
        this.ids = ids;
        this.places = new WorkerPlaces(settings);
        this.lost = new LostWorkers(settings);
        this.lastExpireNanos = now;
    }

    WorkerRegistered registerWorker(RegisterWorker message, long peer, long now) {
        WorkerRecord known = workers.get(message.worker());
        if (known != null && known.peer() == peer) {
            return new WorkerRegistered("", settings.heartbeat().toMillis());
        }
        int others = workers.size() - (known == null ? 0 : 1);
        long ofConnection = workers.values().stream()
                .filter(worker -> worker.peer() == peer)
                .count();
        Optional<String> refusal = places.refusal(message, others, ofConnection, now);
        if (refusal.isPresent()) {
            return new WorkerRegistered(refusal.get(), 0);
        }
        if (known != null) {
            workerLost(known, "the worker registered again over another connection", now);
        }
        places.taken(message.worker());
        lost.returned(message.worker());
        workers.put(message.worker(), new WorkerRecord(message, peer, now));
        return new WorkerRegistered("", settings.heartbeat().toMillis());
    }

    void workerHeartbeat(String worker, long peer, long now) {
        WorkerRecord known = workers.get(worker);
        if (known != null && known.peer() == peer) {
            known.heartbeat(now);
        }
    }

    DriverSubmitted submit(SubmitDriver message, long peer, long now) {
        SubmissionId known = requests.get(message.request());
        if (known != null) {
            DriverRecord driver = drivers.get(known);
            watch(driver, peer, message.watcher());
            announce(driver); // a submitter that retries may have missed earlier changes of the driver's state
            return new DriverSubmitted(known);
        }
        long waiting = drivers.values().stream()
                .filter(driver -> !driver.state().shown().isFinal())
                .count();
        if (waiting >= settings.waitingDriversMax()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: " + waiting
                    + " drivers wait or run already (expected: at most hearth.deploy.maxDrivers ="
                    + " " + settings.waitingDriversMax() + ", with the new one); submit again when one of them has"
                    + " ended");
        }
        if (message.driver().cores() < 1 || message.driver().memoryMebibytes() < 1) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("driver "
                    + message.driver().name() + ": " + message.driver().cores() + " cores and"
                    + " " + message.driver().memoryMebibytes() + " MiB of memory requested (expected: at least 1"
                    + " core and 1 MiB)");
        }
        DriverRecord driver =
                new DriverRecord(ids.submission(now), message.request(), message.driver(), ids.wallMillis(now));
        drivers.put(driver.id(), driver);
        requests.put(message.request(), driver.id());
        watch(driver, peer, message.watcher());
        return new DriverSubmitted(driver.id());
    }

    DriverFound find(SubmissionId submission) {
        return new DriverFound(driver(submission).status());
    }

    DriversFound find(FindDrivers message) {
        return new DriversFound(matching(message.pattern()).stream()
                .map(driver -> driver.status().withoutOutput())
                .toList());
    }

    DriversFound kill(KillDrivers message, long now) {
        return new DriversFound(matching(message.pattern()).stream()
                .map(driver -> kill(driver.id(), now).status().withoutOutput())
                .toList());
    }

    private List<DriverRecord> matching(String text) {
        SubmissionPattern pattern;
        try {
            pattern = new SubmissionPattern(text);
        } catch (IllegalArgumentException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(String.valueOf(malformed.getMessage()), malformed);
        }
        return drivers.values().stream()
                .filter(driver -> pattern.matches(driver.id()))
                .toList();
    }

    DriverFound kill(SubmissionId submission, long now) {
        DriverRecord driver = driver(submission);
        DriverFound before = new DriverFound(driver.status());
        if (driver.state() == DriverState.SUBMITTED) {
            ended(
                    driver,
                    DriverState.KILLED,
                    "killed before a worker had started it",
                    OptionalInt.empty(),
                    "",
                    "",
                    now);
        } else if (driver.state() == DriverState.RUNNING) {
            driver.kill();
            driver.worker().ifPresent(worker -> sendToWorker(worker, new StopDriver(submission)));
        }
        return before;
    }

    void driverEnded(DriverEnded message, long peer, long now) {
        DriverRecord driver = drivers.get(message.submission());
        if (driver == null
                || driver.worker().filter(worker -> worker.peer() == peer).isEmpty()) {
            return; // the driver does not run on the sender, which was probably declared lost before
        }
        OptionalInt status = message.exitStatus();
        DriverState how;
        if (driver.isKilled()) {
            how = DriverState.KILLED;
        } else if (status.isEmpty()) {
            how = DriverState.ERROR;
        } else {
            how = status.getAsInt() == 0 ? DriverState.FINISHED : DriverState.FAILED;
        }
        ended(driver, how, message.message(), status, message.output(), message.errors(), now);
    }

    ApplicationRegistered registerApplication(RegisterApplication message, long peer, long now) {
        if (applications.size() >= settings.applicationsMax()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: " + applications.size()
                    + " applications are registered already (expected: at most hearth.deploy.applicationsMax ="
                    + " " + settings.applicationsMax() + ", with the new one); try again when one of them has ended");
        }
        if (message.executorCores().orElse(1) < 1 || message.executorMemoryMebibytes() < 1) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("application " + message.name()
                    + ": executors without cores or without memory requested (expected: at least 1 core and 1 MiB"
                    + " for each executor)");
        }
        ApplicationRecord application = new ApplicationRecord(ids.application(now), message, peer, now);
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
            sendToApplication(
                    application,
                    new ExecutorGone(message.executor(), Cause.HOST_LOST, why, OptionalInt.empty(), List.of()));
        }
    }

    ApplicationEnded end(EndApplication message, long peer) {
        ApplicationRecord application = applications.get(message.application());
        if (application != null && application.peer() == peer) {
            remove(application);
        }
        return new ApplicationEnded(message.application());
    }

    void executorEnded(ExecutorEnded message, long peer, long now) {
        giveBackAddresses(peer, holder(message.application(), message.executor()));
        ApplicationRecord application = applications.get(message.application());
        Grant grant = application == null ? null : application.executors().get(message.executor());
        if (application == null || grant == null || grant.worker().peer() != peer) {
            return; // the application has ended, which already released cores and memory
        }
        application.executors().remove(message.executor());
        grant.freeResources();
        sendToApplication(
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
                remove(application);
                sendToApplication(
                        application,
                        new ApplicationRemoved(Failures.expecting(
                                        application.earlyFailures()
                                                + " executors failed soon after their start, as many as"
                                                + " hearth.deploy.maxExecutorRetries allows; the last executor: "
                                                + message.message(),
                                        "executors that keep running")
                                + (message.logs().isEmpty() ? "" : "; see " + String.join(", ", message.logs()))));
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
                .forEach(this::remove);
        drivers.values().forEach(driver -> driver.watchers().remove(peer));
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
                    effects.add(new MasterEffect.Disconnect(worker.peer()));
                });
    }

    /**
     * Places waiting drivers on workers, and then the executors that applications still lack. Returns all effects to
     * perform since the last call, in order.
     */
    List<MasterEffect> settle(long now) {
        drivers.values().stream()
                .filter(driver -> driver.state() == DriverState.SUBMITTED)
                .toList()
                .forEach(driver -> place(driver, now));
        applications.values().stream()
                .filter(application -> application.mayGrant(now))
                .forEach(application -> grant(application, now));
        List<MasterEffect> settled = effects;
        effects = new ArrayList<>();
        return settled;
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
        Map<WorkerRecord, Integer> driversOf = new LinkedHashMap<>();
        drivers.values()
                .forEach(driver -> driver.worker().ifPresent(worker -> driversOf.merge(worker, 1, Integer::sum)));
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

    int workers() {
        return workers.size();
    }

    int applications() {
        return applications.size();
    }

    int coresFree() {
        return workers.values().stream().mapToInt(WorkerRecord::coresFree).sum();
    }

    private void place(DriverRecord driver, long now) {
        DriverSpec spec = driver.spec();
        SpreadOutPlacement.forDriver(workers.values(), spec)
                .ifPresentOrElse(
                        worker -> {
                            worker.reserve(spec.cores(), spec.memoryMebibytes());
                            List<ResourceInformation> addresses =
                                    worker.addresses().take(driver.id().value(), spec.addresses());
                            driver.place(worker, addresses, ids.wallMillis(now));
                            sendToWorker(worker, new LaunchDriver(driver.id(), spec, addresses));
                            announce(driver);
                        },
                        () -> {
                            if (driver.waitFor(lacking(spec))) {
                                announce(driver);
                            }
                        });
    }

    private String lacking(DriverSpec spec) {
        StringBuilder what = new StringBuilder("waits for a worker with " + spec.cores() + " free cores and "
                + spec.memoryMebibytes() + " MiB free memory");
        spec.addresses()
                .forEach((name, amount) -> what.append(", and ")
                        .append(amount)
                        .append(" free addresses of ")
                        .append(name)
                        .append(" (one worker has at most ")
                        .append(workers.values().stream()
                                .mapToInt(worker -> worker.addresses().free(name))
                                .max()
                                .orElse(0))
                        .append(')'));
        return what.append("; workers now: ").append(workers.size()).toString();
    }

    private void grant(ApplicationRecord application, long now) {
        for (SpreadOutPlacement.Assignment slot : SpreadOutPlacement.forExecutors(workers.values(), application)) {
            ExecutorId executor = application.grant(slot.worker(), slot.cores(), now);
            RegisterApplication request = application.request();
            sendToWorker(
                    slot.worker(),
                    new LaunchExecutor(
                            application.id(),
                            executor,
                            slot.cores(),
                            request.executorMemoryMebibytes(),
                            request.driver(),
                            request.settings(),
                            slot.worker()
                                    .addresses()
                                    .take(holder(application.id(), executor), request.executorResources())));
            sendToApplication(
                    application,
                    new ExecutorGranted(
                            executor,
                            slot.worker().id(),
                            slot.worker().host(),
                            slot.cores(),
                            slot.worker().directory(application.id(), executor)));
        }
    }

    private void workerLost(WorkerRecord worker, String reason, long now) {
        workers.remove(worker.id());
        lost.add(worker, now);
        String why = "worker " + worker.id() + " is lost: " + reason;
        drivers.values().stream()
                .filter(driver -> driver.worker().filter(worker::equals).isPresent())
                .toList()
                .forEach(driver -> ended(driver, DriverState.ERROR, why, OptionalInt.empty(), "", "", now));
        applications.values().forEach(application -> {
            List<ExecutorId> lost = application.executors().entrySet().stream()
                    .filter(entry -> entry.getValue().worker() == worker)
                    .map(Map.Entry::getKey)
                    .toList();
            for (ExecutorId executor : lost) {
                application.executors().remove(executor);
                sendToApplication(
                        application, new ExecutorGone(executor, Cause.HOST_LOST, why, OptionalInt.empty(), List.of()));
            }
        });
    }

    private void stop(ApplicationRecord application, ExecutorId executor) {
        Grant grant = application.executors().get(executor);
        if (grant != null && !grant.isReleased()) {
            grant.release();
            sendToWorker(grant.worker(), new StopExecutor(application.id(), executor));
        }
    }

    private void remove(ApplicationRecord application) {
        applications.remove(application.id());
        application.executors().forEach((executor, grant) -> {
            sendToWorker(grant.worker(), new StopExecutor(application.id(), executor));
            grant.freeResources();
        });
    }

    private void ended(
            DriverRecord driver,
            DriverState how,
            String why,
            OptionalInt status,
            String output,
            String errors,
            long now) {
        driver.worker().ifPresent(worker -> {
            worker.release(driver.spec().cores(), driver.spec().memoryMebibytes());
            worker.addresses().giveBack(driver.id().value());
        });
        driver.end(how, why, status, output, errors, ids.wallMillis(now));
        announce(driver);
        driver.watchers().clear();
        forgetOldDrivers();
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

    private void forgetOldDrivers() {
        List<DriverRecord> ended = drivers.values().stream()
                .filter(driver -> driver.state().shown().isFinal())
                .toList();
        for (int i = 0; i < ended.size() - settings.endedDriversKept(); i++) {
            drivers.remove(ended.get(i).id());
            requests.remove(ended.get(i).request());
        }
    }

    private DriverRecord driver(SubmissionId submission) {
        DriverRecord driver = drivers.get(submission);
        if (driver == null) {
            throw ErrorCode.SUBMISSION_UNKNOWN.failure("submission " + submission
                    + ": not known to this master (expected: a submission that the master accepted since its start,"
                    + " and whose driver runs or is among the last hearth.deploy.retainedDrivers that ended)");
        }
        return driver;
    }

    private void watch(DriverRecord driver, long peer, String endpoint) {
        if (!endpoint.isEmpty()) {
            driver.watchers().put(peer, endpoint);
        }
    }

    private void announce(DriverRecord driver) {
        driver.watchers()
                .forEach((peer, endpoint) -> effects.add(new MasterEffect.Send(
                        peer,
                        endpoint,
                        SubmitterProtocol.PROTOCOL,
                        new SubmitterProtocol.DriverChanged(driver.status()))));
    }

    private void sendToWorker(WorkerRecord worker, Record message) {
        effects.add(new MasterEffect.Send(worker.peer(), WorkerProtocol.ENDPOINT, WorkerProtocol.PROTOCOL, message));
    }

    private void sendToApplication(ApplicationRecord application, Record message) {
        effects.add(new MasterEffect.Send(
                application.peer(), application.request().endpoint(), ApplicationProtocol.PROTOCOL, message));
    }
}
