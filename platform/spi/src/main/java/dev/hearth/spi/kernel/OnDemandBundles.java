package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Bundles that a process has at hand and starts when somebody needs them, as its role file says; the kernel implements it.
 * Any thread may call, and waits until what it asked for has started.
 */
@ProviderType
@FunctionalInterface
public interface OnDemandBundles {
    /** Starts what these settings ask for, once. Fails with {@code START_FAILED} when it cannot be started. */
    void startFor(Settings settings);
}
