package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.application.BundleTransfer;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import java.util.List;
import java.util.Set;

/**
 * Transfer of the bundles that an application uses: in a driver's process takes snapshots of them, and in an executor's
 * process starts them. Immutable.
 */
public record FrameworkBundleTransfer(BundleFreezer frozen, FrozenBundleStarter started) implements BundleTransfer {
    @Override
    public BundleSet freeze(String application, Set<ClassLoader> providers) {
        return frozen.freeze(application, providers);
    }

    @Override
    public BundleSet freezeForDriver() {
        return frozen.freezeForDriver();
    }

    @Override
    public void start(List<FrozenBundle> bundles, BundleSource source) {
        started.start(bundles, source);
    }
}
