package dev.hearth.kernel.internal.inventory;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.osgi.framework.Bundle;

/** The locations under which bundles are installed: each says where the jar lies. Stateless. */
public final class JarLocations {
    private static final String REFERENCE = "reference:";
    private static final String DROPPED = "deploy:";
    private static final String AGAIN = "again:";
    private static final String FILE = "file:";

    private JarLocations() {}

    /** Of a jar that the framework reads where it lies. It decodes the path as a form would be, where a plus sign is a space. */
    public static String inPlace(Path jar) {
        return REFERENCE + uri(jar);
    }

    /** Of a copy of a jar from deploy/; no two copies have the same. */
    public static String dropped(int copy, Path jar) {
        return DROPPED + copy + ":" + uri(jar);
    }

    /** Of a bundle of the platform that is installed beside the one that has {@code location}. */
    public static String again(int copy, String location) {
        return AGAIN + copy + ":" + location;
    }

    static boolean isDropped(String location) {
        return location.startsWith(DROPPED);
    }

    /** The jar that a bundle was installed from; empty for one that came from no file. */
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
