package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.master.WaitingLine.Outcome;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversCleared;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListedDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WatchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.EndSupervision;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerSession.DriverReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Drivers that were submitted to a master: those that wait, those that run, and the last ones that ended. The cost of a
 * message does not grow with their numbers, except for lists. Part of the state machine {@link Master}, which owns it.
 */
final class SubmittedDrivers {
    private final DriverBounds bounds;
    private final IdGenerator ids;
    private final EffectList effects;
    private final FactList facts;
    private final ContentLedger contents;
    private final Map<SubmissionId, DriverRecord> drivers = new LinkedHashMap<>();
    private final WorkerLedger workers;
    private final WaitingLine<DriverRecord> waiting =
            new WaitingLine<>(Comparator.comparingLong(DriverRecord::number), driver -> ProcessNeeds.of(driver.spec()));
    private final Set<DriverRecord> unannounced = new LinkedHashSet<>(); // since they wait
    private final FencedDrivers fenced = new FencedDrivers();
    private final FencedDrivers awaited = new FencedDrivers();
    private final Map<DriverRecord, Long> fences = new LinkedHashMap<>(); // ends of the fences of awaited ones
    private final Map<WorkerRecord, Set<DriverRecord>> running = new LinkedHashMap<>();
    private final EndedDrivers ended;
    private final RequestLog<DriverRecord> requests;
    private final Map<Long, Set<DriverRecord>> watched = new LinkedHashMap<>(); // by the peer that watches
    private Consumer<DriverRecord> ends = driver -> {};
    private Optional<String> hindrance = Optional.empty(); // why no driver is taken or placed
    private int active; // drivers that wait or run
    private int placed; // drivers that run
    private long numbers;

    SubmittedDrivers(
            DriverBounds bounds,
            WorkerLedger workers,
            IdGenerator ids,
            EffectList effects,
            FactList facts,
            ContentLedger contents) {
        this.facts = facts;
        this.workers = workers;
        this.contents = contents;
        this.bounds = bounds;
        this.ids = ids;
        this.effects = effects;
        this.ended = new EndedDrivers(bounds.retained(), bounds.retainedTime());
        this.requests = new RequestLog<>(bounds.requestsKept(), bounds.requestsKeptTime());
        workers.free().onGain(waiting::gained);
    }

    /** Sets a listener of the ends of drivers. */
    void onEnd(Consumer<DriverRecord> listener) {
        ends = listener;
    }

    /** Sets why no driver is to be taken or placed; empty if nothing hinders. */
    void hindered(Optional<String> why) {
        hindrance = why;
    }

    /**
     * Takes over the drivers of an earlier master. Those that ran are awaited, until their workers register again with them
     * or the time for that is over.
     */
    void recover(RecoveryTimes times, long now) {
        facts.ledger().ifPresent(ledger -> recover(ledger, times, now));
    }

    private void recover(MasterLedger ledger, RecoveryTimes times, long now) {
        List<MasterLedger.Kept> all = ledger.drivers();
        all.forEach(kept -> recover(ledger, kept, now));
        all.stream()
                .map(kept -> kept.taken().id())
                .flatMap(id -> Optional.ofNullable(drivers.get(id)).stream())
                .filter(driver -> !driver.state().shown().isFinal())
                .forEach(driver -> goOn(driver, times, now));
    }

    private void recover(MasterLedger ledger, MasterLedger.Kept kept, long now) {
        DriverRecord driver = DriverRecord.recover(kept, ++numbers);
        boolean isFinal = driver.state().shown().isFinal();
        requests.add(
                kept.taken().request(),
                driver,
                before(now, ledger.ageMillis(kept.taken().wallMillis())),
                other -> !other.state().shown().isFinal());
        if (kept.isForgotten()) {
            return;
        }
        drivers.put(driver.id(), driver);
        if (isFinal) {
            long age = ledger.ageMillis(driver.endedMillis().orElse(ledger.wallMillis()));
            forget(ended.add(driver, before(now, age)));
        } else {
            active++;
            contents.use(driver.id().value(), driver.spec().contents(), now);
        }
    }

    private static long before(long now, long millis) {
        return now - Duration.ofMillis(millis).toNanos();
    }

