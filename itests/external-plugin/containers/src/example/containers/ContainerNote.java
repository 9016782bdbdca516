package example.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Text that the process of a container writes about itself. Stateless. */
final class ContainerNote {
    private static final String FILE = "note";

    private ContainerNote() {}

    /** The note in {@code directory}; empty if there is none. */
    static String in(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /** Replaces the note of this process, which runs in its directory. */
    static void write(String text) throws IOException {
        Path part = Files.writeString(Path.of(FILE + ".part"), text);
        Files.move(part, Path.of(FILE), StandardCopyOption.ATOMIC_MOVE);
    }
}
