package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of known bundles for error messages, from the file {@code lib/bundles.tsv}: what a bundle offers, a tab, its
 * name. {@code role:x} is the role x, {@code master:x} the scheme of master URLs, {@code setting:x} a setting of
 * applications, or several if it ends in an asterisk. The file is only read when something
 * is missing; nothing starts because of it. Immutable.
 */
record BundleHints(Path lib) {
    private static final Logger LOG = LoggerFactory.getLogger(BundleHints.class);
    private static final String FILE = "bundles.tsv";
    private static final String SETTING = "setting:";

    /** Name of the bundle that offers {@code role}; empty if none is known. */
    Optional<String> ofRole(String role) {
        return find("role:" + role);
    }

    /** Name of the bundle that offers cluster managers for {@code scheme}; empty if none is known. */
    Optional<String> ofMaster(String scheme) {
        return find(OnDemandBundleGroup.MASTER + scheme);
    }

    /** Names of the bundles for settings in {@code settings} with other values than {@code false}, by setting. */
    SortedMap<String, String> ofSettings(Settings settings) {
        SortedMap<String, String> bundles = new TreeMap<>();
        for (String line : lines()) {
            int tab = line.indexOf('\t');
            if (line.startsWith(SETTING) && tab > 0) {
                OnDemandBundleGroup group =
                        new OnDemandBundleGroup("", List.of(), List.of(line.substring(SETTING.length(), tab)));
                group.triggering(settings).forEach(key -> bundles.put(key, line.substring(tab + 1)));
            }
        }
        return bundles;
    }

    private Optional<String> find(String offer) {
        return lines().stream()
                .filter(line -> line.startsWith(offer + "\t"))
                .map(line -> line.substring(offer.length() + 1))
                .findFirst();
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(lib.resolve(FILE));
        } catch (IOException e) {
            LOG.debug("{}: not read, so the name of a missing bundle is unknown", FILE, e);
            return List.of();
        }
    }
}
