package dev.hearth.spi.application;

import java.nio.file.Path;
import java.util.List;

/** Class loader and jars of one application in one process, from the start of the application to its end. */
public interface ApplicationLoader extends AutoCloseable {
    ClassLoader classes();

    List<Path> jars();

    /**
     * Fixes the versions of the bundles that the application's executors need in addition to the bundles of the role
     * {@code executor}: bundles whose packages the application imports, bundles with {@code Hearth-Executor: true} in
     * the manifest, and all bundles that these depend on. Copies the jars of these bundles, so that a later update does
     * not change what the executors run. Fails with {@code START_FAILED} if a jar cannot be copied.
     */
    default BundleSet freeze() {
        return BundleSet.NONE;
    }

    /**
     * Interrupts the threads that the application leaked and logs their names, and waits at most a second for them to
     * end. Then calls each service {@link ApplicationEnd}, and waits at most two seconds for them. Then closes the jars, so that no further class can be loaded. The caller must ensure that the main thread
     * and all tasks have ended.
     */
    @Override
    void close();
}
