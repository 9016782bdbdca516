package dev.hearth.spi.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File names that the file system cannot represent. */
class DirectoryStreamProviderTest {
    @TempDir
    Path directory;

    @Test
    void findsNothingUnderANameThatTheFileSystemCannotRepresent() throws Exception {
        StreamProvider files = StreamProvider.directory(directory);
        assertEquals(Optional.empty(), files.open("a\0b"));
        assertEquals(Optional.empty(), files.list("a\0b"));
    }
}
