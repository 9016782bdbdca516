package dev.hearth.kernel.internal.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of known bundles for error messages, from the file {@code lib/bundles.tsv}: what a bundle offers, a tab, its
 * name. {@code role:x} is the role x, {@code master:x} the scheme of master URLs. The file is only read when something
 * is missing; nothing starts because of it. Immutable.
 */
record BundleHints(Path lib) {
    private static final Logger LOG = LoggerFactory.getLogger(BundleHints.class);
    private static final String FILE = "bundles.tsv";

    /** Name of the bundle that offers {@code role}; empty if none is known. */
    Optional<String> ofRole(String role) {
        return find("role:" + role);
    }

    /** Name of the bundle that offers cluster managers for {@code scheme}; empty if none is known. */
    Optional<String> ofMaster(String scheme) {
        return find(OnDemandBundleGroup.MASTER + scheme);
    }

    private Optional<String> find(String offer) {
        try {
            return Files.readAllLines(lib.resolve(FILE)).stream()
                    .filter(line -> line.startsWith(offer + "\t"))
                    .map(line -> line.substring(offer.length() + 1))
                    .findFirst();
        } catch (IOException e) {
            LOG.debug("{}: not read, so the name of a missing bundle is unknown", FILE, e);
            return Optional.empty();
        }
    }
}
