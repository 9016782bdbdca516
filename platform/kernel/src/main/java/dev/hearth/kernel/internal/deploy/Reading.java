package dev.hearth.kernel.internal.deploy;

import java.util.Optional;

/** What came of reading a file: a bundle, or a problem with it, which may pass when it is not {@code whole} yet. */
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
