package dev.hearth.spi.application;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Factory of application class loaders. An application sees the JDK, the packages of platform/api and its own jars. It
 * also sees each package that its jars require and a bundle offers. The manifest of a jar requires a package with
 * {@code Hearth-Requires: a.b}; that of a bundle offers it with {@code Hearth-Application-Api: a.b, c.*}. From a bundle
 * that offers a required package it also gets the resources that the bundle lists in {@code
 * Hearth-Application-Resources}, and the files that its {@link ApplicationFiles} makes. Resources in the application's
 * own jars come first. If the application's jars contain slf4j without a logging backend, the loader adds the kernel's logging backend, so that the
 * application's log is not lost.
 */
@ProviderType
public interface ApplicationLoaders {
    /**
     * Opens a loader for the application {@code application} whose classes are in {@code jars}. Fails with {@code
     * PATH_MISSING} if a jar cannot be read, and with {@code CLASS_MISSING} if a jar requires packages that no bundle
     * offers.
     */
    ApplicationLoader open(String application, List<Path> jars);

    /**
     * Opens a loader that searches {@code classPath} before {@code jars}. Only this process uses the class path: {@link
     * ApplicationLoader#jars}, which executors fetch, does not contain its entries.
     */
    default ApplicationLoader open(String application, List<Path> classPath, List<Path> jars) {
        return open(
                application, Stream.concat(classPath.stream(), jars.stream()).toList());
    }

    /**
     * Opens a loader for an application with these settings. {@code hearth.application.requires} names further required
     * packages, for jars whose manifests name none.
     */
    default ApplicationLoader open(String application, List<Path> classPath, List<Path> jars, Settings settings) {
        return open(application, classPath, jars);
    }

    /**
     * Fixes the versions of the bundles that a driver on another machine needs in addition to the bundles of the role
     * {@code driver}: those of the deploy directory of this process, except bundles whose header {@code Hearth-Role}
     * names other roles only, and all bundles that these depend on. A cluster manager sends their jars to the driver
     * with its launch orders ({@link CarriedBundles}). Fails with {@code START_FAILED} if
     * a jar cannot be copied.
     */
    default BundleSet freezeForDriver() {
        return BundleSet.NONE;
    }

    /**
     * Starts, in an executor, the bundle versions that the driver has frozen; in a driver, those that its submitter has
     * frozen. Takes a jar from this process's
     * installation directory if that directory has one of the same content, otherwise fetches the jar from {@code
     * source}. Blocks until all bundles have started; fails with {@code START_FAILED}, naming the bundle that did not
     * start.
     */
    default void start(List<FrozenBundle> bundles, BundleSource source) {
        if (!bundles.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(
                    "bundles " + bundles + ": there is no framework here (expected: an executor of an installation)");
        }
    }
}
