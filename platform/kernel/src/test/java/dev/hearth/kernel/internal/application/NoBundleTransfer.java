package dev.hearth.kernel.internal.application;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import java.util.List;
import java.util.Set;

/** Transfer without bundles, for tests without a framework. */
final class NoBundleTransfer implements BundleTransfer {
    @Override
    public BundleSet freeze(String application, Set<ClassLoader> providers) {
        return BundleSet.NONE;
    }

    @Override
    public BundleSet freezeForDriver() {
        return BundleSet.NONE;
    }

    @Override
    public void start(List<FrozenBundle> bundles, BundleSource source) {
        throw new AssertionError("bundles " + bundles + " (expected: none)");
    }
}
