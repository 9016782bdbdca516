package dev.hearth.spi.application;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Makes class loaders for applications: the JDK, the packages of platform/api, the application's jars; nothing else. */
@ProviderType
public interface ApplicationLoaders {
    /** Opens a loader over {@code jars}; fails with {@code PATH_MISSING} when one cannot be read. */
    ApplicationLoader open(String application, List<Path> jars);
}
