package dev.hearth.spi.kernel;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Users that keep a bundle from being removed. Implemented by the kernel. Any thread may call. */
@ProviderType
@FunctionalInterface
public interface BundleUsers {
    /** Display names of the current users, such as {@code application pi}; empty for an unknown bundle. */
    List<String> of(long bundle);
}
