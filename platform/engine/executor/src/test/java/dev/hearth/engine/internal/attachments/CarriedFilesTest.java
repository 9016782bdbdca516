package dev.hearth.engine.internal.attachments;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.ApplicationDirectories;
import dev.hearth.engine.internal.io.OpenStores;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Files and archives of the settings in a driver's working directory, and in the list of attachments. */
class CarriedFilesTest {
    private static final OpenStores STORES = OpenStores.local();

    @TempDir
    private Path base;

    private Path work;

    @BeforeEach
    void makeWorkingDirectory() throws IOException {
        work = Files.createDirectory(base.resolve("work"));
    }

    @Test
    void placesCopiesAndUnpacksArchives() throws IOException {
        Path file = write("a.txt", "content");
        Path archive = zip("z.zip", "in/b.txt");
        CarriedFiles carried = carried(
                "hearth.files",
                file + "," + file.toUri() + "#alias,local:/none",
                "hearth.archives",
                archive + "#unpacked");
        carried.place(work, STORES);
        assertEquals(List.of("a.txt", "alias", "unpacked"), names());
        Files.writeString(work.resolve("a.txt"), "changed by the program");
        assertEquals("content", Files.readString(file));
        assertEquals("in/b.txt", Files.readString(work.resolve("unpacked/in/b.txt")));
        assertTrue(Files.isExecutable(work.resolve("alias")));
    }

    @Test
    void placesTheContentOfALinkUnderTheNameOfTheLink() throws IOException {
        Path link = Files.createSymbolicLink(base.resolve("link.txt"), write("target.txt", "content"));
        carried("hearth.files", link.toString()).place(work, STORES);
        assertFalse(Files.isSymbolicLink(work.resolve("link.txt")));
        assertEquals("content", Files.readString(work.resolve("link.txt")));
        Path dangling = Files.createSymbolicLink(base.resolve("dangling"), base.resolve("none"));
        refuses(
                "PATH_MISSING",
                "no such file",
                () -> carried("hearth.files", dangling.toString()).place(work, STORES));
    }

    @Test
    void acceptsOneFileTwiceAndRefusesTwoOfOneName() throws IOException {
        Path one = write("one/a.txt", "same");
        Path two = write("two/a.txt", "same");
        carried("hearth.files", one + "," + two).place(work, STORES);
        assertEquals(List.of("a.txt"), names());
        Path three = write("three/a.txt", "other");
        refuses(
                "PATH_EXISTS",
                "hearth.files: '" + three + "': another a.txt is carried too, " + one
                        + " (expected: one file per name)",
                () -> carried("hearth.files", one + "," + three)
                        .place(Files.createDirectory(base.resolve("other")), STORES));
    }

    @Test
    void overwritesNothing() throws IOException {
        Files.writeString(work.resolve("stdout"), "log");
        Files.createSymbolicLink(work.resolve("link"), base.resolve("outside"));
        Path file = write("stdout", "content");
        refuses(
                "PATH_EXISTS",
                "stdout exists already",
                () -> carried("hearth.files", file.toString()).place(work, STORES));
        refuses(
                "PATH_EXISTS",
                "link exists already",
                () -> carried("hearth.files", file + "#link").place(work, STORES));
        assertEquals("log", Files.readString(work.resolve("stdout")));
        carried("hearth.files", write("same", "log") + "#stdout").place(work, STORES);
        assertFalse(Files.exists(base.resolve("outside")));
    }

    @Test
    void refusesArchivesThatEscapeAndNamesThatDo() throws IOException {
        Path evil = zip("evil.zip", "fine", "../outside");
        refuses(
                "FILE_DAMAGED",
                "holds '../outside'",
                () -> carried("hearth.archives", evil.toString()).place(work, STORES));
        assertEquals(List.of(), names());
        for (String name : List.of("..", "a/b", "", "a\\b")) {
            refuses("BAD_ARGUMENT", "name '" + name + "'", () -> carried("hearth.files", "/a.txt#" + name));
        }
        refuses("BAD_ARGUMENT", "name ''", () -> carried("hearth.files", "/"));
    }

    @Test
    void reportsADirectoryThatCannotBeWritten() throws IOException {
        Path file = write("a.txt", "content");
        refuses(
                "DISK_FAILED",
                "cannot be placed at " + file + "/a.txt",
                () -> carried("hearth.files", file.toString()).place(file, STORES));
    }

    @Test
    void attachesUnderTheSameNames() throws IOException {
        Path file = write("a.txt", "content");
        AttachmentRegistry attachments = new AttachmentRegistry(directories(() -> {}), STORES, all -> {});
        carried("hearth.files", file + "#alias", "hearth.archives", zip("z.zip", "b") + "#z")
                .attach(attachments);
        assertEquals(
                List.of("FILE alias", "ARCHIVE z"),
                attachments.all().stream()
                        .map(each -> each.kind() + " " + each.name())
                        .toList());
    }

    @Test
    void refusesAFileThatChangesWhileItIsCopied() throws IOException {
        Path file = write("a.txt", "content");
        AttachmentRegistry attachments = new AttachmentRegistry(directories(() -> append(file)), STORES, all -> {});
        refuses(
                "FILE_DAMAGED",
                "hearth.files: '" + file + "': changed while it was copied (expected: ",
                () -> carried("hearth.files", file.toString()).attach(attachments));
        assertEquals(List.of(), attachments.all());
        try (var left = Files.list(base.resolve("content"))) {
            assertEquals(0, left.count());
        }
    }

    private static void append(Path file) {
        try {
            Files.writeString(file, " and more", StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Directories below the base; {@code onUse} runs whenever one is asked for. */
    private ApplicationDirectories directories(Runnable onUse) {
        return new ApplicationDirectories() {
            @Override
            public Path directory(String name) {
                onUse.run();
                try {
                    return Files.createDirectories(base.resolve(name));
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }

            @Override
            public void close() {
                // the test deletes the base
            }
        };
    }

    private static CarriedFiles carried(String... settings) {
        Settings all = Settings.empty();
        for (int i = 0; i < settings.length; i += 2) {
            all = all.with("test", settings[i], settings[i + 1]);
        }
        return CarriedFiles.from(all);
    }

    private Path write(String name, String text) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Path zip(String name, String... entries) throws IOException {
        Path archive = base.resolve(name);
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (String entry : entries) {
                out.putNextEntry(new ZipEntry(entry));
                out.write(entry.getBytes(UTF_8));
            }
        }
        return archive;
    }

    private List<String> names() {
        String[] names = work.toFile().list();
        return names == null ? List.of() : Arrays.stream(names).sorted().toList();
    }

    private static void refuses(String code, String message, Executable use) {
        HearthException refused = assertThrows(HearthException.class, use);
        assertEquals(code, refused.code(), refused::getMessage);
        assertTrue(String.valueOf(refused.getMessage()).contains(message), refused::getMessage);
    }
}
