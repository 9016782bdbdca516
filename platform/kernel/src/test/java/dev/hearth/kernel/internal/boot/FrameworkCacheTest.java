package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameworkCacheTest {
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
        cache.close(); // idempotent
        assertFalse(Files.exists(own));
        assertTrue(Files.exists(own.getParent()));
    }

    @Test
    void keepsUsersWithoutANameApart() throws IOException {
        try (FrameworkCache cache = FrameworkCache.open(temporary, "?")) {
            Object id = Files.getAttribute(cache.directory(), "unix:uid");
            assertEquals(temporary.resolve("hearth-" + id), cache.directory().getParent());
        }
        assertEquals(1, temporary.toFile().list().length, "nothing else is left");
    }

    @Test
    void sweepsWhatDeadProcessesLeftAndNothingElse() throws IOException {
        Path base = Files.createDirectory(temporary.resolve("hearth-me"));
        Path dead = Files.createDirectories(base.resolve("1-dead").resolve("bundle1"))
                .getParent();
        Files.createFile(dead.resolve("lock"));
        Path old = Files.createDirectory(base.resolve("2-old"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
        Path young = Files.createDirectory(base.resolve("3-young"));
        Path foreign = Files.createDirectory(base.resolve("notes"));
        try (FrameworkCache alive = FrameworkCache.open(temporary, "me");
                FrameworkCache cache = FrameworkCache.open(temporary, "me")) {
            assertTrue(Files.exists(cache.directory()));
            assertTrue(Files.exists(alive.directory()), "its lock is held, whatever its process id is elsewhere");
            assertFalse(Files.exists(dead));
            assertFalse(Files.exists(old));
            assertTrue(Files.exists(young), "it may be one that is just being made");
            assertTrue(Files.exists(foreign));
        }
    }

    @Test
    void startsAlthoughSomethingCannotBeSwept() throws IOException {
        Path base = Files.createDirectory(temporary.resolve("hearth-me"));
        Path odd = Files.createDirectories(base.resolve("1-odd").resolve("lock"));
        try (FrameworkCache cache = FrameworkCache.open(temporary, "me")) {
            assertTrue(Files.exists(cache.directory()));
            assertTrue(Files.exists(odd), "its lock is no file");
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
