package dev.hearth.kernel.internal.deploy;

import java.util.Collection;
import org.osgi.framework.Bundle;
import org.osgi.framework.hooks.resolver.ResolverHook;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Keeps a bundle from importing packages of another version of itself. A bundle may import packages that it also
 * exports; a new version would then run with classes of the version that it replaces, and keep them in memory.
 * Stateless.
 */
final class OwnPackagesHook implements ResolverHookFactory, ResolverHook {
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
