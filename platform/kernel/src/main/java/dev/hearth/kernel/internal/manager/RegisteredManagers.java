package dev.hearth.kernel.internal.manager;

import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The cluster managers among the registered services. Asks for their schemes only; a manager comes to life when it is
 * first chosen. Safe for any thread; lives as long as the framework.
 */
public final class RegisteredManagers implements ClusterManagers {
    private static final Comparator<ServiceReference<ClusterManager>> NEWEST_FIRST = Comparator.comparing(
                    RegisteredManagers::version)
            .thenComparing(Comparator.naturalOrder())
            .reversed();

    private final BundleContext context;
    private final ServiceTracker<ClusterManager, ServiceReference<ClusterManager>> references;

    public RegisteredManagers(BundleContext context) {
        references = new ServiceTracker<>(context, ClusterManager.class, null) {
            @Override
            public ServiceReference<ClusterManager> addingService(ServiceReference<ClusterManager> reference) {
                return reference; // not the service: that would bring every manager to life
            }

            @Override
            public void removedService(
                    ServiceReference<ClusterManager> reference, ServiceReference<ClusterManager> tracked) {
                // nothing was taken, so nothing is given back
            }
        };
        this.context = context;
        references.open();
    }

    @Override
    public PinnedManager pin(MasterUrl master, String holder) {
        List<ServiceReference<ClusterManager>> candidates = new ArrayList<>();
        SortedSet<String> known = new TreeSet<>();
        for (ServiceReference<ClusterManager> reference :
                references.getTracked().keySet()) {
            List<String> schemes = schemes(reference);
            known.addAll(schemes);
            if (schemes.contains(master.scheme())) {
                candidates.add(reference);
            }
        }
        candidates.sort(NEWEST_FIRST);
        for (ServiceReference<ClusterManager> candidate : candidates) {
            ClusterManager manager = context.getService(candidate);
            if (manager != null) { // else it left meanwhile or could not be made, which the log tells
                return new Pin(context, candidate, manager);
            }
        }
        String subject = "cluster manager for scheme '" + master.scheme() + "': ";
        if (candidates.isEmpty()) {
            throw ErrorCode.NO_MANAGER.failure(subject + "none (expected: one of " + known
                    + "); is the bundle cluster-manager for it in bundles/ or deploy/?");
        }
        throw ErrorCode.NO_MANAGER.failure(subject + candidates.get(0).getBundle()
                + " offers one and does not give it (expected: a service); see the log above");
    }

    /** Holds one service until it is let go, once. */
    private static final class Pin implements PinnedManager {
        private final BundleContext context;
        private final ServiceReference<ClusterManager> reference;
        private final ClusterManager manager;
        private final AtomicBoolean held = new AtomicBoolean(true);

        Pin(BundleContext context, ServiceReference<ClusterManager> reference, ClusterManager manager) {
            this.context = context;
            this.reference = reference;
            this.manager = manager;
        }

        @Override
        public ClusterManager manager() {
            return manager;
        }

        @Override
        public void close() {
            if (held.compareAndSet(true, false)) {
                context.ungetService(reference);
            }
        }
    }

    private static List<String> schemes(ServiceReference<ClusterManager> reference) {
        Object value = reference.getProperty(ClusterManager.SCHEME);
        if (value instanceof String scheme) {
            return List.of(scheme);
        }
        return value instanceof String[] schemes ? List.of(schemes) : List.of();
    }

    private static Version version(ServiceReference<ClusterManager> reference) {
        return reference.getBundle() == null
                ? Version.emptyVersion
                : reference.getBundle().getVersion();
    }
}
