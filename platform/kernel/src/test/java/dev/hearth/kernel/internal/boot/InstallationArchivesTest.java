package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.deploy.TestingBundle;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.stream.ContentId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contents, bytes and kept copies of archives of an installation. */
class InstallationArchivesTest {
    private static final int BLOCK_BYTES = 512;
    private static final int SIZE_AT = 124;
    private static final int SIZE_DIGITS = 11;
    private static final Set<String> ROLES = Set.of("driver", "executor");

    @TempDir
    private Path scratch;

    private Path home;

    @BeforeEach
    void install() throws IOException {
        home = scratch.resolve("home");
        install(home);
    }

    @Test
    void keepsACompressedCopyAndReturnsIt() throws IOException {
        ContentId plain = archives(home).archive(ROLES, scratch.resolve("a.tar"));
        PackedFile packed = archives(home).compressed(ROLES, scratch.resolve("otherwise.tar.gz"));
        assertFalse(Files.exists(scratch.resolve("otherwise.tar.gz")), "a copy is kept");
        assertEquals(ContentId.of(packed.file()), packed.content());
        Path unpacked = scratch.resolve("unpacked.tar");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed.file()))) {
            Files.copy(in, unpacked);
        }
        assertEquals(plain, ContentId.of(unpacked));
        assertEquals(packed, archives(home).compressed(ROLES, scratch.resolve("otherwise.tar.gz")));
        assertThrows(HearthException.class, () -> archives(home).compressed(Set.of(), scratch.resolve("x")));
    }

    @Test
    void writesACompressedArchiveWhereNoCopyCanBeKept() throws IOException {
        Files.createFile(home.resolve("archives"));
        Files.createFile(scratch.resolve("blocked"));
        Path otherwise = scratch.resolve("otherwise.tar.gz");
        PackedFile packed = new InstallationArchives(new Home(home), scratch.resolve("blocked"), Optional.empty())
                .compressed(ROLES, otherwise);
        assertEquals(otherwise, packed.file());
        assertEquals(ContentId.of(otherwise), packed.content());
    }

    @Test
    void findsAnArchiveOfClassesThatIsNoOlderThanThatOfThisMachine() throws IOException {
        Path own = Files.createFile(scratch.resolve("x.jsa"));
        InstallationArchives archives = new InstallationArchives(new Home(home), scratch, Optional.of(own));
        assertEquals(Optional.empty(), archives.classes());
        Path packed = Files.write(scratch.resolve("x-elsewhere.tgz"), new byte[] {1});
        assertEquals(Optional.empty(), archives.classes(), "its hash comes first");
        Files.writeString(scratch.resolve("x-elsewhere.tgz.sum"), ContentId.of(packed) + "\n");
        Files.setLastModifiedTime(own, FileTime.fromMillis(1_000));
        Files.setLastModifiedTime(packed, FileTime.fromMillis(1_000));
        assertEquals(Optional.of(new PackedFile(ContentId.of(packed), packed)), archives.classes());
        Files.setLastModifiedTime(own, FileTime.fromMillis(2_000));
        assertEquals(Optional.empty(), archives.classes(), "the jars have changed since");
        assertEquals(Optional.empty(), archives(home).classes());
    }

    @Test
    void containsWhatTheRolesNeed() throws IOException {
        ContentId content = archives(home).archive(ROLES, scratch.resolve("a.tar"));
        assertEquals(ContentId.of(scratch.resolve("a.tar")), content);
        assertEquals(
                List.of(
                        "0000755 bin/",
                        "0000755 bin/hearth",
                        "0000755 bundles/",
                        "0000644 bundles/asked-1.0.jar",
                        "0000644 bundles/lib-1.0.jar",
                        "0000644 bundles/manager-1.0.jar",
                        "0000644 bundles/net-4.2.Final.jar",
                        "0000644 bundles/scr-2.2.jar",
                        "0000755 lib/",
                        "0000644 lib/hearth-kernel-1.jar",
                        "0000755 roles/",
                        "0000644 roles/driver.properties",
                        "0000644 roles/executor.properties"),
                entries(scratch.resolve("a.tar")).keySet().stream()
                        .sorted((one, other) -> one.substring(8).compareTo(other.substring(8)))
                        .toList());
        archives(home).archive(Set.of("executor"), scratch.resolve("e.tar"));
        assertFalse(entries(scratch.resolve("e.tar")).containsKey("0000644 bundles/manager-1.0.jar"));
        assertEquals(
                "kernel",
                entries(scratch.resolve("e.tar")).get("0000644 lib/hearth-kernel-1.jar"),
                "the whole content");
    }

    @Test
    void sameInstallationsGiveTheSameBytes() throws IOException {
        Path other = scratch.resolve("elsewhere");
        install(other);
        Files.setLastModifiedTime(other.resolve("lib/hearth-kernel-1.jar"), FileTime.fromMillis(1));
        for (String jar :
                List.of("scr-2.2.jar", "net-4.2.Final.jar", "manager-1.0.jar", "asked-1.0.jar", "lib-1.0.jar")) {
            Files.write(
                    other.resolve("bundles").resolve(jar),
                    Files.readAllBytes(home.resolve("bundles").resolve(jar)));
        }
        ContentId one = archives(home).archive(ROLES, scratch.resolve("one.tar"));
        ContentId two = archives(other).archive(ROLES, scratch.resolve("two.tar"));
        assertEquals(one, two);
        assertArrayEquals(
                Files.readAllBytes(scratch.resolve("one.tar")), Files.readAllBytes(scratch.resolve("two.tar")));
        Files.writeString(other.resolve("lib/hearth-kernel-1.jar"), "another kernel");
        assertNotEquals(one, archives(other).archive(ROLES, scratch.resolve("two.tar")), "a file has changed");
    }

    @Test
    void keepsACopyInsteadOfPackingAgain() throws IOException {
        ContentId first = archives(home).archive(ROLES, scratch.resolve("a.tar"));
        Path kept = only(home.resolve("archives"), ".tar");
        byte[] bytes = Files.readAllBytes(kept);
        bytes[bytes.length - 1] = 1; // only a copy has this
        Files.write(kept, bytes);
        assertEquals(first, archives(home).archive(ROLES, scratch.resolve("b.tar")), "noted when it was packed");
        assertArrayEquals(bytes, Files.readAllBytes(scratch.resolve("b.tar")));
        Files.write(kept, new byte[1]);
        archives(home).archive(ROLES, scratch.resolve("c.tar"));
        assertEquals(first, ContentId.of(scratch.resolve("c.tar")), "a truncated copy is not used");
        for (int change = 0; change < 6; change++) {
            Files.writeString(home.resolve("lib/hearth-kernel-1.jar"), "kernel" + "x".repeat(change));
            archives(home).archive(ROLES, scratch.resolve("a.tar"));
        }
        try (Stream<Path> files = Files.list(home.resolve("archives"))) {
            assertEquals(8, files.count(), "four archives and their hashes");
        }
    }

    @Test
    void keepsTheCopyOfTheUserIfTheInstallationCannotBeWritten() throws IOException {
        Files.writeString(home.resolve("archives"), "no directory");
        ContentId content = archives(home).archive(ROLES, scratch.resolve("a.tar"));
        assertEquals(content, ContentId.of(only(scratch.resolve("user/.cache/hearth/archives"), ".tar")));
        Files.writeString(scratch.resolve("blocked"), "no directory either");
        InstallationArchives keepless =
                new InstallationArchives(new Home(home), scratch.resolve("blocked"), Optional.empty());
        assertEquals(content, keepless.archive(ROLES, scratch.resolve("b.tar")));
        assertEquals(content, ContentId.of(scratch.resolve("b.tar")));
    }

    @Test
    void leavesNothingHalfWritten() throws IOException {
        Path target = Files.writeString(scratch.resolve("a.tar"), "older");
        Files.delete(home.resolve("lib/hearth-kernel-1.jar"));
        Files.createDirectories(home.resolve("lib").resolve("long-" + "x".repeat(100)));
        Files.writeString(home.resolve("lib").resolve("long-" + "x".repeat(100)).resolve("file"), "content");
        String failure = refused(() -> archives(home).archive(ROLES, target));
        assertTrue(failure.startsWith("archive " + target + ": not written, "), failure);
        assertTrue(failure.contains("(expected: at most 100 in an archive)"), failure);
        assertEquals("older", Files.readString(target));
        try (Stream<Path> files = Files.list(scratch)) {
            assertEquals(
                    List.of(),
                    files.filter(file -> file.getFileName().toString().startsWith("."))
                            .toList());
        }
    }

    @Test
    void refusesWhatCannotBeWritten() {
        assertTrue(refused(() -> archives(home).archive(ROLES, home))
                .contains("a directory (expected: the name of a file)"));
        assertTrue(refused(() -> archives(home).archive(ROLES, scratch.resolve("x/a.tar")))
                .contains("no directory " + scratch.resolve("x")));
        assertTrue(refused(() -> archives(home).archive(Set.of("nurse"), scratch.resolve("a.tar")))
                .startsWith("role: 'nurse' (expected: one of [driver, executor"));
        assertTrue(refused(() -> archives(home).archive(Set.of(), scratch.resolve("a.tar")))
                .contains("no roles"));
    }

    @Test
    void commandPrintsTheHashAndTheName() throws IOException {
        Path target = scratch.resolve("a.tar");
        String printed = command("--roles", "executor", target.toString());
        assertEquals(ContentId.of(target) + "  " + target + "\n", printed);
        assertTrue(refused(() -> command("a", "b"))
                .startsWith("archive: arguments [a, b] (expected: the name of one file)"));
        assertTrue(refused(() -> command("--roles")).startsWith("archive: --roles: no roles"));
        assertTrue(refused(() -> command("--role", "x")).contains("bin/hearth archive --help"));
    }

    private String command(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ArchiveCommand.run(new Home(home), List.of(arguments), new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String refused(org.junit.jupiter.api.function.Executable action) {
        return String.valueOf(assertThrows(HearthException.class, action).getMessage());
    }

    private InstallationArchives archives(Path root) {
        return new InstallationArchives(new Home(root), scratch.resolve("user"), Optional.empty());
    }

    private static Path only(Path directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void install(Path root) throws IOException {
        for (String directory : List.of("bin", "lib", "bundles", "roles", "conf", "deploy")) {
            Files.createDirectories(root.resolve(directory));
        }
        Files.writeString(root.resolve("bin/hearth"), "#!/bin/sh\n");
        Files.writeString(root.resolve("lib/hearth-kernel-1.jar"), "kernel");
        Files.writeString(root.resolve("conf/hearth-defaults.conf"), "hearth.store.password x\n");
        Files.writeString(root.resolve("roles/driver.properties"), "# Runs the driver.\nbundles=scr net\n");
        Files.writeString(
                root.resolve("roles/executor.properties"), "bundles=scr\nreserve.net=net\nreserve.net.when=hearth.x\n");
        Files.writeString(root.resolve("roles/master.properties"), "bundles=scr\n");
        bundle(root, "scr-2.2.jar", "scr", "");
        bundle(root, "net-4.2.Final.jar", "net", "");
        bundle(root, "lib-1.0.jar", "lib", "");
        bundle(root, "manager-1.0.jar", "manager", "submit,driver;when=\"master:far\";needs=lib");
        bundle(root, "asked-1.0.jar", "asked", "executor;argument=\"x\"");
        bundle(root, "daemon-1.0.jar", "daemon", "master;main=true");
    }

    private static void bundle(Path root, String file, String name, String roles) throws IOException {
        TestingBundle bundle = new TestingBundle(name, "1.0");
        (roles.isEmpty() ? bundle : bundle.with("Hearth-Role", roles))
                .write(root.resolve("bundles").resolve(file));
    }

    /** Reads a tar file: modes and names of its entries, with their contents. */
    private static SortedMap<String, String> entries(Path archive) throws IOException {
        byte[] bytes = Files.readAllBytes(archive);
        SortedMap<String, String> entries = new TreeMap<>();
        int at = 0;
        while (bytes[at] != 0) {
            String name = new String(bytes, at, 100, StandardCharsets.UTF_8).replaceAll("\0.*", "");
            String mode = new String(bytes, at + 100, 7, StandardCharsets.US_ASCII);
            int size = Integer.parseInt(new String(bytes, at + SIZE_AT, SIZE_DIGITS, StandardCharsets.US_ASCII), 8);
            entries.put(mode + " " + name, new String(bytes, at + BLOCK_BYTES, size, StandardCharsets.ISO_8859_1));
            at += BLOCK_BYTES + (size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
        }
        assertEquals(at + 2 * BLOCK_BYTES, bytes.length);
        return entries;
    }
}
