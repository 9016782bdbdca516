package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Bundles that are started on demand, as the role file lists them. Implemented by the kernel. Any thread may call; a
 * call blocks until the bundles have started.
 */
@ProviderType
@FunctionalInterface
public interface OnDemandBundles {
    /** Starts the bundles that {@code settings} require, unless they run already. Fails with {@code START_FAILED}. */
    void startFor(Settings settings);
}
