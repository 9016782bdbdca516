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

    /**
     * Returns the location of a jar that the framework reads from the installation. Felix decodes a plus sign as a
     * space, so the sign is escaped.
     */
    public static String inPlace(Path jar) {
        return REFERENCE + uri(jar);
    }

    /**
     * Returns the OSGi location for installing {@code jar}, a stored copy of a jar of the deploy directory. It contains
     * {@code copy}, the number of the installation, and is unique, because these numbers are not reused.
     */
    public static String dropped(int copy, Path jar) {
        return DROPPED + copy + ":" + uri(jar);
    }

    /**
     * Returns the OSGi location for installing a platform bundle a second time. {@code copy} is the number of the new
     * installation, and {@code location} is the location of the first one.
     */
    public static String again(int copy, String location) {
        return AGAIN + copy + ":" + location;
    }

    /** Whether a bundle was installed from the deploy directory. */
    public static boolean isDropped(Bundle bundle) {
        return isDropped(bundle.getLocation());
    }

    static boolean isDropped(String location) {
        return location.startsWith(DROPPED);
    }

    /** Returns the jar from which a bundle was installed; empty if the location does not name a file. */
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
