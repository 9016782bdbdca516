package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.ExecutorEntry.State;
import dev.hearth.spi.id.ApplicationId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Applications and executors of a master for display. Part of the state machine {@link Master}, which owns it. */
record ApplicationListing(
        ApplicationLedger applications, ClusterHistory history, ExecutorGrants grants, IdGenerator ids) {
    /** All applications: the registered ones, in order of their registration, after those that ended. */
    List<ApplicationEntry> applications(long now) {
        List<ApplicationEntry> entries = new ArrayList<>(history.applications());
        entries.removeIf(ended -> applications.find(ended.id()).isPresent()); // one that has come back
        applications.all().forEach(application -> entries.add(entry(application, now)));
        return entries;
    }

    /** Executors of {@code only}, or of all applications: those that run after those that ended. */
    List<ExecutorEntry> executors(Optional<ApplicationId> only) {
        Predicate<ApplicationId> chosen = id -> only.isEmpty() || only.get().equals(id);
        List<ExecutorEntry> entries = new ArrayList<>(history.executors());
        entries.removeIf(entry -> !chosen.test(entry.application()));
        applications.all().stream()
                .filter(application -> chosen.test(application.id()))
                .forEach(application -> application
                        .executors()
                        .values()
                        .forEach(grant -> entries.add(
                                application.entry(grant, grant.isLeaving() ? State.DECOMMISSIONED : State.RUNNING))));
        return entries;
    }

    /** Numbers about the applications that have not ended. */
    List<ApplicationFigures> figures() {
        return applications.all().stream()
                .map(application -> application.figures(state(application)))
                .toList();
    }

    private static ApplicationEntry.State state(ApplicationRecord application) {
        return application.waits() ? ApplicationEntry.State.WAITING : ApplicationEntry.State.RUNNING;
    }

    ApplicationEntry entry(ApplicationRecord application, long now) {
        boolean waits = application.waits();
        return application.entry(
                state(application), waits ? grants.lacking(application, now).text() : "", ids.wallMillis(now));
    }
}
