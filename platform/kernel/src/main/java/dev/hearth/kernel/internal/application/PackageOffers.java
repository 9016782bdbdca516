package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.live.BundleUsage.Hold;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Source of the packages that bundles of this process offer to applications. */
@FunctionalInterface
public interface PackageOffers {
    /**
     * Returns the current offers, newer bundles first. Before that, starts the on-demand bundles that offer one of the
     * packages {@code wanted}.
     */
    List<Offer> offers(Collection<PackagePattern> wanted);

    /** Returns the jars of this installation that offer {@code wanted}, although their bundles do not run here. */
    default SortedSet<String> jarsOffering(PackagePattern wanted) {
        return new TreeSet<>();
    }

    /** Packages that one bundle offers to applications. */
    record Offer(PackagePattern packages, Lender lender) {}

    /** Bundle that offers packages, and perhaps resources, to applications. */
    interface Lender {
        /** Returns the symbolic name and the version of the bundle. */
        String name();

        ClassLoader classes();

        /**
         * Returns the names of the resources that the bundle lends. Fails with {@code IllegalArgumentException} if its
         * header is invalid.
         */
        ResourcePatterns resources();

        /** Returns the files that services of the bundle make for the application, by names of resources. */
        Map<String, Path> files(String application, Settings settings);

        /**
         * Keeps the bundle from being stopped as long as {@code holder} needs it. Returns empty if the bundle is
         * already being stopped.
         */
        Optional<Hold> take(String holder);
    }
}
