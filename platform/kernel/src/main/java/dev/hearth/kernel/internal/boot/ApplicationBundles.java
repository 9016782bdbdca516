package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On-demand bundles, as contexts of applications start them. Warns once of each setting that has no effect because the
 * bundle that reads it is not installed. Thread-safe; lives as long as the OSGi framework.
 */
final class ApplicationBundles implements OnDemandBundles {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationBundles.class);

    private final OnDemandBundles starter;
    private final DeclaredSettings declared;
    private final BundleHints hints;
    private final Set<String> warned = ConcurrentHashMap.newKeySet(); // settings, at most those in the hints' file

    ApplicationBundles(OnDemandBundles starter, DeclaredSettings declared, BundleHints hints) {
        this.starter = starter;
        this.declared = declared;
        this.hints = hints;
    }

    @Override
    public void startFor(Settings settings) {
        starter.startFor(settings);
        SortedMap<String, String> bundles = hints.ofSettings(settings);
        if (!bundles.isEmpty()) { // otherwise the declarations are not loaded
            SettingsCatalog catalog = declared.catalog();
            bundles.forEach((key, bundle) -> {
                if (!catalog.isDeclared(key) && warned.add(key)) {
                    LOG.warn(
                            "{}: has no effect, because no bundle of this process reads it (expected: {}); put {} into"
                                    + " bundles/ or deploy/",
                            key,
                            bundle,
                            bundle);
                }
            });
        }
    }

    @Override
    public boolean startForScheme(String scheme) {
        return starter.startForScheme(scheme);
    }

    @Override
    public boolean startForService(String type) {
        return starter.startForService(type);
    }

    @Override
    public boolean startForEndpoint(String endpoint) {
        return starter.startForEndpoint(endpoint);
    }
}
