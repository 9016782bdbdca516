package dev.hearth.kernel.internal.deploy;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.osgi.framework.Bundle;
import org.osgi.framework.hooks.resolver.ResolverHook;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Keeps bundles from importing packages of versions that are being replaced. A bundle may import packages that it also
 * exports; a new version would then run with classes of the version that it replaces, and keep them in memory. Of two
 * versions with the same packages, the framework prefers the one that is there; a new importer would keep the old one, whose
 * services are hidden from it. Stateless.
 */
final class OwnPackagesHook implements ResolverHookFactory, ResolverHook {
    private final Predicate<Bundle> replaced;

    /** {@code replaced} says whether a bundle is hidden from new users, because another one has taken its place. */
    OwnPackagesHook(Predicate<Bundle> replaced) {
        this.replaced = replaced;
    }

    @Override
    public ResolverHook begin(Collection<BundleRevision> triggers) {
        return this;
    }

    @Override
    public void filterMatches(BundleRequirement requirement, Collection<BundleCapability> candidates) {
        Bundle importer = requirement.getRevision().getBundle();
        String name = requirement.getRevision().getSymbolicName();
        candidates.removeIf(
                candidate -> candidate.getRevision().getSymbolicName().equals(name)
                        && !candidate.getRevision().getBundle().equals(importer));
        Set<String> present = new HashSet<>();
        for (BundleCapability candidate : candidates) {
            if (!replaced.test(candidate.getRevision().getBundle())) {
                present.add(candidate.getRevision().getSymbolicName());
            }
        }
        candidates.removeIf(candidate -> replaced.test(candidate.getRevision().getBundle())
                && present.contains(candidate.getRevision().getSymbolicName()));
    }

    @Override
    public void filterResolvable(Collection<BundleRevision> candidates) {
        // every bundle may be resolved
    }

    @Override
    public void filterSingletonCollisions(BundleCapability singleton, Collection<BundleCapability> collisions) {
        // the framework's own rule holds
    }

    @Override
    public void end() {
        // nothing to release
    }
}
