package dev.hearth.kernel.internal.inventory;

import org.osgi.framework.Version;

/** Text of the version of a bundle for people: that of Maven, in which {@code -SNAPSHOT} follows a dash. Stateless. */
public final class VersionText {
    private static final String SNAPSHOT = ".SNAPSHOT";

    private VersionText() {}

    public static String of(Version version) {
        return of(version.toString());
    }

    /** Returns the text of the version {@code ofManifest}, in the form of a manifest. */
    public static String of(String ofManifest) {
        return ofManifest.endsWith(SNAPSHOT)
                ? ofManifest.substring(0, ofManifest.length() - SNAPSHOT.length()) + "-SNAPSHOT"
                : ofManifest;
    }
}
