package dev.hearth.kernel.internal.deploy;

import org.osgi.framework.Version;

/**
 * Identity of a bundle jar: the symbolic name and version in its manifest, and {@code content}, the hash of its bytes.
 * {@code rule} says when the bundle starts. Immutable.
 */
record BundleJar(String content, String name, Version version, StartRule rule) {
    BundleJar(String content, String name, Version version) {
        this(content, name, version, StartRule.ALWAYS);
    }

    @Override
    public String toString() {
        return name + " " + version;
    }
}
