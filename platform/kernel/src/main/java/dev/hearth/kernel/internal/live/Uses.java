package dev.hearth.kernel.internal.live;

import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.Bundle;

/**
 * The uses of every bundle of this process. Guarded by its own lock; lives as long as the framework.
 * <p>Whoever follows services asks for a {@link BundleUse} when a service comes and keeps it with the service: one that was
 * sealed stays so for those who still remember the service.
 */
public final class Uses {
    private final SortedMap<Long, BundleUse> byBundle = new TreeMap<>();
    private volatile Runnable idle = () -> {};

    /** The use of an installed bundle. */
    public synchronized BundleUse of(Bundle bundle) {
        return byBundle.computeIfAbsent(bundle.getBundleId(), id -> new BundleUse(() -> idle.run()));
    }

    /** Whether new users may no longer find {@code bundle}. */
    public boolean isHidden(Bundle bundle) {
        BundleUse use;
        synchronized (this) {
            use = byBundle.get(bundle.getBundleId());
        }
        return use != null && use.isHidden();
    }

    /** Drops what is known of a bundle that was uninstalled. */
    public synchronized void forget(Bundle bundle) {
        byBundle.remove(bundle.getBundleId());
    }

    /** {@code action} runs, on any thread, when the last holder of a hidden bundle has let go. */
    public void onIdle(Runnable action) {
        idle = action;
    }
}
