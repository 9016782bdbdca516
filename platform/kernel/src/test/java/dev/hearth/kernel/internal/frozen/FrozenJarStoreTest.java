package dev.hearth.kernel.internal.frozen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of jars, with and without hashes that an earlier process remembered. */
class FrozenJarStoreTest {
    @TempDir
    private Path scratch;

    private final List<String> warnings = new ArrayList<>();

    private ContentHashes hashes() {
        return new ContentHashes(scratch.resolve("hashes"), Ticker.system(), warnings::add);
    }

    private Path jar(String content) throws IOException {
        Path jar = Files.writeString(scratch.resolve("a.jar"), content);
        return Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH)); // has not changed just now
    }

    @Test
    void remembersHashesOfLargeJars() throws Exception {
        Path jar = jar("first");
        FrozenJarStore store = new FrozenJarStore(scratch.resolve("frozen"), Optional.of(hashes()), 5);
        ContentId first = store.hold(jar);
        assertEquals(Optional.of(first), hashes().known(jar), "for the next process");
        assertEquals(ContentId.of(jar), first);
        assertEquals(first, store.hold(jar));
        assertEquals("first", Files.readString(store.path(first)));

        ContentId second = store.hold(jar("second"));
        assertEquals(ContentId.of(jar), second, "it has changed");
        assertEquals("second", Files.readString(store.path(second)));
        assertEquals("first", Files.readString(store.path(first)));
        assertEquals(List.of(), warnings);
    }

    @Test
    void hashesSmallJarsEachTime() throws Exception {
        Path jar = jar("tiny");
        FrozenJarStore store = new FrozenJarStore(scratch.resolve("frozen"), Optional.of(hashes()), 5);
        ContentId content = store.hold(jar);
        assertArrayEquals("tiny".getBytes(UTF_8), Files.readAllBytes(store.path(content)));
        assertFalse(Files.exists(scratch.resolve("hashes")));
        store.release(content);
        assertFalse(Files.exists(store.path(content)));
    }
}
