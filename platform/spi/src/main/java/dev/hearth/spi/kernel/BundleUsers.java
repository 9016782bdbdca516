package dev.hearth.spi.kernel;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Who keeps bundles from being removed. Any thread may call. */
@ProviderType
@FunctionalInterface
public interface BundleUsers {
    /** Who holds a bundle at this moment, in words such as {@code application pi}; nobody where there is no such bundle. */
    List<String> of(long bundle);
}
