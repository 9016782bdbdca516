package dev.hearth.kernel.internal.live;

import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.Bundle;

/**
 * Registry of the users of every bundle of this process, for example applications. Guarded by its own lock; lives as
 * long as the OSGi framework.
 * <p>Code that tracks services looks up the {@link BundleUsage} when a service is registered, and keeps it. It thus
 * still sees a sealed bundle (one that refuses users) as sealed after {@link #forget}.
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

    /**
     * Forgets the {@link BundleUsage} of an uninstalled bundle. Code that still refers to that object can use it as
     * before.
     */
    public synchronized void forget(Bundle bundle) {
        byBundle.remove(bundle.getBundleId());
    }

    /**
     * Sets the action that runs whenever a bundle that is hidden from new users has lost its last user, and so can be
     * stopped. The action may run on any thread.
     */
    public void onIdle(Runnable action) {
        idle = action;
    }
}
