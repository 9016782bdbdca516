package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.live.BundleUsage.Hold;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Source of the packages that bundles of this process offer to applications. */
@FunctionalInterface
public interface PackageOffers {
    /** Returns the current offers, newer bundles first. */
    List<Offer> offers();

    /**
     * Packages of one bundle, and the bundle's class loader. {@code taking} keeps the bundle from being stopped as long
     * as the application that its argument names needs it. It returns empty if the bundle is already being stopped.
     */
    record Offer(PackagePattern packages, ClassLoader classes, Function<String, Optional<Hold>> taking) {}
}