    private void goOn(DriverRecord driver, RecoveryTimes times, long now) {
        if (driver.state() == DriverState.SUBMITTED) {
            enqueue(driver);
        } else if (!driver.hasLeft()) {
            driver.await();
            awaited.add(driver, driver.placedOn(), now + times.workers().toNanos());
            fences.put(driver, now + times.fence().toNanos());
            placed++;
        } else if (driver.isKilled() || driver.isApplicationKilled()) {
            ended(driver, DriverState.KILLED, driver.status().message(), OptionalInt.empty(), "", "", now);
        } else {
            fenced.add(driver, driver.placedOn(), now + times.fence().toNanos());
        }
    }

    /** Gives up a driver whose worker has not registered again since this master leads. */
    private void missing(DriverRecord driver, long now) {
        gone(driver, "worker " + driver.placedOn() + " did not register again after a change of the master", now);
    }

    /** Ends a driver of a recovered worker that runs no more, or keeps it for a start elsewhere after its fence. */
    void gone(DriverRecord driver, String why, long now) {
        awaited.remove(driver);
        placed--;
        long fence = Objects.requireNonNullElse(fences.remove(driver), now);
        driver.awaitNoMore();
        if (driver.isKilled() || driver.isApplicationKilled()) {
            ended(driver, DriverState.KILLED, why, OptionalInt.empty(), "", "", now);
        } else if (driver.spec().supervise()) {
            String worker = driver.placedOn();
            driver.leaveWorker(why, Duration.ofNanos(Math.max(0, fence - now)));
            facts.add(() -> driver.leftFact(worker));
            fenced.add(driver, worker, fence);
            effects.add(MasterNotes.driverRestarts(driver));
            effects.announce(driver);
        } else {
            ended(driver, DriverState.ERROR, why, OptionalInt.empty(), "", "", now);
        }
    }

    /** Notes that {@code worker} runs a driver that the master had awaited or fenced, and reserves what it uses. */
    void adopt(DriverRecord driver, WorkerRecord worker, DriverReport report) {
        DriverSpec spec = driver.spec();
        worker.reserve(spec.cores(), spec.memoryMebibytes());
        worker.claimAddresses(driver.id().value(), report.resources());
        if (!driver.isAwaited()) {
            placed++;
        }
        awaited.remove(driver);
        fenced.remove(driver);
        fences.remove(driver);
        running.computeIfAbsent(worker, first -> new LinkedHashSet<>()).add(driver);
        if (driver.adopt(worker, report.attempt(), report.waits())) {
            facts.add(driver::placedFact);
        }
        effects.announce(driver);
    }

    /** Ends a killed driver that its worker does not have. */
    void killed(DriverRecord driver, String why, long now) {
        ended(driver, DriverState.KILLED, why, OptionalInt.empty(), "", "", now);
    }

    /** Drivers that a worker runs as far as the master knows. */
    List<DriverRecord> runningOn(WorkerRecord worker) {
        return List.copyOf(running.getOrDefault(worker, Set.of()));
    }

    /** Drivers that ran on {@code worker} and are awaited, or are fenced. */
    List<DriverRecord> expectedOf(String worker) {
        List<DriverRecord> expected = new ArrayList<>(awaited.find(worker));
        expected.addAll(fenced.find(worker));
        return expected;
    }

    /** Lets a driver that was fenced start elsewhere, because it has surely no process any more. */
    void unfence(DriverRecord driver) {
        fenced.remove(driver);
        waitAgain(driver);
    }

    DriverSubmitted submit(SubmitDriver message, long now) {
        Optional<DriverRecord> known = requests.find(message.request());
        if (known.isPresent()) {
            return new DriverSubmitted(known.get().id());
        }
        hindrance.ifPresent(why -> {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: " + why);
        });
        bounds.require(message.driver(), active);
        Set<ContentAddress> files = message.driver().contents();
        contents.require(files);
        SubmissionId id = ids.submission(now, drivers::containsKey);
        DriverSpec spec = ids.namesApplicationsAfterDrivers() ? message.driver().named(id.value()) : message.driver();
        DriverRecord driver = new DriverRecord(id, ++numbers, spec, ids.wallMillis(now));
        facts.add(() -> ids.used(now));
        facts.add(() -> new Fact.DriverTaken(id, message.request(), spec, ids.wallMillis(now)));
        forgetRequests(now);
        contents.use(driver.id().value(), files, now);
        drivers.put(driver.id(), driver);
        enqueue(driver);
        active++;
        requests.add(
                message.request(), driver, now, other -> !other.state().shown().isFinal());
        return new DriverSubmitted(driver.id());
    }

