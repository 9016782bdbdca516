package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.EndSupervision;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.PermitRestart;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import dev.hearth.standalone.internal.protocol.WorkerSession.DriverReport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Agreement of the master with its workers about the drivers on them: what workers report about restarts, and, when one
 * registers again, what it runs and what the master believes that it runs. Part of the state machine {@link Master}, which
 * owns it.
 */
final class DriverReturns {
    private final SubmittedDrivers drivers;
    private final IdGenerator ids;
    private final EffectList effects;
    private final FactList facts;
    private final EndingProcesses ending;

    DriverReturns(
            SubmittedDrivers drivers, IdGenerator ids, EffectList effects, FactList facts, EndingProcesses ending) {
        this.ending = ending;
        this.drivers = drivers;
        this.ids = ids;
        this.effects = effects;
        this.facts = facts;
    }

    /** The driver whose attempt {@code attempt} the worker of the connection {@code peer} supervises; empty if it is not. */
    private Optional<DriverRecord> supervised(SubmissionId submission, int attempt, long peer) {
        return drivers.known(submission)
                .filter(driver -> driver.spec().supervise()
                        && driver.attempt() == attempt
                        && driver.worker()
                                .filter(worker -> worker.peer() == peer)
                                .isPresent());
    }

    /** Records that a worker will start a supervised driver again. Returns whether the driver runs there. */
    boolean restarts(DriverRestarts message, long peer) {
        Optional<DriverRecord> driver = supervised(message.submission(), message.attempt(), peer)
                .filter(known -> known.state() == DriverState.RUNNING);
        driver.ifPresent(known -> backsOff(known, message.restarts(), message.message(), message.delayMillis()));
        return driver.isPresent();
    }

    private void backsOff(DriverRecord driver, int restarts, String end, long delayMillis) {
        driver.backOff(restarts, end, delayMillis);
        facts.add(driver::backedOffFact);
        permit(driver);
        effects.add(MasterNotes.driverRestarts(driver));
        effects.announce(driver);
    }

    private void permit(DriverRecord driver) {
        if (!driver.isKilled()) {
            driver.worker()
                    .ifPresent(worker -> effects.send(worker, new PermitRestart(driver.id(), driver.attempt() + 1)));
        }
    }

    /** Records that a worker has started a supervised driver again. */
    void started(DriverStarted message, long peer, long now) {
        supervised(message.submission(), message.attempt() - 1, peer)
                .filter(driver -> driver.state() == DriverState.RELAUNCHING)
                .ifPresent(driver -> {
                    driver.startedAgain(message.attempt(), ids.wallMillis(now));
                    facts.add(driver::placedFact);
                    effects.announce(driver);
                });
    }

    /** Takes back a supervised driver, which has ended because its worker stops. Returns whether it ran there. */
    boolean returned(DriverReturned message, long peer, long now) {
        Optional<DriverRecord> driver = supervised(message.submission(), message.attempt(), peer);
        driver.ifPresent(known -> {
            WorkerRecord worker = known.worker().orElseThrow();
            if (drivers.leave(known, worker, "worker " + worker.id() + " gave it back", now, now)) {
                drivers.waitAgain(known);
            }
        });
        return driver.isPresent();
    }

    /** Start number {@code attempt} of the driver {@code submission} has ended, for the reason {@code why}. */
    record EndedAttempt(SubmissionId submission, int attempt, String why) {}

    /**
     * Compares the drivers that {@code worker} reports with those that the master believes to be there. Unknown ones are
     * stopped, lost orders are repeated, and drivers that are gone end or start elsewhere. Returns the attempts of
     * supervised drivers of whose ends the master learns by that.
     */
    List<EndedAttempt> reconcile(WorkerRecord worker, WorkerSession session, long now) {
        List<EndedAttempt> ended = new ArrayList<>();
        Set<SubmissionId> reported = new LinkedHashSet<>();
        for (DriverReport report : session.drivers()) {
            reported.add(report.submission());
            if (accepts(worker, report, now)) {
                agree(worker, report, ended);
            } else if (!report.ended()) {
                ending.add(
                        worker,
                        report.submission().value(),
                        report.cores(),
                        report.memoryMebibytes(),
                        report.resources());
                effects.send(worker, new StopDriver(report.submission()));
            }
        }
        drivers.runningOn(worker).stream()
                .filter(driver -> !reported.contains(driver.id()))
                .forEach(driver -> unheard(worker, driver, ended, now));
        drivers.expectedOf(worker.id()).stream()
                .filter(driver -> !reported.contains(driver.id()))
                .forEach(driver -> absent(worker, driver, ended, now));
        return ended;
    }

