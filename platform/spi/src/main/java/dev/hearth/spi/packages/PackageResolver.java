package dev.hearth.spi.packages;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Provides packages as jars of this machine, with what they depend on. Registered as a service, by a bundle that starts
 * when this service is asked for. Thread-safe.
 */
@ConsumerType
public interface PackageResolver {
    /**
     * Returns the jars of all packages that {@code request} names or needs, those that it names first. Blocks until they
     * are complete on this machine. Fails with {@code PACKAGES_UNRESOLVED}, naming each package and what each repository
     * answered. If the thread is interrupted, downloads end and leave no partial files.
     */
    List<Path> resolve(PackageRequest request, PackageListener listener) throws InterruptedException;
}
