package dev.hearth.spi.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are found by the hash of their bytes. */
class ContentDirectoriesTest {
    @TempDir
    private Path scratch;

    private final List<String> warnings = new ArrayList<>();
    private Path one;
    private Path two;

    @BeforeEach
    void directories() throws IOException {
        one = Files.createDirectory(scratch.resolve("one"));
        two = Files.createDirectory(scratch.resolve("two"));
    }

    @Test
    void findsFilesByTheHashInTheirNames() throws IOException {
        ContentId plain = content("plain");
        ContentId jar = content("jar");
        ContentId named = content("named");
        Files.writeString(one.resolve(plain.sha256()), "plain");
        Files.writeString(two.resolve(jar.sha256() + ".jar"), "jar");
        Files.writeString(two.resolve(named.sha256() + "-x-1.0.jar"), "named");
        Files.createDirectory(one.resolve(content("directory").sha256()));
        ContentDirectories contents = contents(one, two);
        assertEquals(Optional.of(one.resolve(plain.sha256())), contents.find(plain));
        assertEquals(Optional.of(two.resolve(jar.sha256() + ".jar")), contents.find(jar));
        assertEquals(Optional.of(two.resolve(named.sha256() + "-x-1.0.jar")), contents.find(named));
        assertEquals(Optional.empty(), contents.find(content("directory")));
        assertEquals(Optional.empty(), contents.find(content("missing")));
        assertEquals(List.of(), warnings);
        assertEquals(Optional.empty(), ContentDirectories.none().find(plain));
    }

    @Test
    void passesOverFilesWithOtherBytesAndReadsGoodOnesOnce() throws IOException {
        ContentId wanted = content("wanted");
        Path damaged = Files.writeString(one.resolve(wanted.sha256() + ".jar"), "damaged");
        Path good = Files.writeString(two.resolve(wanted.sha256() + ".jar"), "wanted");
        ContentDirectories contents = contents(one, two);
        assertEquals(Optional.of(good), contents.find(wanted));
        assertEquals(1, warnings.size());
        assertTrue(
                warnings.get(0)
                        .startsWith("file " + damaged + ": its bytes have the hash " + content("damaged")
                                + " (expected: that of its name)"),
                warnings::toString);
        Files.delete(damaged);
        Files.writeString(good, "changed later");
        assertEquals(Optional.of(good), contents.find(wanted), "the bytes were verified before");
    }

    @Test
    void warnsOfAMissingDirectory() throws IOException {
        Path missing = scratch.resolve("missing");
        ContentId wanted = content("wanted");
        Path good = Files.writeString(two.resolve(wanted.sha256()), "wanted");
        assertEquals(Optional.of(good), contents(missing, two).find(wanted));
        assertTrue(warnings.get(0).startsWith("directory of contents " + missing + ": missing"), warnings::toString);
    }

    @Test
    void travelsAsOneOrder() {
        List<Path> directories = List.of(Path.of("/a b"), Path.of("frozen"));
        assertEquals(directories, ContentDirectories.ofOrder("x", ContentDirectories.order(directories)));
        assertEquals(List.of(), ContentDirectories.ofOrder("x", ""));
        HearthException refused = assertThrows(
                HearthException.class, () -> ContentDirectories.ofOrder("x", ("d" + File.pathSeparator).repeat(65)));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("start parameter x: 65 directories (expected: at most 64)"),
                refused::getMessage);
    }

    private ContentDirectories contents(Path... directories) {
        return new ContentDirectories(List.of(directories), warnings::add);
    }

    private ContentId content(String text) throws IOException {
        Path file = Files.writeString(scratch.resolve("text"), text);
        return ContentId.of(file);
    }
}
