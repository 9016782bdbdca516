package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameworkCacheTest {
    /** Above any process id Linux gives. */
    private static final String DEAD = "99999999-left";

    @TempDir
    Path temporary;

    @Test
    void opensADirectoryForItsUserAloneAndRemovesIt() throws IOException {
        FrameworkCache cache = FrameworkCache.open(temporary, "a/b c");
        Path own = cache.directory();
        assertEquals(temporary.resolve("hearth-a_b_c"), own.getParent());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own.getParent())));
        Files.createDirectories(own.resolve("bundle1/version0.0"));
        Files.writeString(own.resolve("bundle1/bundle.info"), "x");
        cache.close();
        cache.close(); // twice does no harm
        assertFalse(Files.exists(own));
        assertTrue(Files.exists(own.getParent()));
    }

    @Test
    void sweepsWhatDeadProcessesLeftAndNothingElse() throws IOException {
        Path base = Files.createDirectory(temporary.resolve("hearth-me"));
        Path left = Files.createDirectories(base.resolve(DEAD).resolve("bundle1"));
        Path alive = Files.createDirectory(base.resolve(ProcessHandle.current().pid() + "-other"));
        Path foreign = Files.createDirectory(base.resolve("notes"));
        try (FrameworkCache cache = FrameworkCache.open(temporary, "me")) {
            assertTrue(Files.exists(cache.directory()));
            assertFalse(Files.exists(left.getParent()));
            assertTrue(Files.exists(alive));
            assertTrue(Files.exists(foreign));
        }
    }

    @Test
    void refusesALinkInPlaceOfItsDirectory() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Files.createSymbolicLink(temporary.resolve("hearth-me"), elsewhere);
        HearthException failure = assertThrows(HearthException.class, () -> FrameworkCache.open(temporary, "me"));
        assertEquals("START_FAILED", failure.code());
    }
}
