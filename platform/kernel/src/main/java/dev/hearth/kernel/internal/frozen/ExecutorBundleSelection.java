package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.inventory.BundleLocations;
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
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;

/** Selects the bundles of a driver's process that its executors need too. Any thread may call; stateless. */
final class ExecutorBundleSelection {
    private static final String HEADER = "Hearth-Executor";

    private final BundleContext context;
    private final BundleUsageRegistry uses;

    ExecutorBundleSelection(BundleContext context, BundleUsageRegistry uses) {
        this.context = context;
        this.uses = uses;
    }

    /**
     * Returns the {@code providers}, the bundles whose manifests declare them for executors, and the bundles to which
     * these are wired, dependencies first. Excludes {@code own}, the jars with which executors start. If a provider and
     * a declared bundle have the same name, the provider is used.
     */
    List<Bundle> choose(List<Bundle> providers, Set<Path> own) {
        Set<String> providerNames =
                providers.stream().map(Bundle::getSymbolicName).collect(Collectors.toSet());
        List<Bundle> named = new ArrayList<>(providers);
        for (Bundle bundle : context.getBundles()) {
            if (isDeclared(bundle) && !uses.isHidden(bundle) && !providerNames.contains(bundle.getSymbolicName())) {
                named.add(bundle);
            }
        }
        Set<Bundle> chosen = new LinkedHashSet<>();
        Set<Bundle> visited = new LinkedHashSet<>();
        named.forEach(bundle -> add(bundle, own, visited, chosen));
        return List.copyOf(chosen);
    }

    private static boolean isDeclared(Bundle bundle) {
        return bundle.getState() == Bundle.ACTIVE
                && "true".equalsIgnoreCase(bundle.getHeaders("").get(HEADER));
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
