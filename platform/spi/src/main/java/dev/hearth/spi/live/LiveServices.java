package dev.hearth.spi.live;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Factory of {@link Live} handles to services, which may be replaced by newer ones. Implemented by the module kernel.
 */
@ProviderType
public interface LiveServices {
    /**
     * Returns a handle that always uses the newest service of type {@code type}. {@code filter} is an OSGi filter such
     * as {@code (hearth.role=x)}, or empty.
     */
    <T> Live<T> live(Class<T> type, String filter);
}
