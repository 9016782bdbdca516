package dev.hearth.spi.application;

import java.nio.file.Path;
import java.util.List;

/** Class loader and jars of one application in one process, from the start of the application to its end. */
public interface ApplicationLoader extends AutoCloseable {
    ClassLoader classes();

    List<Path> jars();

    /**
     * Freezes the bundles that executors of the application need beside those of their role: bundles whose packages it
     * imports, bundles with {@code Hearth-Executor: true} in the manifest, and everything these are wired to. Copies
     * their jars. Fails with {@code START_FAILED} if a jar cannot be copied.
     */
    default BundleSet freeze() {
        return BundleSet.NONE;
    }

    /**
     * Interrupts the threads that the application leaked and logs their names, waiting at most a second. Then closes
     * the jars, so that no further class can be loaded. Called after the main thread and all tasks have ended.
     */
    @Override
    void close();
}
