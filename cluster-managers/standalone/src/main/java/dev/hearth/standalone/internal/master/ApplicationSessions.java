package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.protocol.ApplicationSession;
import dev.hearth.standalone.internal.protocol.ApplicationSession.HeldExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Registrations of applications: new ones, those that come back over another connection, and those that a former master
 * had. Part of the state machine {@link Master}, which owns it.
 */
final class ApplicationSessions {
    /** Numbers of executors that are left out if the master does not know which a former one has used. */
    private static final int UNKNOWN_NUMBERS = 1_000;

    private final MasterSettings settings;
    private final ApplicationLedger applications;
    private final ExecutorGrants grants;
    private final SubmittedDrivers drivers;
    private final ClusterHistory history;
    private final IdGenerator ids;
    private final FactList facts;
    private final long returnNanos; // until which applications of a former master register again
    private boolean mayReturn = true;
    private Optional<String> hindrance = Optional.empty();
    private long registrations;

    ApplicationSessions(
            MasterSettings settings,
            ApplicationLedger applications,
            ExecutorGrants grants,
            SubmittedDrivers drivers,
            ClusterHistory history,
            IdGenerator ids,
            FactList facts,
            long now) {
        this.settings = settings;
        this.applications = applications;
        this.grants = grants;
        this.drivers = drivers;
        this.history = history;
        this.ids = ids;
        this.facts = facts;
        Duration grace = settings.sessions().applicationGrace();
        Duration recovery = settings.sessions().recoveryTimeout();
        this.returnNanos = now + (grace.compareTo(recovery) > 0 ? grace : recovery).toNanos();
    }

    /** Sets why nothing new is to be taken on; empty if nothing hinders. */
    void hindered(Optional<String> why) {
        hindrance = why;
    }

    /** An application that is registered is back, over the connection {@code peer}. */
    ApplicationRecord resume(ApplicationRecord application, RegisterApplication message, long peer) {
        requireAttempt(message);
        applications.returns(application, message, peer);
        grants.changed(application);
        return application;
    }

    /** Registers an application that is not known to this master, under the id that it had at another one if it had any. */
    ApplicationRecord register(RegisterApplication message, long peer, long now) {
        ApplicationSession session = message.session();
        if (session.resumes().isPresent()) {
            requireNotKilled(session.resumes().get());
        } else {
            requireRoom();
        }
        if (message.executorCores().orElse(1) < 1 || message.executorMemoryMebibytes() < 1) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("application " + message.name()
                    + ": executors without cores or without memory requested (expected: at least 1 core and 1 MiB"
                    + " for each executor)");
        }
        requireAttempt(message);
        int coresMax =
                message.coresMax().orElse(settings.placement().defaultCores().orElse(Integer.MAX_VALUE));
        ApplicationId id = session.resumes()
                .orElseGet(() -> ids.application(
                        now, message.name(), known -> applications.find(known).isPresent()));
        ApplicationRecord application =
                new ApplicationRecord(id, ++registrations, message, peer, coresMax, now, ids.wallMillis(now));
        if (session.resumes().isPresent()) {
            application.numberFrom(unusedNumber(id, session.holds()));
        } else {
            facts.add(() -> ids.used(now));
        }
        applications.add(application);
        return application;
    }

    private void requireRoom() {
        hindrance.ifPresent(why -> {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: " + why);
        });
        if (applications.size() >= settings.applicationsMax()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: "
                    + Quantity.of(applications.size(), "application")
                    + " registered already (expected: at most hearth.deploy.applicationsMax ="
                    + " " + settings.applicationsMax() + ", with the new one); try again when one of them has ended");
        }
    }

    private void requireNotKilled(ApplicationId id) {
        if (applications.find(id).isPresent()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure(
                    "application " + id + ": registered by another driver (expected: one driver for each application)");
        }
        history.find(id)
                .filter(entry -> entry.state() == ApplicationEntry.State.KILLED)
                .ifPresent(entry -> {
                    throw ErrorCode.APPLICATION_KILLED.failure(
                            "application " + id + ": killed while its driver was away: " + entry.message());
                });
    }

    private void requireAttempt(RegisterApplication message) {
        message.submission()
                .flatMap(submission -> drivers.refusal(submission, message.attempt()))
                .ifPresent(why -> {
                    throw ErrorCode.SUBMISSION_REFUSED.failure("application " + message.name() + ": " + why);
                });
    }

    /** A number from which on no master has started an executor of the application {@code id}. */
    private int unusedNumber(ApplicationId id, List<HeldExecutor> holds) {
        int known = 0;
        for (HeldExecutor held : holds) {
            try {
                known = Math.max(known, Integer.parseInt(held.executor().value()) + 1);
            } catch (NumberFormatException other) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "application " + id + ": executor " + held.executor() + " (expected: a number)", other);
            }
        }
        OptionalInt reserved =
                facts.ledger().map(ledger -> ledger.executorIds(id)).orElse(OptionalInt.empty());
        return reserved.isPresent() ? Math.max(known, reserved.getAsInt()) : known + UNKNOWN_NUMBERS;
    }

    /** An application has ended, so that its numbers of executors need not be remembered. */
    void closed(ApplicationRecord application) {
        facts.ledger()
                .filter(ledger -> ledger.executorIds(application.id()).isPresent())
                .ifPresent(ledger -> facts.add(() -> new Fact.ApplicationsClosed(List.of(application.id()))));
    }

    /** Forgets the applications of a former master that have not registered again in time. */
    void closeUnreturned(long now) {
        if (!mayReturn || now - returnNanos < 0) {
            return;
        }
        mayReturn = false;
        List<ApplicationId> gone = facts.ledger().map(MasterLedger::openApplications).orElse(List.of()).stream()
                .filter(id -> applications.find(id).isEmpty())
                .toList();
        if (!gone.isEmpty()) {
            facts.add(() -> new Fact.ApplicationsClosed(gone));
        }
    }
}
