package dev.hearth.kernel.internal.manager;

import dev.hearth.kernel.internal.live.BundleUsage;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.kernel.internal.live.NewestFirst;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Cluster managers among the registered services. Only service properties, such as the schemes, are read in advance; a
 * manager is created when it is first chosen. A chosen manager is pinned: until the pin is closed, the manager's bundle
 * can be stopped only by force. Thread-safe; lives as long as the OSGi framework.
 */
public final class RegisteredManagers implements ClusterManagers {
    private final BundleContext context;
    private final OnDemandManagers missing;
    private final Function<String, Optional<String>> hints;
    private final ServiceTracker<ClusterManager, Candidate> candidates;

    /**
     * {@code missing} starts managers that no bundle has registered yet. {@code hints} returns the name of the bundle
     * for a scheme, if it is known.
     */
    public RegisteredManagers(
            BundleContext context,
            BundleUsageRegistry uses,
            OnDemandManagers missing,
            Function<String, Optional<String>> hints) {
        this.missing = missing;
        this.hints = hints;
        candidates = new ServiceTracker<>(context, ClusterManager.class, null) {
            @Override
            public @Nullable Candidate addingService(ServiceReference<ClusterManager> reference) {
                // only the bundle is read, because obtaining the service would create every manager
                Bundle owner = reference.getBundle();
                return owner == null ? null : new Candidate(reference, uses.of(owner));
            }

            @Override
            public void removedService(ServiceReference<ClusterManager> reference, Candidate tracked) {
                // addingService has not obtained the service, so there is nothing to release
            }
        };
        this.context = context;
        candidates.open();
    }

    @Override
    public PinnedManager pin(MasterUrl master, String holder) {
        SortedSet<String> known = new TreeSet<>();
        List<Candidate> fitting = fitting(master.scheme(), known);
        if (fitting.isEmpty() && missing.startFor(master.scheme())) {
            fitting = fitting(master.scheme(), known);
        }
        for (Candidate candidate : fitting) {
            Optional<BundleUsage.Hold> hold = candidate.use.take(holder);
            if (hold.isPresent()) { // empty if the bundle is being stopped
                ClusterManager manager = context.getService(candidate.reference);
                if (manager != null) { // null if the manager could not be created; the log contains the cause
                    return new Pin(context, candidate.reference, manager, hold.get());
                }
                hold.get().close();
            }
        }
        String subject = "cluster manager for scheme '" + master.scheme() + "': ";
        if (fitting.isEmpty()) {
            throw ErrorCode.NO_MANAGER.failure(
                    subject + "not installed (expected: one of " + known + "); " + advice(master.scheme(), known));
        }
        throw ErrorCode.NO_MANAGER.failure(subject + fitting.get(0).reference.getBundle()
                + " offers one but cannot create it (expected: it creates its service); see the log above");
    }

    private String advice(String scheme, SortedSet<String> known) {
        return hints.apply(scheme)
                .map(bundle -> "check the master URL, or put " + bundle + " into bundles/ or deploy/")
                .or(() -> SpellingSuggestion.nearest(scheme, known).map(near -> "did you mean " + near + "?"))
                .orElse("no bundle of this version offers it: check the master URL, or put one that does into bundles/"
                        + " or deploy/");
    }

    /**
     * Returns the managers that support the scheme {@code scheme}, newest first. Adds the schemes that any manager
     * supports to {@code known}.
     */
    private List<Candidate> fitting(String scheme, SortedSet<String> known) {
        List<Candidate> fitting = new ArrayList<>();
        for (Candidate candidate : candidates.getTracked().values()) {
            if (!candidate.use.isHidden()) {
                List<String> schemes = schemes(candidate.reference);
                known.addAll(schemes);
                if (schemes.contains(scheme)) {
                    fitting.add(candidate);
                }
            }
        }
        fitting.sort((one, other) -> NewestFirst.order().compare(one.reference, other.reference));
        return fitting;
    }

    private record Candidate(ServiceReference<ClusterManager> reference, BundleUsage use) {}

    /**
     * Pin that keeps a cluster manager in use and its bundle from being stopped, until the pin is closed. Then drops
     * its references to both, because the owner may keep the closed pin for long.
     */
    private static final class Pin implements PinnedManager {
        private final BundleContext context;
        private final BundleUsage.Hold hold;
        private @Nullable ServiceReference<ClusterManager> reference; // guarded by this; null once this pin is closed
        private @Nullable ClusterManager manager; // guarded by this; null once this pin is closed

        Pin(
                BundleContext context,
                ServiceReference<ClusterManager> reference,
                ClusterManager manager,
                BundleUsage.Hold hold) {
            this.context = context;
            this.reference = reference;
            this.manager = manager;
            this.hold = hold;
        }

        @Override
        public synchronized ClusterManager manager() {
            if (manager == null) {
                throw new IllegalStateException("pinned manager: closed (expected: open)");
            }
            return manager;
        }

        @Override
        public synchronized void close() {
            if (reference != null) {
                context.ungetService(reference);
                reference = null;
                manager = null;
                hold.close();
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
}
