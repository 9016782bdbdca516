package dev.hearth.shuffleservice.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The applications whose map outputs a service keeps. A state machine: time arrives as an argument, and nothing blocks.
 * Invariant: an application is kept while its driver is connected, and for the grace after its last connection ended or
 * its last executor was admitted; it is removed at once when its driver says that it has ended. Owned by {@link
 * RunningShuffleService}.
 */
final class ApplicationLeases {
    private final long graceNanos;
    private final Map<String, Lease> leases = new LinkedHashMap<>();

    ApplicationLeases(Duration grace) {
        this.graceNanos = grace.toNanos();
    }

    private static final class Lease {
        private final Set<Long> drivers = new LinkedHashSet<>(); // connections, by the id of the peer
        private long sinceNanos; // the time since which no driver is connected, or later

        Lease(long nowNanos) {
            this.sinceNanos = nowNanos;
        }
    }

    /** An executor of the application starts. */
    void admitted(String application, long nowNanos) {
        leases.computeIfAbsent(application, missing -> new Lease(nowNanos)).sinceNanos = nowNanos;
    }

    /** The driver of an application has connected. Returns false if the application is not kept (any more). */
    boolean attached(String application, long peer) {
        Lease lease = leases.get(application);
        if (lease != null) {
            lease.drivers.add(peer);
        }
        return lease != null;
    }

    /** A connection to a driver, or to any other process, is lost. */
    void detached(String application, long peer, long nowNanos) {
        Lease lease = leases.get(application);
        if (lease != null && lease.drivers.remove(peer)) {
            lease.sinceNanos = nowNanos;
        }
    }

    /** The driver says that the application has ended. Returns whether it was kept until now. */
    boolean ended(String application) {
        return leases.remove(application) != null;
    }

    /** Removes the applications that had no driver for the grace, and returns them. */
    List<String> expire(long nowNanos) {
        List<String> expired = new ArrayList<>();
        leases.forEach((application, lease) -> {
            if (lease.drivers.isEmpty() && nowNanos - lease.sinceNanos >= graceNanos) {
                expired.add(application);
            }
        });
        expired.forEach(leases::remove);
        return expired;
    }

    int size() {
        return leases.size();
    }
}
