package dev.hearth.spi.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Access rights of files with secrets. */
class PrivateFilesTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"rw-------,true", "r--------,true", "rw-r-----,false", "rw----r--,false", "rw--w----,false"})
    void admitsTheOwnerOfAnOwnFileAlone(String rights, boolean allowed) throws IOException {
        Path file = Files.createFile(directory.resolve("secret"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
        assertEquals(allowed, PrivateFiles.isPrivate(file));
    }

    @Test
    void leavesAMissingFileToItsReader() {
        assertTrue(PrivateFiles.isPrivate(directory.resolve("gone")));
    }
}
