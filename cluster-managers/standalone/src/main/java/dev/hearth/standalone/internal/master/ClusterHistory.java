package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Applications and executors that have ended, for display: the last ones of each, as many as {@link MasterSettings}
 * says, and the applications of the last {@link DriverBounds#retainedTime}. Owned by {@link Master}.
 */
final class ClusterHistory {
    private final MasterSettings settings;
    private final Map<ApplicationId, Ended> applications = new LinkedHashMap<>(); // the oldest end first
    private final Map<Key, ExecutorEntry> executors = new LinkedHashMap<>();

    ClusterHistory(MasterSettings settings) {
        this.settings = settings;
    }

    private record Key(ApplicationId application, ExecutorId executor) {}

    private record Ended(ApplicationEntry entry, long nanos) {}

    void add(ApplicationEntry ended, long now) {
        applications.put(ended.id(), new Ended(ended, now));
        forget(now);
    }

    /** Forgets the applications that ended long before {@code now}. */
    void forget(long now) {
        long retained = settings.drivers().retainedTime().toNanos();
        Iterator<Ended> oldest = applications.values().iterator();
        while (applications.size() > settings.endedApplicationsKept()
                && (now - oldest.next().nanos() >= retained || applications.size() > DriverBounds.RETAINED_MAX)) {
            oldest.remove();
        }
    }

    void add(ExecutorEntry ended) {
        executors.put(new Key(ended.application(), ended.id()), ended);
        trim(executors.values(), settings.endedExecutorsKept());
    }

    /** Records the exit status of an executor that was listed as ended before its worker reported its exit. */
    void exited(ExecutorEnded report) {
        executors.computeIfPresent(
                new Key(report.application(), report.executor()),
                (key, entry) -> entry.exited(report.exitStatus(), report.message()));
    }

    Optional<ApplicationEntry> find(ApplicationId application) {
        return Optional.ofNullable(applications.get(application)).map(Ended::entry);
    }

    List<ApplicationEntry> applications() {
        return applications.values().stream().map(Ended::entry).toList();
    }

    Collection<ExecutorEntry> executors() {
        return executors.values();
    }

    private static void trim(Collection<?> entries, int most) {
        Iterator<?> oldest = entries.iterator();
        while (entries.size() > most) {
            oldest.next();
            oldest.remove();
        }
    }
}
