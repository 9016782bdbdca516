package dev.hearth.kernel.internal.application;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import java.util.List;
import java.util.Set;

/** Transfers bundles from a driver to its executors, so that all have the same versions. Thread-safe. */
public interface BundleTransfer {
    /**
     * Takes a snapshot of the bundles that the executors of an application need. {@code providers} are the class
     * loaders of the bundles from which the application imports packages.
     */
    BundleSet freeze(String application, Set<ClassLoader> providers);

    /** Takes a snapshot of the bundles of the deploy directory that a driver on another machine needs. */
    BundleSet freezeForDriver();

    /**
     * Installs and starts, in this process, the bundles of a driver's snapshot. {@code source} fetches those of their
     * jars that this installation lacks.
     */
    void start(List<FrozenBundle> bundles, BundleSource source);
}
