package dev.hearth.yarn.internal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.yarn.internal.line.ContainerFile.Visibility;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scenarios of Spark's ClientDistributedCacheManagerSuite that concern visibility. */
class FileVisibilityTest {
    private final SimulatedFiles files = new SimulatedFiles();

    @ParameterizedTest
    @CsvSource({
        "755, 755, 644, PUBLIC",
        "755, 755, 604, PUBLIC",
        "755, 711, 644, PUBLIC", // entering is enough
        "700, 755, 644, PRIVATE",
        "755, 700, 644, PRIVATE",
        "755, 754, 644, PRIVATE", // reading a directory is not entering it
        "755, 755, 600, PRIVATE",
        "755, 755, 640, PRIVATE"
    })
    void isPublicIfEverybodyReachesAndReadsTheFile(String above, String below, String file, Visibility expected)
            throws IOException {
        files.directory("/a", Integer.parseInt(above, 8));
        files.directory("/a/b", Integer.parseInt(below, 8));
        files.write("/a/b/f", Integer.parseInt(file, 8), 0, () -> new ByteArrayInputStream(new byte[1]));
        assertEquals(expected, new FileVisibility(files).of("/a/b/f"));
    }

    @Test
    void asksForEachDirectoryOnce() throws IOException {
        files.directory("/a/b", 0755);
        for (int i = 0; i < 10; i++) {
            files.write("/a/b/" + i, 0644, 0, () -> new ByteArrayInputStream(new byte[1]));
        }
        FileVisibility visibility = new FileVisibility(files);
        files.forgetCalls();
        for (int i = 0; i < 10; i++) {
            assertEquals(Visibility.PUBLIC, visibility.of("/a/b/" + i));
        }
        assertEquals(10 + 3, files.calls());
    }

    @Test
    void doesNotLookAtAFileInADirectoryThatOthersCannotEnter() throws IOException {
        files.directory("/user/a/.hearth", 0700);
        FileVisibility visibility = new FileVisibility(files);
        files.forgetCalls();
        assertEquals(Visibility.PRIVATE, visibility.of("/user/a/.hearth/f"));
        assertEquals(1, files.calls());
    }
}
