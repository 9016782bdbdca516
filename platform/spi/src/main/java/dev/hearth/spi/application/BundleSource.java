package dev.hearth.spi.application;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Source of bundle jars that are missing in an executor's own home. Implemented by the engine, which fetches from the
 * driver.
 */
@FunctionalInterface
@ConsumerType
public interface BundleSource {
    /**
     * Writes the complete jar of {@code bundle} to {@code target} after checking its content hash. Blocks until done.
     */
    void fetch(FrozenBundle bundle, Path target) throws IOException;
}
