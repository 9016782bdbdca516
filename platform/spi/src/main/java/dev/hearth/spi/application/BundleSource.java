package dev.hearth.spi.application;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ConsumerType;

/** Where an executor gets the jars of bundles from that its own home has not. */
@FunctionalInterface
@ConsumerType
public interface BundleSource {
    /** Brings the jar to {@code target}, whole and with the content that it is called by; waits until it is there. */
    void fetch(FrozenBundle bundle, Path target) throws IOException;
}
