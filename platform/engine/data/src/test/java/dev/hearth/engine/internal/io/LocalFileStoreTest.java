package dev.hearth.engine.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.testkit.storage.FileStoreContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of stores, and links and permissions. */
class LocalFileStoreTest extends FileStoreContract {
    @TempDir
    Path directory;

    @Override
    protected FileStore store() {
        return LocalFileStore.INSTANCE;
    }

    @Override
    protected FileName directory() {
        return FileName.local(directory.toString());
    }

    @Test
    void resolvesLinksAndListsThoseWithoutTarget() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Files.createSymbolicLink(directory.resolve("link"), real);
        assertEquals(
                real.toRealPath().toString(),
                store().real(directory().child("link")).path());
        Files.createSymbolicLink(real.resolve("dangling"), directory.resolve("missing"));
        assertEquals(
                FileEntry.Kind.MISSING,
                store().list(directory().child("real")).next().kind());
        store().remove(directory().child("link"), true);
        assertEquals(true, Files.isDirectory(real));
    }

    @Test
    void setsPermissions() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        store().permit(directory().child("file"), PosixFilePermissions.fromString("r--------"));
        assertEquals("r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void namesOfOtherSystemsAreRefused() {
        HearthException failure =
                assertThrows(HearthException.class, () -> OpenStores.local().name("a\0b"));
        assertEquals("BAD_ARGUMENT", failure.code());
    }
}
