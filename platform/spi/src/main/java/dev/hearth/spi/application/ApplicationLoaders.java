package dev.hearth.spi.application;

import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Makes class loaders for applications: the JDK, the packages of platform/api, the application's jars; nothing else but
 * packages that a bundle offers by the manifest header {@code Hearth-Application-Api: a.b, c.*} and the manifest of one of
 * the application's jars asks for by {@code Hearth-Requires: a.b}. Where its jars bind slf4j to no logging, ours is lent.
 */
@ProviderType
public interface ApplicationLoaders {
    /**
     * Opens a loader over {@code jars}; fails with {@code PATH_MISSING} when one cannot be read, with
     * {@code CLASS_MISSING} when one asks for packages that nobody offers.
     */
    ApplicationLoader open(String application, List<Path> jars);

    /**
     * Opens a loader as above that looks first into {@code classPath}: jars and directories that are for this process alone, and
     * that the kernel's loaders leave out of the {@link ApplicationLoader#jars} which executors are told of.
     */
    default ApplicationLoader open(String application, List<Path> classPath, List<Path> jars) {
        return open(
                application, Stream.concat(classPath.stream(), jars.stream()).toList());
    }

    /**
     * Makes bundles run here that a driver has frozen, each from this process's own home where one lies there with the same bytes,
     * else from {@code source}. Waits for it; fails with {@code START_FAILED}, naming the bundle.
     */
    default void start(List<FrozenBundle> bundles, BundleSource source) {
        if (!bundles.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(
                    "bundles " + bundles + ": there is no framework here (expected: an executor of an installation)");
        }
    }
}
