package dev.hearth.spi.live;

import org.osgi.annotation.versioning.ProviderType;

/** Factory of handles to replaceable services. Implemented by the module kernel. */
@ProviderType
public interface LiveServices {
    /**
     * Returns a handle that tracks the services of a type. {@code filter} is an OSGi filter such as
     * {@code (hearth.role=x)}, or empty.
     */
    <T> Live<T> live(Class<T> type, String filter);
}
