package dev.hearth.spi.live;

import org.osgi.annotation.versioning.ProviderType;

/** Makes live services; the kernel implements it. */
@ProviderType
public interface LiveServices {
    /** Follows the services of a type; {@code filter} is an OSGi filter such as {@code (hearth.role=x)}, or empty. */
    <T> Live<T> live(Class<T> type, String filter);
}
