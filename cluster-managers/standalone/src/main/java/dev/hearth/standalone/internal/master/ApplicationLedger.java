package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Registered applications, by id, by connection and by the driver that registered them. Owned by {@link Master}, with its
 * records.
 */
final class ApplicationLedger {
    private final Map<ApplicationId, ApplicationRecord> applications = new LinkedHashMap<>();
    private final Map<Long, Set<ApplicationRecord>> byPeer = new LinkedHashMap<>();
    private final Map<SubmissionId, Set<ApplicationRecord>> bySubmission = new LinkedHashMap<>();

    void add(ApplicationRecord application) {
        applications.put(application.id(), application);
        byPeer.computeIfAbsent(application.peer(), first -> new LinkedHashSet<>())
                .add(application);
        application
                .submission()
                .ifPresent(driver -> bySubmission
                        .computeIfAbsent(driver, first -> new LinkedHashSet<>())
                        .add(application));
    }

    void remove(ApplicationRecord application) {
        applications.remove(application.id());
        leave(byPeer, application.peer(), application);
        application.submission().ifPresent(driver -> leave(bySubmission, driver, application));
    }

    private static <K> void leave(Map<K, Set<ApplicationRecord>> byKey, K key, ApplicationRecord application) {
        Set<ApplicationRecord> known = byKey.get(key);
        if (known != null && known.remove(application) && known.isEmpty()) {
            byKey.remove(key);
        }
    }

    Optional<ApplicationRecord> find(ApplicationId id) {
        return Optional.ofNullable(applications.get(id));
    }

    /** The application {@code id}, if it has registered over the connection {@code peer}. */
    Optional<ApplicationRecord> find(ApplicationId id, long peer) {
        return find(id).filter(application -> application.peer() == peer);
    }

    /** Applications that have registered over a connection. */
    List<ApplicationRecord> of(long peer) {
        return List.copyOf(byPeer.getOrDefault(peer, Set.of()));
    }

    /** Applications of a driver that was submitted to the master. */
    List<ApplicationRecord> of(SubmissionId driver) {
        return List.copyOf(bySubmission.getOrDefault(driver, Set.of()));
    }

    boolean contains(ApplicationRecord application) {
        return applications.get(application.id()) == application;
    }

    /** All of them, in the order of their registration. */
    Collection<ApplicationRecord> all() {
        return applications.values();
    }

    int size() {
        return applications.size();
    }
}
