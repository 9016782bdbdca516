package dev.hearth.kernel.internal.inventory;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.osgi.framework.Bundle;

/**
 * Converts jars to bundle locations and back. The framework identifies an installed bundle by its location, which
 * contains the path of the jar. Stateless.
 */
public final class BundleLocations {
    private static final String REFERENCE = "reference:";
    private static final String DROPPED = "deploy:";
    private static final String AGAIN = "again:";
    private static final String FILE = "file:";

    private BundleLocations() {}

    /** Location of a jar that the framework reads in place. Felix decodes a plus sign as a space, so it is escaped. */
    public static String inPlace(Path jar) {
        return REFERENCE + uri(jar);
    }

    /** Location of a copy of a jar from deploy/; unique per installation. */
    public static String dropped(int copy, Path jar) {
        return DROPPED + copy + ":" + uri(jar);
    }

    /** Location of a second installation of a platform bundle whose first has {@code location}. */
    public static String again(int copy, String location) {
        return AGAIN + copy + ":" + location;
    }

    static boolean isDropped(String location) {
        return location.startsWith(DROPPED);
    }

    /** The jar that a bundle was installed from; empty if the location names no file. */
    public static Optional<Path> jar(Bundle bundle) {
        return jar(bundle.getLocation());
    }

    public static Optional<Path> jar(String location) {
        boolean ours = location.startsWith(FILE)
                || location.startsWith(REFERENCE)
                || location.startsWith(DROPPED)
                || location.startsWith(AGAIN);
        int begin = location.indexOf(FILE);
        return ours && begin >= 0 ? Optional.of(Path.of(URI.create(location.substring(begin)))) : Optional.empty();
    }

    private static String uri(Path jar) {
        return jar.toUri().toString().replace("+", "%2B");
    }
}
