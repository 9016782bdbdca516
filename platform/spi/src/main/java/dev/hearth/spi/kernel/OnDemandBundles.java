package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Starts bundles that a process needs only for some settings, which role files and manifests of bundles list.
 * Implemented by the module kernel. Any thread may call; a call blocks until the bundles have started.
 */
@ProviderType
@FunctionalInterface
public interface OnDemandBundles {
    /**
     * Starts those on-demand bundles that {@code settings} require and that do not run yet. Fails with {@code
     * START_FAILED} if one does not start.
     */
    void startFor(Settings settings);
}
