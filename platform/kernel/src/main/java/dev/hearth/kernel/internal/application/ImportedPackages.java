package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.application.PackageOffers.Lender;
import dev.hearth.kernel.internal.application.PackageOffers.Offer;
import dev.hearth.kernel.internal.inventory.JarManifest;
import dev.hearth.kernel.internal.live.BundleUsage.Hold;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
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
 * Packages that one application imports from bundles, and the resources that these bundles lend with them. The manifest
 * of one of its jars lists the packages, {@code Hearth-Requires: dev.example.api, dev.other.*}, or the setting {@code
 * hearth.application.requires}. They are resolved when the application starts. Until the application ends, their
 * bundles can be stopped only by force. Thread-safe.
 */
final class ImportedPackages implements AutoCloseable {
    private static final String HEADER = "Hearth-Requires";

    private final Map<PackagePattern, ClassLoader> providers = new LinkedHashMap<>(); // not changed after `of`
    private final LentResources resources = new LentResources();
    private final List<Hold> holds = new ArrayList<>();

    private ImportedPackages() {}

    /**
     * Resolves the packages that the manifests of {@code jars} and the settings list. Fails with {@code CLASS_MISSING}
     * if no bundle exports one of them to applications, and with {@code PATH_MISSING} if a manifest cannot be read.
     */
    static ImportedPackages of(String application, List<Path> jars, Settings settings, PackageOffers bundles) {
        Map<PackagePattern, String> wanted = wanted(application, jars, settings);
        ImportedPackages imported = new ImportedPackages();
        if (!wanted.isEmpty()) {
            try {
                List<Offer> offers = bundles.offers(wanted.keySet());
                Set<Lender> lenders = new LinkedHashSet<>();
                wanted.forEach(
                        (pattern, origin) -> lenders.add(imported.take(application, pattern, origin, offers, bundles)));
                lenders.forEach(lender -> imported.resources.add(lender, application, settings));
            } catch (RuntimeException refused) {
                imported.close();
                throw refused;
            }
        }
        return imported;
    }

    /** Returns the packages that the application asks for, each with the subject of an error about it. */
    private static Map<PackagePattern, String> wanted(String application, List<Path> jars, Settings settings) {
        Map<PackagePattern, String> wanted = new LinkedHashMap<>();
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                String header = JarManifest.mainAttributes(file).getValue(HEADER);
                if (header != null) {
                    String subject = "jar " + jar + " of application " + application;
                    PackagePattern.parse(header).forEach(pattern -> wanted.putIfAbsent(pattern, subject));
                }
            } catch (IOException e) {
                throw ErrorCode.PATH_MISSING.failure(
                        "jar " + jar + " of application " + application + ": " + e.getMessage(), e);
            }
        }
        SettingsReader in = new SettingsReader(settings);
        List<String> required = in.read(ApplicationSettings.REQUIRES);
        in.finish();
        String subject = ApplicationSettings.REQUIRES.name() + " of application " + application;
        for (String text : required) {
            PackagePattern.parse(text).forEach(pattern -> wanted.putIfAbsent(pattern, subject));
        }
        return wanted;
    }

    private Lender take(
            String application, PackagePattern wanted, String subject, List<Offer> offers, PackageOffers bundles) {
        for (Offer offer : offers) {
            if (offer.packages().covers(wanted)) {
                Optional<Hold> hold = offer.lender().take("application " + application);
                if (hold.isPresent()) {
                    holds.add(hold.get());
                    providers.put(wanted, offer.lender().classes());
                    return offer.lender();
                }
            }
        }
        SortedSet<String> offered = new TreeSet<>();
        offers.forEach(offer ->
                offered.add(offer.packages() + " of bundle " + offer.lender().name()));
        SortedSet<String> jars = bundles.jarsOffering(wanted);
        throw ErrorCode.CLASS_MISSING.failure(subject + ": imports the packages " + wanted
                + ", which no bundle of this process exports to applications (expected: "
                + (offered.isEmpty() ? "a bundle that does" : "one of " + offered) + "); "
                + (jars.isEmpty()
                        ? "is the bundle that contains them in bundles/ or deploy/, and does the role load it?"
                        : jars + " would, but does not run in this process: name its role in the header Hearth-Role"));
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

    LentResources resources() {
        return resources;
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