    /** Lets a submitter watch its driver. Before its submission is durable, no message may say that there is one. */
    void acknowledged(SubmitDriver message, long peer) {
        requests.find(message.request())
                .ifPresent(
                        driver -> { // it may be forgotten but for its request
                            watch(driver, peer, message.watcher());
                            if (driver.state().shown() != SubmissionState.SUBMITTED
                                    || !driver.status().message().isEmpty()) {
                                effects.announce(driver);
                            }
                            unwatchIfEnded(driver);
                        });
    }

    private void forgetRequests(long now) {
        facts.ledger()
                .map(ledger -> ledger.requestsToForget(ids.wallMillis(now)))
                .filter(ids -> !ids.isEmpty())
                .ifPresent(ids -> facts.add(() -> new Fact.RequestsForgotten(ids)));
    }

    DriverFound find(SubmissionId submission) {
        return new DriverFound(driver(submission).status());
    }

    /** Lets a submitter whose connection was lost watch its driver again. */
    DriverFound watch(WatchDriver message, long peer) {
        DriverRecord driver = driver(message.submission());
        watch(driver, peer, message.watcher());
        unwatchIfEnded(driver);
        return new DriverFound(driver.status());
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

    /** The driver of a submission, if the master remembers it. */
    Optional<DriverRecord> known(SubmissionId submission) {
        return Optional.ofNullable(drivers.get(submission));
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
        if (driver.worker().isPresent() || driver.isAwaited()) {
            driver.kill();
            facts.add(() -> new Fact.DriverKillAsked(submission, false));
            driver.worker().ifPresent(worker -> effects.send(worker, new StopDriver(submission)));
        } else if (!driver.state().shown().isFinal()) {
            String why = driver.attempt() == 0
                    ? "killed before a worker had started it"
                    : "killed before a worker had started it again";
            ended(driver, DriverState.KILLED, why, OptionalInt.empty(), "", "", now);
        }
        return before;
    }

    /**
     * Takes a supervised driver from its worker, on which it has surely ended at {@code fenceNanos}. Returns whether it is
     * to start elsewhere; a driver that was killed has ended instead.
     */
    boolean leave(DriverRecord driver, WorkerRecord worker, String why, long fenceNanos, long now) {
        if (driver.isKilled() || driver.isApplicationKilled()) {
            ended(driver, DriverState.KILLED, why, OptionalInt.empty(), "", "", now);
            return false;
        }
        free(driver, worker);
        driver.leaveWorker(why, Duration.ofNanos(Math.max(0, fenceNanos - now)));
        facts.add(() -> driver.leftFact(worker.id()));
        effects.add(MasterNotes.driverRestarts(driver));
        effects.announce(driver);
        return true;
    }

    void waitAgain(DriverRecord driver) {
        driver.waitAgain();
        enqueue(driver);
        effects.announce(driver);
    }

    private void enqueue(DriverRecord driver) {
        waiting.add(driver);
        unannounced.add(driver);
    }

    /** An older worker has registered whose former processes have all ended, so that its former drivers may start elsewhere. */
    void workerReturned(String worker) {
        fenced.of(worker).forEach(this::waitAgain);
    }

    /**
     * Returns why start number {@code attempt} of a driver may not register an application; empty if it may, or if the
     * driver is not supervised.
     */
    Optional<String> refusal(SubmissionId submission, int attempt) {
        DriverRecord driver = drivers.get(submission);
        boolean isSupervised = attempt > 0 && driver != null && driver.spec().supervise();
        return !isSupervised || driver.mayRun(attempt)
                ? Optional.empty()
                : Optional.of("attempt " + attempt + " of " + submission + " has ended for the master: "
                        + driver.status().message() + " (expected: the attempt that runs)");
    }

    void ended(DriverEnded message, long peer, long now) {
        DriverRecord driver = drivers.get(message.submission());
        if (driver == null
                || driver.worker().filter(worker -> worker.peer() == peer).isEmpty()) {
            return; // the driver does not run on the sender, which was probably declared lost before
        }
        OptionalInt status = message.exitStatus();
        DriverState how;
        boolean applicationKilled = driver.isApplicationKilled() && status.orElse(1) != 0;
        if (driver.isKilled() || applicationKilled) {
            how = DriverState.KILLED;
        } else if (status.isEmpty()) {
            how = DriverState.ERROR;
        } else {
            how = status.getAsInt() == 0 ? DriverState.FINISHED : DriverState.FAILED;
        }
        ended(driver, how, message.message(), status, message.output(), message.errors(), now);
    }

    /** Forgets the drivers that have ended. Requests that repeat theirs still start no second driver. */
    DriversCleared clear() {
        Collection<DriverRecord> cleared = ended.clear();
        forget(cleared);
        return new DriversCleared(cleared.size());
    }

    /** Places the drivers that wait on workers, as far as these have room. */
    void place(long now) {
        awaited.due(now).forEach(driver -> missing(driver, now));
        fenced.due(now).forEach(this::waitAgain);
        if (placed < bounds.runningMax() && hindrance.isEmpty()) {
            waiting.offer(driver -> place(driver, now));
        }
        for (DriverRecord driver : unannounced) {
            if (driver.worker().isEmpty()
                    && !driver.isAwaited()
                    && !driver.state().shown().isFinal()) {
                driver.waitFor(() -> lacking(driver.spec()));
                effects.announce(driver);
            }
        }
        unannounced.clear();
        forget(ended.expired(now));
    }

    /**
     * Ends the drivers of a worker that is lost, or keeps them for a start elsewhere if they are supervised and not killed.
     * Until {@code fenceNanos}, they may have processes there. Returns the drivers that were supervised.
     */
    List<SubmissionId> workerLost(WorkerRecord worker, String why, long fenceNanos, long now) {
        List<SubmissionId> supervised = new ArrayList<>();
        for (DriverRecord driver : List.copyOf(running.getOrDefault(worker, Set.of()))) {
            if (!driver.spec().supervise()) {
                ended(driver, DriverState.ERROR, why, OptionalInt.empty(), "", "", now);
                continue;
            }
            supervised.add(driver.id());
            if (leave(driver, worker, why, fenceNanos, now)) {
                fenced.add(driver, worker.id(), fenceNanos);
            }
        }
        return supervised;
    }

    /** Removes the watchers that used the lost connection {@code peer}. */
    void peerLost(long peer) {
        Set<DriverRecord> lost = watched.remove(peer);
        if (lost != null) {
            lost.forEach(driver -> driver.watchers().remove(peer));
        }
    }

    /** Whether the driver {@code submission} is to end, or has ended, because of a kill. */
    boolean isKilled(SubmissionId submission) {
        DriverRecord driver = drivers.get(submission);
        return driver != null && (driver.isKilled() || driver.state() == DriverState.KILLED);
    }

    boolean hasEnded(SubmissionId submission) {
        DriverRecord driver = drivers.get(submission);
        return driver != null && driver.state().shown().isFinal();
    }

    /** Records that the application of a driver was killed. If the driver then fails, that kill is the cause. */
    void applicationKilled(SubmissionId submission) {
        DriverRecord driver = drivers.get(submission);
        if (driver != null) {
            driver.killApplication();
            facts.add(() -> new Fact.DriverKillAsked(submission, true));
            driver.worker()
                    .filter(worker -> driver.spec().supervise())
                    .ifPresent(worker -> effects.send(worker, new EndSupervision(submission)));
        }
    }

    /** Number of drivers that wait or run. */
    int active() {
        return active;
    }

    /** Number of drivers that workers run. */
    int placed() {
        return placed;
    }

    /** Number of drivers on {@code worker}. */
    int on(WorkerRecord worker) {
        return running.getOrDefault(worker, Set.of()).size();
    }

    /** All drivers for display, in the order of their submission. */
    List<ListedDriver> entries() {
        return drivers.values().stream()
                .map(driver -> new ListedDriver(
                        driver.status().withoutOutput(),
                        driver.spec().name(),
                        driver.spec().mainClass(),
                        driver.spec().cores(),
                        driver.spec().memoryMebibytes()))
                .toList();
    }

    private Outcome place(DriverRecord driver, long now) {
        if (placed >= bounds.runningMax()) {
            return Outcome.ENOUGH;
        }
        DriverSpec spec = driver.spec();
        Optional<WorkerRecord> found = workers.free().forDriver(ProcessNeeds.of(spec));
        found.ifPresent(worker -> {
            worker.reserve(spec.cores(), spec.memoryMebibytes());
            List<ResourceInformation> addresses =
                    worker.takeAddresses(driver.id().value(), spec.addresses());
            driver.place(worker, addresses, ids.wallMillis(now));
            running.computeIfAbsent(worker, first -> new LinkedHashSet<>()).add(driver);
            placed++;
            facts.add(driver::placedFact);
            effects.send(worker, new LaunchDriver(driver.id(), spec, addresses, driver.attempt(), driver.restarts()));
            effects.announce(driver);
        });
        return found.isPresent() ? Outcome.LEAVES : Outcome.NO_ROOM;
    }

    private String lacking(DriverSpec spec) {
        if (hindrance.isPresent()) {
            return "waits: " + hindrance.get();
        }
        return placed >= bounds.runningMax()
                ? "waits until a driver ends, as " + placed + " run, which is hearth.deploy.maxDrivers"
                : Shortage.of(workers, ProcessNeeds.of(spec)).text();
    }

    private void ended(
            DriverRecord driver,
            DriverState how,
            String why,
            OptionalInt status,
            String output,
            String errors,
            long now) {
        driver.worker().ifPresentOrElse(worker -> free(driver, worker), () -> {
            waiting.remove(driver);
            unannounced.remove(driver);
            fenced.remove(driver);
        });
        ends.accept(driver);
        active--;
        driver.end(how, why, status, output, errors, ids.wallMillis(now));
        facts.add(driver::closedFact);
        contents.release(driver.id().value(), now);
        effects.add(MasterNotes.driverEnded(driver, how, why));
        effects.announce(driver);
        unwatchIfEnded(driver);
        forget(ended.add(driver, now));
    }

    /** Frees what a driver had on its worker. */
    private void free(DriverRecord driver, WorkerRecord worker) {
        worker.release(driver.spec().cores(), driver.spec().memoryMebibytes());
        worker.giveBackAddresses(driver.id().value());
        leave(running, worker, driver);
        placed--;
    }

    private void forget(Collection<DriverRecord> forgotten) {
        if (!forgotten.isEmpty()) {
            facts.add(() -> new Fact.DriversForgotten(
                    forgotten.stream().map(DriverRecord::id).toList()));
        }
        forgotten.forEach(driver -> {
            drivers.remove(driver.id());
            driver.dropDetails(); // the request log still refers to it
        });
    }

    private void unwatchIfEnded(DriverRecord driver) {
        if (driver.state().shown().isFinal()) {
            driver.watchers().keySet().forEach(peer -> leave(watched, peer, driver));
            driver.watchers().clear();
        }
    }

    private static <K> void leave(Map<K, Set<DriverRecord>> byKey, K key, DriverRecord driver) {
        Set<DriverRecord> known = byKey.get(key);
        if (known != null && known.remove(driver) && known.isEmpty()) {
            byKey.remove(key);
        }
    }

    private DriverRecord driver(SubmissionId submission) {
        DriverRecord driver = drivers.get(submission);
        if (driver == null) {
            throw ErrorCode.SUBMISSION_UNKNOWN.failure("submission " + submission
                    + ": not known to this master (expected: a submission that the master accepted since its start,"
                    + " and whose driver runs, is among the last hearth.deploy.retainedDrivers that ended, or ended within"
                    + " hearth.deploy.retainedTime)");
        }
        return driver;
    }

    private void watch(DriverRecord driver, long peer, String endpoint) {
        if (!endpoint.isEmpty()) {
            driver.watchers().put(peer, endpoint);
            watched.computeIfAbsent(peer, first -> new LinkedHashSet<>()).add(driver);
        }
    }
}
