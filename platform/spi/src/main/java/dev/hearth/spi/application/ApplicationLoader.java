package dev.hearth.spi.application;

import java.nio.file.Path;
import java.util.List;

/** The code of one application in one process, from the start of the application to its end. */
public interface ApplicationLoader extends AutoCloseable {
    ClassLoader classes();

    List<Path> jars();

    /**
     * Fixes the bundles that executors of the application need beside those of their role, as they are now: those that it takes
     * packages from, those whose manifest says {@code Hearth-Executor: true}, and all that these are wired to. Copies their jars.
     * Fails with {@code START_FAILED} when one cannot be copied.
     */
    default BundleSet freeze() {
        return BundleSet.NONE;
    }

    /**
     * Interrupts the threads that the application's code left behind and reports them by name, within a second; closes the
     * jars, so that its code can load no further classes. For when its main thread and its tasks have ended.
     */
    @Override
    void close();
}