    /** Whether the driver of {@code report} belongs on {@code worker}; adopts it if it was not known to be there. */
    private boolean accepts(WorkerRecord worker, DriverReport report, long now) {
        Optional<DriverRecord> known = drivers.known(report.submission())
                .filter(driver -> report.attempt() == driver.attempt() || report.attempt() == driver.attemptLast());
        if (known.isEmpty()) {
            return false;
        }
        DriverRecord driver = known.get();
        if (driver.worker().isPresent()) {
            boolean isHere = driver.worker().get() == worker;
            if (isHere && report.attempt() != driver.attempt()) {
                driver.startedAgain(report.attempt(), ids.wallMillis(now));
                facts.add(driver::placedFact);
                effects.announce(driver);
            }
            return isHere;
        }
        boolean isExpected = drivers.expectedOf(worker.id()).contains(driver)
                && worker.fits(driver.spec().cores(), driver.spec().memoryMebibytes())
                && worker.hasFree(report.resources());
        if (isExpected) {
            drivers.adopt(driver, worker, report);
        }
        return isExpected;
    }

    /** Repeats the orders for a driver that its worker has, as they may not have reached it. */
    private void agree(WorkerRecord worker, DriverReport report, List<EndedAttempt> ended) {
        DriverRecord driver = drivers.known(report.submission()).orElseThrow();
        if (report.ended()) {
            return; // the message about the end follows
        }
        if (report.waits() && driver.state() == DriverState.RUNNING) {
            ended.add(new EndedAttempt(driver.id(), driver.attempt(), "its driver has failed"));
            backsOff(driver, report.restarts(), report.lastEnd(), 0);
        } else if (report.waits()) {
            permit(driver);
        }
        if (driver.isKilled()) {
            effects.send(worker, new StopDriver(driver.id()));
        } else if (driver.isApplicationKilled() && driver.spec().supervise()) {
            effects.send(worker, new EndSupervision(driver.id()));
        }
    }

    /** Handles a driver that the master has ordered, and that its worker does not have. */
    private void unheard(WorkerRecord worker, DriverRecord driver, List<EndedAttempt> ended, long now) {
        String why = "worker " + worker.id() + " has connected again without it";
        if (driver.isKilled()) {
            drivers.killed(driver, why, now);
        } else if (driver.spec().supervise()) { // may have run, and ended with the lease
            ended.add(new EndedAttempt(driver.id(), driver.attemptLast(), why));
            if (drivers.leave(driver, worker, why, now, now)) {
                drivers.waitAgain(driver);
            }
        } else {
            repeat(worker, driver); // its end would have been reported
        }
    }

    private void repeat(WorkerRecord worker, DriverRecord driver) {
        effects.send(
                worker,
                new LaunchDriver(
                        driver.id(),
                        driver.spec(),
                        worker.heldBy(driver.id().value()),
                        driver.attempt(),
                        driver.restarts()));
    }

    /** Handles a driver that a worker had under another master, or before it was lost, and does not have now. */
    private void absent(WorkerRecord worker, DriverRecord driver, List<EndedAttempt> ended, long now) {
        boolean isSameProcess = !worker.session().isEmpty() && worker.session().equals(driver.placedSession());
        String why = "worker " + worker.id() + " has registered without it";
        if (!driver.isAwaited()) {
            if (isSameProcess) {
                drivers.unfence(driver);
            }
        } else if (isSameProcess && !driver.spec().supervise() && !driver.isKilled()) {
            if (worker.fits(driver.spec().cores(), driver.spec().memoryMebibytes())) {
                drivers.adopt(driver, worker, unstarted(driver));
                repeat(worker, driver); // its end would have been reported
            }
        } else {
            ended.add(new EndedAttempt(driver.id(), driver.attemptLast(), why));
            drivers.gone(driver, why, now);
            if (isSameProcess && driver.hasLeft()) {
                drivers.unfence(driver);
            }
        }
    }

    private static DriverReport unstarted(DriverRecord driver) {
        return new DriverReport(driver.id(), driver.attempt(), driver.restarts(), false, "", false, List.of(), 0, 0);
    }
}
