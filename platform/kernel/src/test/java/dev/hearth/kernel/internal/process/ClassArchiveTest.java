package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When child processes get the class archive of their parent. */
class ClassArchiveTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void isUsedWhileItIsTheFileThatWasChecked() throws Exception {
        Path file = Files.writeString(directory.resolve("a.jsa"), "classes");
        ClassArchive archive = ClassArchive.at(file.toString()).orElseThrow();
        assertTrue(archive.isUnchanged());
        FileTime modified = Files.getLastModifiedTime(file);
        Files.writeString(file, "clas");
        Files.setLastModifiedTime(file, modified);
        assertFalse(archive.isUnchanged(), "truncated");
        Path other = Files.writeString(directory.resolve("b.jsa"), "classes");
        Files.setLastModifiedTime(other, modified);
        Files.delete(file);
        assertFalse(archive.isUnchanged(), "removed");
        Files.move(other, file);
        assertFalse(archive.isUnchanged(), "replaced");
    }

    @Test
    void isMissingWithoutAFile() {
        assertEquals(Optional.empty(), ClassArchive.at(null));
        assertEquals(
                Optional.empty(), ClassArchive.at(directory.resolve("none.jsa").toString()));
    }
}
