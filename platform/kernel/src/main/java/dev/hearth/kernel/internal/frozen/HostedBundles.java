package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.application.Freezing;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import java.util.List;
import java.util.Set;

/** The bundles of this process, for both ends: it may be a driver's or an executor's. Immutable. */
public record HostedBundles(FrozenBundles frozen, StartedBundles started) implements Freezing {
    @Override
    public BundleSet freeze(String application, Set<ClassLoader> lenders) {
        return frozen.freeze(application, lenders);
    }

    @Override
    public void start(List<FrozenBundle> bundles, BundleSource source) {
        started.start(bundles, source);
    }
}
