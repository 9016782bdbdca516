package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.live.BundleUsage.Hold;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Packages that the bundles of this process offer to applications. */
@FunctionalInterface
public interface PackageOffers {
    /** Current offers, newer bundles first. */
    List<Offer> offers();

    /**
     * Packages of one bundle, and the bundle's class loader. {@code taking} holds the bundle for the named application
     * until the hold is closed; it returns empty if the bundle is being stopped.
     */
    record Offer(PackagePattern packages, ClassLoader classes, Function<String, Optional<Hold>> taking) {}
}
