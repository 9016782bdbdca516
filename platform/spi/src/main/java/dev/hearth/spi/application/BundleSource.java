package dev.hearth.spi.application;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Source of bundle jars that are missing in the installation directory of an executor. Implemented by the module
 * engine, which fetches them from the driver.
 */
@FunctionalInterface
@ConsumerType
public interface BundleSource {
    /**
     * Writes the complete jar of {@code bundle} to {@code target} after checking its content hash. Blocks until the
     * file is complete.
     */
    void fetch(FrozenBundle bundle, Path target) throws IOException;
}
