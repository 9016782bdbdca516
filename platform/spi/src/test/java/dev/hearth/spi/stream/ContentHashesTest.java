package dev.hearth.spi.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hashes of files that later processes find again. */
class ContentHashesTest {
    private static final Instant NOW = Instant.parse("2026-11-18T09:47:46Z");

    @TempDir
    private Path scratch;

    private final List<String> warnings = new ArrayList<>();
    private Path store;
    private Path file;
    private ContentHashes hashes;

    @BeforeEach
    void open() throws IOException {
        store = scratch.resolve("cache/hashes");
        file = Files.writeString(scratch.resolve("a b.jar"), "bytes");
        Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(60)));
        hashes = reopened();
    }

    @Test
    void remembersTheHashOfAFileUntilItChanges() throws IOException {
        assertEquals(Optional.empty(), hashes.known(file));
        ContentId content = hashes.read(file);
        assertEquals(ContentId.of(file), content);
        assertEquals(Optional.of(content), reopened().known(file));

        Files.writeString(file, "other");
        Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(60))); // the same size and time
        boolean hasTimeOfChange =
                store.getFileSystem().supportedFileAttributeViews().contains("unix");
        assertEquals(
                hasTimeOfChange ? Optional.empty() : Optional.of(content),
                reopened().known(file));
        Files.writeString(file, "longer than before");
        assertEquals(Optional.empty(), reopened().known(file));
        assertEquals(List.of(), warnings);
    }

    @Test
    void doesNotTrustAFileThatHasJustChanged() throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(1)));
        hashes.read(file);
        assertEquals(Optional.empty(), hashes.known(file));
    }

    @Test
    void forgetsAHashThatIsWrong() throws IOException {
        hashes.read(file);
        hashes.forget(file);
        assertEquals(Optional.empty(), reopened().known(file));
    }

    @Test
    void keepsTheLastThousandFiles() throws IOException {
        Files.createDirectories(store.getParent());
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            lines.add("ab".repeat(32) + " 1-2-3-4 /old/" + i);
        }
        Files.write(store, lines);
        hashes.read(file);
        List<String> kept = Files.readAllLines(store);
        assertEquals(1_000, kept.size());
        assertTrue(kept.get(0).endsWith("/old/1") && kept.get(999).endsWith("/a b.jar"), kept.get(999));
    }

    @Test
    void readsFilesAgainIfItsOwnFileIsDamagedOrCannotBeWritten() throws IOException {
        Files.createDirectories(store.getParent());
        Files.write(store, new byte[] {(byte) 0xff, 10, 'x', 10});
        assertEquals(Optional.empty(), hashes.known(file));
        assertTrue(warnings.get(0).endsWith("not text (expected: UTF-8); written anew"), warnings::toString);
        ContentId content = hashes.read(file);
        assertEquals(Optional.of(content), reopened().known(file));
        Files.write(store, "nonsense\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(Optional.empty(), reopened().known(file));

        ContentHashes nowhere = new ContentHashes(file.resolve("hashes"), ticker(), warnings::add);
        assertEquals(content, nowhere.read(file));
        assertTrue(warnings.get(warnings.size() - 1).contains("files are read again each time"), warnings::toString);
    }

    @Test
    void isInTheDirectoryForCaches() {
        Path home = Path.of("/home/me");
        assertEquals(Path.of("/home/me/.cache/hearth/hashes"), ContentHashes.storeOf(Map.of(), home));
        assertEquals(Path.of("/c/hearth/hashes"), ContentHashes.storeOf(Map.of("XDG_CACHE_HOME", "/c"), home));
        assertEquals(
                Path.of("/home/me/.cache/hearth/hashes"),
                ContentHashes.storeOf(Map.of("XDG_CACHE_HOME", "relative"), home));
    }

    private ContentHashes reopened() {
        return new ContentHashes(store, ticker(), warnings::add);
    }

    private static Ticker ticker() {
        return new Ticker() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public Instant wall() {
                return NOW;
            }
        };
    }
}
