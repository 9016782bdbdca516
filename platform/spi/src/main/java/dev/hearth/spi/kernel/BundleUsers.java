package dev.hearth.spi.kernel;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Lists the users of a bundle, such as running applications; the bundle is not removed until they have finished.
 * Implemented by the module kernel. Any thread may call.
 */
@ProviderType
@FunctionalInterface
public interface BundleUsers {
    /**
     * Display names of the users of the bundle with the OSGi id {@code bundle}, such as {@code application pi}. The
     * bundle is not removed until they have finished. Empty if there are no users or no such bundle.
     */
    List<String> of(long bundle);
}
