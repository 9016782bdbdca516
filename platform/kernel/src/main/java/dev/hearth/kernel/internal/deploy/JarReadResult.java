package dev.hearth.kernel.internal.deploy;

import java.util.Optional;

/**
 * Result of reading a file of the deploy directory: either the bundle in it, or the problem. If {@code whole} is false,
 * the file was incomplete, or could not be read, and may still become a bundle. Immutable.
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
