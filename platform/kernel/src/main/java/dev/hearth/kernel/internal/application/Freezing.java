package dev.hearth.kernel.internal.application;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import java.util.List;
import java.util.Set;

/** How bundles come from drivers to their executors. */
public interface Freezing {
    /** Fixes what executors of an application need that takes packages from bundles with the loaders {@code lenders}. */
    BundleSet freeze(String application, Set<ClassLoader> lenders);

    /** Makes bundles run here that a driver has frozen. */
    void start(List<FrozenBundle> bundles, BundleSource source);
}
