package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import java.util.ArrayList;
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
    private final Map<String, ApplicationRecord> bySession = new LinkedHashMap<>();
    private final Map<ApplicationId, ApplicationRecord> away = new LinkedHashMap<>(); // whose connections have ended
    private final Map<SubmissionId, Set<ApplicationRecord>> bySubmission = new LinkedHashMap<>();

    void add(ApplicationRecord application) {
        applications.put(application.id(), application);
        if (application.request().session().isResumable()) {
            bySession.put(application.request().session().id(), application);
        }
        byPeer.computeIfAbsent(application.peer(), first -> new LinkedHashSet<>())
                .add(application);
        application
                .submission()
                .ifPresent(driver -> bySubmission
                        .computeIfAbsent(driver, first -> new LinkedHashSet<>())
                        .add(application));
    }

    /** The connection of the driver has ended. */
    void leaves(ApplicationRecord application, long now) {
        leave(byPeer, application.peer(), application);
        application.leaves(now);
        away.put(application.id(), application);
    }

    /** The driver is back over the connection {@code peer}. */
    void returns(ApplicationRecord application, RegisterApplication message, long peer) {
        leave(byPeer, application.peer(), application);
        away.remove(application.id());
        application.returns(message, peer);
        byPeer.computeIfAbsent(peer, first -> new LinkedHashSet<>()).add(application);
    }

    /** Applications that have been away for at least {@code graceNanos}. */
    List<ApplicationRecord> gone(long graceNanos, long now) {
        List<ApplicationRecord> gone = new ArrayList<>();
        for (ApplicationRecord application : away.values()) { // the longest absence first
            if (application.awayNanos(now) < graceNanos) {
                break;
            }
            gone.add(application);
        }
        return gone;
    }

    /** The application that {@code message}, the registration of a driver, has registered before; empty if it is new. */
    Optional<ApplicationRecord> continuedBy(RegisterApplication message) {
        return message.session().isResumable()
                ? Optional.ofNullable(bySession.get(message.session().id()))
                : Optional.empty();
    }

    void remove(ApplicationRecord application) {
        away.remove(application.id());
        bySession.remove(application.request().session().id(), application);
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
