package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.application.PackageOffers.Offer;
import dev.hearth.kernel.internal.inventory.JarManifest;
import dev.hearth.kernel.internal.live.BundleUsage.Hold;
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

/**
 * Packages that one application imports from bundles. The manifest of one of its jars lists them: {@code
 * Hearth-Requires: dev.example.api, dev.other.*}. The packages are resolved when the application starts. Until the
 * application ends, their bundles can be stopped only by force. Thread-safe.
 */
final class ImportedPackages implements AutoCloseable {
    private static final String HEADER = "Hearth-Requires";

    // only the constructor changes this map
    private final Map<PackagePattern, ClassLoader> providers = new LinkedHashMap<>();
    private final List<Hold> holds = new ArrayList<>();

    private ImportedPackages() {}

    /**
     * Resolves the packages that the manifests of {@code jars} list. Fails with {@code CLASS_MISSING} if no bundle
     * exports one of them to applications, and with {@code PATH_MISSING} if a manifest cannot be read.
     */
    static ImportedPackages of(String application, List<Path> jars, PackageOffers bundles) {
        Map<PackagePattern, Path> wanted = new LinkedHashMap<>();
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                String header = JarManifest.mainAttributes(file).getValue(HEADER);
                if (header != null) {
                    PackagePattern.parse(header).forEach(pattern -> wanted.putIfAbsent(pattern, jar));
                }
            } catch (IOException e) {
                throw ErrorCode.PATH_MISSING.failure(
                        "jar " + jar + " of application " + application + ": " + e.getMessage(), e);
            }
        }
        ImportedPackages imported = new ImportedPackages();
        if (!wanted.isEmpty()) {
            List<Offer> offers = bundles.offers();
            try {
                wanted.forEach((pattern, jar) -> imported.take(application, pattern, jar, offers));
            } catch (RuntimeException refused) {
                imported.close();
                throw refused;
            }
        }
        return imported;
    }

    private void take(String application, PackagePattern wanted, Path jar, List<Offer> offers) {
        for (Offer offer : offers) {
            if (offer.packages().covers(wanted)) {
                Optional<Hold> hold = offer.taking().apply("application " + application);
                if (hold.isPresent()) {
                    holds.add(hold.get());
                    providers.put(wanted, offer.classes());
                    return;
                }
            }
        }
        SortedSet<PackagePattern> offered = new TreeSet<>();
        offers.forEach(offer -> offered.add(offer.packages()));
        throw ErrorCode.CLASS_MISSING.failure("jar " + jar + " of application " + application
                + ": imports the packages " + wanted
                + ", which no bundle of this process exports to applications (expected: one of " + offered
                + "); is the bundle that contains them in bundles/ or deploy/, and does the role load it?");
    }

    /**
     * Returns the class loader of the bundle from which the application imports the package {@code packageName}; empty
     * if it imports the package from none.
     */
    Optional<ClassLoader> provider(String packageName) {
        for (Map.Entry<PackagePattern, ClassLoader> entry : providers.entrySet()) {
            if (entry.getKey().covers(packageName)) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** Returns the class loaders of all bundles that export the imported packages to the application. */
    Set<ClassLoader> providers() {
        return new LinkedHashSet<>(providers.values());
    }

    /**
     * Ends the registered use of the bundles that export the imported packages, so that they can be stopped. Called at
     * the end of the application.
     */
    @Override
    public void close() {
        holds.forEach(Hold::close);
    }
}
