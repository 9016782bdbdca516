package dev.hearth.kernel.internal.deploy;

import org.osgi.framework.Version;

/** What a jar says it is. {@code content} tells it from every other jar: the hash of its bytes. */
record BundleJar(String content, String name, Version version) {
    @Override
    public String toString() {
        return name + " " + version;
    }
}
