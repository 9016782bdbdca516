package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListedDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Drivers that were submitted to a master: those that wait, those that run, and the last ones that ended. Part of the
 * state machine {@link Master}, which owns it.
 */
final class SubmittedDrivers {
    private final MasterSettings settings;
    private final IdGenerator ids;
    private final EffectList effects;
    private final Map<SubmissionId, DriverRecord> drivers = new LinkedHashMap<>();
    private final Map<String, SubmissionId> requests = new LinkedHashMap<>();

    SubmittedDrivers(MasterSettings settings, IdGenerator ids, EffectList effects) {
        this.settings = settings;
        this.ids = ids;
        this.effects = effects;
    }

    DriverSubmitted submit(SubmitDriver message, long peer, long now) {
        SubmissionId known = requests.get(message.request());
        if (known != null) {
            DriverRecord driver = drivers.get(known);
            watch(driver, peer, message.watcher());
            effects.announce(driver); // a submitter that retries may have missed earlier changes of the driver's state
            return new DriverSubmitted(known);
        }
        long waiting = drivers.values().stream()
                .filter(driver -> !driver.state().shown().isFinal())
                .count();
        if (waiting >= settings.waitingDriversMax()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: "
                    + Quantity.of(waiting, "driver")
                    + " waiting or running already (expected: at most hearth.deploy.maxDrivers ="
                    + " " + settings.waitingDriversMax() + ", with the new one); submit again when one of them has"
                    + " ended");
        }
        if (message.driver().cores() < 1 || message.driver().memoryMebibytes() < 1) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("driver "
                    + message.driver().name() + ": "
                    + Quantity.of(message.driver().cores(), "core") + " and"
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
            driver.worker().ifPresent(worker -> effects.send(worker, new StopDriver(submission)));
        }
        return before;
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

    /** Places the drivers that wait on {@code workers}, as far as these have room. */
    void place(Collection<WorkerRecord> workers, long now) {
        drivers.values().stream()
                .filter(driver -> driver.state() == DriverState.SUBMITTED)
                .toList()
                .forEach(driver -> place(workers, driver, now));
    }

    /** Ends the drivers of a worker that is lost. */
    void workerLost(WorkerRecord worker, String why, long now) {
        drivers.values().stream()
                .filter(driver -> driver.worker().filter(worker::equals).isPresent())
                .toList()
                .forEach(driver -> ended(driver, DriverState.ERROR, why, OptionalInt.empty(), "", "", now));
    }

    /** Removes the watchers that used the lost connection {@code peer}. */
    void peerLost(long peer) {
        drivers.values().forEach(driver -> driver.watchers().remove(peer));
    }

    /** Whether the driver {@code submission} is to end, or has ended, because of a kill. */
    boolean isKilled(SubmissionId submission) {
        DriverRecord driver = drivers.get(submission);
        return driver != null && (driver.isKilled() || driver.state() == DriverState.KILLED);
    }

    /** Records that the application of a driver was killed. If the driver then fails, that kill is the cause. */
    void applicationKilled(SubmissionId submission) {
        DriverRecord driver = drivers.get(submission);
        if (driver != null) {
            driver.killApplication();
        }
    }

    /** Number of drivers on each worker that has any. */
    Map<WorkerRecord, Integer> countByWorker() {
        Map<WorkerRecord, Integer> counts = new LinkedHashMap<>();
        drivers.values().forEach(driver -> driver.worker().ifPresent(worker -> counts.merge(worker, 1, Integer::sum)));
        return counts;
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

    private void place(Collection<WorkerRecord> workers, DriverRecord driver, long now) {
        DriverSpec spec = driver.spec();
        SpreadOutPlacement.forDriver(workers, spec)
                .ifPresentOrElse(
                        worker -> {
                            worker.reserve(spec.cores(), spec.memoryMebibytes());
                            List<ResourceInformation> addresses =
                                    worker.addresses().take(driver.id().value(), spec.addresses());
                            driver.place(worker, addresses, ids.wallMillis(now));
                            effects.send(worker, new LaunchDriver(driver.id(), spec, addresses));
                            effects.announce(driver);
                        },
                        () -> {
                            if (driver.waitFor(lacking(workers, spec))) {
                                effects.announce(driver);
                            }
                        });
    }

    private static String lacking(Collection<WorkerRecord> workers, DriverSpec spec) {
        StringBuilder what = new StringBuilder("waits for a worker with " + Quantity.of(spec.cores(), "free core")
                + " and " + spec.memoryMebibytes() + " MiB free memory");
        spec.addresses()
                .forEach((name, amount) -> what.append(", and ")
                        .append(amount)
                        .append(" free addresses of ")
                        .append(name)
                        .append(" (one worker has at most ")
                        .append(workers.stream()
                                .mapToInt(worker -> worker.addresses().free(name))
                                .max()
                                .orElse(0))
                        .append(')'));
        return what.append("; workers now: ").append(workers.size()).toString();
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
        effects.add(MasterNotes.driverEnded(driver, how, why));
        effects.announce(driver);
        driver.watchers().clear();
        forgetOldDrivers();
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
}
