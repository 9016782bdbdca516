package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.live.BundleUse.Hold;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the bundles of this process offer to applications that ask for it. */
@FunctionalInterface
public interface PackageOffers {
    /** The offers at this moment, those of newer bundles first. */
    List<Offer> offers();

    /**
     * Packages of one bundle, and the loader that has their classes. {@code taking} keeps the bundle for the application it
     * is given, until the hold is closed; it gives none when the bundle is going.
     */
    record Offer(PackagePattern packages, ClassLoader classes, Function<String, Optional<Hold>> taking) {}
}
