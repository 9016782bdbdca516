package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.application.PackageOffers.Offer;
import dev.hearth.kernel.internal.live.BundleUse.Hold;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The packages one application takes from bundles because the manifest of one of its jars asks for them:
 * {@code Hearth-Requires: dev.example.api, dev.other.*}. Fixed when the application starts; the
 * bundles are held until it ends. Safe for any thread.
 */
final class LentPackages implements AutoCloseable {
    private static final String HEADER = "Hearth-Requires";

    private final Map<PackagePattern, ClassLoader> lenders = new LinkedHashMap<>(); // fixed once it is made
    private final List<Hold> holds = new ArrayList<>();

    private LentPackages() {}

    /** Fails with {@code CLASS_MISSING} when a jar asks for what no bundle offers. */
    static LentPackages of(String application, List<Path> jars, PackageOffers bundles) throws IOException {
        Map<PackagePattern, Path> wanted = new LinkedHashMap<>();
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                Manifest manifest = file.getManifest();
                String header =
                        manifest == null ? null : manifest.getMainAttributes().getValue(HEADER);
                if (header != null) {
                    PackagePattern.parse(header).forEach(pattern -> wanted.putIfAbsent(pattern, jar));
                }
            }
        }
        LentPackages lent = new LentPackages();
        if (!wanted.isEmpty()) {
            List<Offer> offers = bundles.offers();
            try {
                wanted.forEach((pattern, jar) -> lent.take(application, pattern, jar, offers));
            } catch (RuntimeException refused) {
                lent.close();
                throw refused;
            }
        }
        return lent;
    }

    private void take(String application, PackagePattern wanted, Path jar, List<Offer> offers) {
        for (Offer offer : offers) {
            if (offer.packages().covers(wanted)) {
                Optional<Hold> hold = offer.taking().apply("application " + application);
                if (hold.isPresent()) {
                    holds.add(hold.get());
                    lenders.put(wanted, offer.classes());
                    return;
                }
            }
        }
        SortedSet<PackagePattern> offered = new TreeSet<>();
        offers.forEach(offer -> offered.add(offer.packages()));
        throw ErrorCode.CLASS_MISSING.failure("jar " + jar + " of application " + application + ": asks for " + wanted
                + ", which no bundle offers (expected: one of " + offered + "); is the bundle with it in bundles/ or"
                + " deploy/, and does the role load it?");
    }

    /** The loader that has the classes of a package; empty when the application brings them itself, or has none. */
    Optional<ClassLoader> lender(String packageName) {
        for (Map.Entry<PackagePattern, ClassLoader> entry : lenders.entrySet()) {
            if (entry.getKey().covers(packageName)) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** The loaders of all bundles that lend. */
    Set<ClassLoader> lenders() {
        return new LinkedHashSet<>(lenders.values());
    }

    /** Lets go of the bundles; the application has ended. */
    @Override
    public void close() {
        holds.forEach(Hold::close);
    }
}
