package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Archive of classes that all processes of the tests use: without it each of them spends a quarter of its CPU time on
 * loading classes. The first test process writes it, from the jars in the build directory of the distribution.
 * Installations link to these jars, because Java compares the file of a jar, its size and its modification time.
 */
final class SharedClasses {
    private static final String PREFIX = "classes-";
    private static @Nullable String setting;

    private SharedClasses() {}

    /** The value of {@code HEARTH_CDS}: the archive, or {@code off} if this Java writes none. */
    static synchronized String setting() throws IOException {
        if (setting == null) {
            Path archive = distribution().resolveSibling(PREFIX + fingerprint() + ".jsa");
            setting = Files.exists(archive) || write(archive) ? archive.toString() : "off";
        }
        return setting;
    }

    /** The distribution in the build directory. */
    static Path distribution() throws IOException {
        return Path.of(Objects.requireNonNull(System.getProperty("hearth.distribution")))
                .toRealPath();
    }

    /** Links to a jar of lib/ or bundles/; false for other files, and where the file system refuses. */
    static boolean link(Path file, Path link) throws IOException {
        Path distribution = distribution();
        boolean linked =
                file.startsWith(distribution.resolve("lib")) || file.startsWith(distribution.resolve("bundles"));
        if (!linked || !file.toString().endsWith(".jar")) {
            return false;
        }
        try {
            Files.createLink(link, file);
            return true;
        } catch (FileSystemException | UnsupportedOperationException refused) { // another file system
            return false;
        }
    }

    /** Writes the archive, unless another test process does; true if it exists afterwards. */
    private static boolean write(Path archive) throws IOException {
        Path directory = Objects.requireNonNull(archive.getParent());
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("classes.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (lock.isValid() && !Files.exists(archive)) {
                for (Path old : list(directory)) {
                    if (old.getFileName().toString().startsWith(PREFIX)) {
                        Files.delete(old);
                    }
                }
                record(archive);
            }
        }
        return Files.exists(archive);
    }

    /** Runs an example with executors, which loads the classes of most roles. */
    private static void record(Path archive) throws IOException {
        Path home = distribution();
        Path work = Files.createDirectories(archive.resolveSibling("classes.work"));
        Path part = work.resolve("part.jsa");
        List<String> command = List.of(
                home.resolve("bin/submit").toString(),
                "--master",
                "local-cluster[1,1,256]",
                "--conf",
                "hearth.localCluster.dir=" + work,
                "--conf",
                "hearth.deploy.dir=" + work.resolve("deploy"),
                "--class",
                "dev.hearth.examples.Pi",
                home.resolve("examples/hearth-examples.jar").toString(),
                "2");
        Path errors = work.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile());
        builder.environment().put("HEARTH_CDS", "off");
        builder.environment().put("HEARTH_JAVA_OPTS", "-XX:ArchiveClassesAtExit=" + part);
        int status = builder.start().onExit().join().exitValue();
        if (status == 0 && Files.exists(part)) {
            Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE); // Java crashes on half an archive
        } else {
            System.err.println("no archive of classes, so processes start slower: " + Files.readString(errors));
        }
    }

    /** A digest of all that an archive depends on: the build of Java and the jars. */
    private static String fingerprint() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(System.getProperty("java.vm.version").getBytes(StandardCharsets.UTF_8));
            for (Path jar : list(distribution().resolve("lib"))) {
                String stamp = jar + " " + Files.getLastModifiedTime(jar);
                digest.update(stamp.getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(jar));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError("every Java has SHA-256", missing);
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
