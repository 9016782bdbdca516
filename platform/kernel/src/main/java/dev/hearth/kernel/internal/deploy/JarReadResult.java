package dev.hearth.kernel.internal.deploy;

import java.util.Optional;

/**
 * Result of reading a file: either a bundle or a problem. If {@code whole} is false, the file was incomplete and may
 * still become a bundle. Immutable.
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
