package dev.hearth.testkit.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary directories of tests in memory, where the system has enough room there, and otherwise where it always
 * has them. For modules whose tests write many small files and run none of them: {@code junit-platform.properties} names
 * this class. Stateless.
 */
public final class MemoryDirectories implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM_BYTES_MIN = 2L << 30;
    private static final String PREFIX = "junit-";

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return hasRoom() ? Files.createTempDirectory(MEMORY, PREFIX) : Files.createTempDirectory(PREFIX);
    }

    private static boolean hasRoom() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM_BYTES_MIN;
    }
}
