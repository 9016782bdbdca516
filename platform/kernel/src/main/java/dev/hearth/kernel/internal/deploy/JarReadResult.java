package dev.hearth.kernel.internal.deploy;

import java.util.Optional;

/**
 * Result of reading a file: a bundle or a problem. If not {@code whole}, the file may still become a bundle. Immutable.
 */
record JarReadResult(Optional<BundleJar> jar, String problem, boolean whole) {
    static JarReadResult of(BundleJar jar) {
        return new JarReadResult(Optional.of(jar), "", true);
    }

    static JarReadResult incomplete(String problem) {
        return new JarReadResult(Optional.empty(), problem, false);
    }

    static JarReadResult noBundle(String problem) {
        return new JarReadResult(Optional.empty(), problem, true);
    }
}
