package dev.hearth.api;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** Where classes come from. No state of its own. */
final class ClassPlaces {
    private ClassPlaces() {}

    /** The jar, unless it is a directory, or the JDK. */
    static Optional<Path> jar(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            Path place = Path.of(source.getLocation().toURI());
            return Optional.of(place).filter(path -> path.toString().endsWith(".jar"));
        } catch (URISyntaxException | FileSystemNotFoundException | IllegalArgumentException elsewhere) { // no file
            return Optional.empty();
        }
    }
}
