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
    /** Display names of the current users, such as {@code application pi}; empty for an unknown bundle. */
    List<String> of(long bundle);
}
