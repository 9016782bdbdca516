package dev.hearth.kernel.internal.deploy;

import java.util.Optional;

/**
 * Result of reading a file: a bundle or a problem. If not {@code whole}, the file may still become a bundle. Immutable.
 */
record Reading(Optional<BundleJar> jar, String problem, boolean whole) {
    static Reading of(BundleJar jar) {
        return new Reading(Optional.of(jar), "", true);
    }

    static Reading incomplete(String problem) {
        return new Reading(Optional.empty(), problem, false);
    }

    static Reading noBundle(String problem) {
        return new Reading(Optional.empty(), problem, true);
    }
}
