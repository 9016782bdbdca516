package dev.hearth.api;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** Finds the jars from which classes were loaded. Stateless. */
final class ClassLocations {
    private ClassLocations() {}

    /** The jar that contains a class; empty if the class comes from a directory or the JDK. */
    static Optional<Path> jar(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            Path location = Path.of(source.getLocation().toURI());
            return Optional.of(location).filter(path -> path.toString().endsWith(".jar"));
        } catch (URISyntaxException | FileSystemNotFoundException | IllegalArgumentException elsewhere) { // not a file
            return Optional.empty();
        }
    }
}
