package dev.hearth.kernel.internal.live;

import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.Bundle;

/**
 * Registry of the users of every bundle of this process. Guarded by its own lock; lives as long as the OSGi framework.
 * <p>A tracker of services looks up the {@link BundleUsage} when a service is registered, and stores it with the
 * service. The tracker thus still sees a sealed bundle as sealed after {@link #forget}.
 */
public final class BundleUsageRegistry {
    private final SortedMap<Long, BundleUsage> byBundle = new TreeMap<>();
    private volatile Runnable idle = () -> {};

    /** Returns the {@link BundleUsage} of an installed bundle; the first call for the bundle creates it. */
    public synchronized BundleUsage of(Bundle bundle) {
        return byBundle.computeIfAbsent(bundle.getBundleId(), id -> new BundleUsage(() -> idle.run()));
    }

    /** Whether {@code bundle} is hidden, so that new users do not find it. */
    public boolean isHidden(Bundle bundle) {
        BundleUsage use;
        synchronized (this) {
            use = byBundle.get(bundle.getBundleId());
        }
        return use != null && use.isHidden();
    }

    /** Forgets the users of an uninstalled bundle. */
    public synchronized void forget(Bundle bundle) {
        byBundle.remove(bundle.getBundleId());
    }

    /**
     * Sets the action that runs whenever the last user of a hidden bundle has closed its hold. The action may run on
     * any thread.
     */
    public void onIdle(Runnable action) {
        idle = action;
    }
}
