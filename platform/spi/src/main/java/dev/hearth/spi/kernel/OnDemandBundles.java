package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Starts bundles that a process needs only in some cases, which role files and manifests of bundles list. Implemented
 * by the module kernel. Any thread may call; a call blocks until the bundles have started. Fails with {@code
 * START_FAILED} if one of them does not start.
 */
@ProviderType
@FunctionalInterface
public interface OnDemandBundles {
    /** Starts those on-demand bundles that {@code settings} require and that do not run yet. */
    void startFor(Settings settings);

    /**
     * Starts the on-demand bundles with the trigger {@code scheme:x}, where x is {@code scheme}, the scheme of a URI
     * such as {@code hdfs}. Returns whether there were any that did not run yet.
     */
    default boolean startForScheme(String scheme) {
        return false;
    }

    /**
     * Starts the on-demand bundles with the trigger {@code service:x}, where x is {@code type}, the fully qualified
     * name of a service. Returns whether there were any that did not run yet.
     */
    default boolean startForService(String type) {
        return false;
    }

    /**
     * Starts the on-demand bundles with the trigger {@code endpoint:x}, where x is {@code endpoint}, the name of an
     * endpoint that another process asks for. Returns whether there were any that did not run yet.
     */
    default boolean startForEndpoint(String endpoint) {
        return false;
    }
}
