package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.frozen.ExecutorClause.Kind;
import dev.hearth.kernel.internal.inventory.BundleLocations;
import dev.hearth.kernel.internal.inventory.ManifestClauses;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * Selects the bundles of this process that executors need too, or a driver on another machine. Any thread may call;
 * stateless.
 */
final class FrozenBundleSelection {
    private static final String ROLES = "Hearth-Role";
    private static final String DRIVER = "driver";

    private final BundleContext context;
    private final BundleUsageRegistry uses;

    FrozenBundleSelection(BundleContext context, BundleUsageRegistry uses) {
        this.context = context;
        this.uses = uses;
    }

    /**
     * Returns the {@code providers}, the bundles whose manifests declare them for executors, and the bundles to which
     * these are wired, dependencies first. Bundles in reserve need not run in this process. Excludes {@code own}, the jars with which executors start. If a provider and
     * a declared bundle have the same name, the provider is used.
     */
    List<Bundle> forExecutors(List<Bundle> providers, Set<Path> own) {
        Set<String> providerNames =
                providers.stream().map(Bundle::getSymbolicName).collect(Collectors.toSet());
        List<Bundle> named = new ArrayList<>(providers);
        List<Bundle> reserves = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            Kind kind = uses.isHidden(bundle) || providerNames.contains(bundle.getSymbolicName())
                    ? Kind.ABSENT
                    : ExecutorClause.of(bundle).kind();
            if (kind == Kind.RESERVE || (kind == Kind.START && bundle.getState() == Bundle.ACTIVE)) {
                named.add(bundle);
            }
            if (kind == Kind.RESERVE && bundle.getState() == Bundle.INSTALLED) {
                reserves.add(bundle);
            }
        }
        if (!reserves.isEmpty()) { // only a resolved bundle says what it is wired to
            context.getBundle(Constants.SYSTEM_BUNDLE_ID)
                    .adapt(FrameworkWiring.class)
                    .resolveBundles(reserves);
        }
        return withDependencies(named, own);
    }

    /**
     * Returns the running bundles of the deploy directory and the bundles to which these are wired, dependencies first.
     * Excludes {@code own}, the jars with which drivers start, and bundles whose manifests name other roles only.
     */
    List<Bundle> forDrivers(Set<Path> own) {
        List<Bundle> deployed = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            if (BundleLocations.isDropped(bundle)
                    && isRunning(bundle)
                    && !uses.isHidden(bundle)
                    && isForDrivers(bundle)) {
                deployed.add(bundle);
            }
        }
        return withDependencies(deployed, own);
    }

    private static List<Bundle> withDependencies(List<Bundle> named, Set<Path> own) {
        Set<Bundle> chosen = new LinkedHashSet<>();
        Set<Bundle> visited = new LinkedHashSet<>();
        named.forEach(bundle -> add(bundle, own, visited, chosen));
        return List.copyOf(chosen);
    }

    /** Whether a bundle is active, or a fragment of a resolved bundle. */
    private static boolean isRunning(Bundle bundle) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        return bundle.getState() == Bundle.ACTIVE
                || (bundle.getState() == Bundle.RESOLVED && (revision.getTypes() & BundleRevision.TYPE_FRAGMENT) != 0);
    }

    private static boolean isForDrivers(Bundle bundle) {
        String roles = bundle.getHeaders("").get(ROLES);
        return roles == null
                || ManifestClauses.parse(roles).stream()
                        .anyMatch(clause -> clause.paths().contains(DRIVER));
    }

    /**
     * Adds the bundles on which {@code bundle} depends, and then {@code bundle}, to {@code chosen}. Skips those in
     * {@code visited}. The recursion is as deep as the longest chain of dependencies.
     */
    private static void add(Bundle bundle, Set<Path> own, Set<Bundle> visited, Set<Bundle> chosen) {
        boolean platform = bundle.getBundleId() == Constants.SYSTEM_BUNDLE_ID
                || BundleLocations.jar(bundle).filter(own::contains).isPresent();
        if (platform || !visited.add(bundle)) {
            return;
        }
        BundleWiring wiring = bundle.adapt(BundleWiring.class); // null: not resolved
        List<BundleWire> wires = wiring == null ? List.of() : wiring.getRequiredWires(null);
        for (BundleWire wire : wires) {
            add(wire.getProvider().getBundle(), own, visited, chosen);
        }
        chosen.add(bundle);
    }
}
