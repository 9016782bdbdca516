package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A Maven repository with the artifacts of Hearth as released, and links to the libraries that Hearth's build has
 * downloaded. The user's own repository receives nothing of Hearth. Lives below a test's directory; closing removes
 * the links.
 */
record PublishedJars(Path repository) implements AutoCloseable {
    private static final String VERSION = Objects.requireNonNull(System.getProperty("hearth.version"));

    static PublishedJars in(Path scratch) throws IOException {
        Path own = Path.of(Objects.requireNonNull(System.getProperty("hearth.repository")));
        Path repository = Files.createDirectories(scratch.resolve("repository"));
        link(own, repository, "dev");
        link(own.resolve("dev"), Files.createDirectories(repository.resolve("dev")), "hearth");
        Path tree = Path.of(Objects.requireNonNull(System.getProperty("hearth.tree")))
                .toRealPath();
        publish(repository, "hearth", tree.resolve("pom.xml"));
        Path embedded = tree.resolve("platform/embedded/target");
        publish(repository, "hearth-embedded", embedded.resolve("dependency-reduced-pom.xml"));
        publish(repository, "hearth-embedded", embedded.resolve("hearth-embedded-" + VERSION + ".jar"));
        Path junit = tree.resolve("platform/junit");
        publish(repository, "hearth-junit", junit.resolve("pom.xml"));
        publish(repository, "hearth-junit", junit.resolve("target/hearth-junit-" + VERSION + ".jar"));
        return new PublishedJars(repository);
    }

    private static void link(Path own, Path repository, String without) throws IOException {
        if (!Files.isDirectory(own)) {
            return;
        }
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(own)) {
            for (Path group : groups) {
                String name = group.getFileName().toString();
                if (Files.isDirectory(group) && !name.equals(without)) {
                    Files.createSymbolicLink(repository.resolve(name), group);
                }
            }
        }
    }

    private static void publish(Path repository, String artifact, Path file) throws IOException {
        Path place = Files.createDirectories(
                repository.resolve("dev/hearth").resolve(artifact).resolve(VERSION));
        String suffix = file.toString().endsWith(".jar") ? ".jar" : ".pom";
        Files.copy(file, place.resolve(artifact + "-" + VERSION + suffix));
    }

    @Override
    public void close() throws IOException {
        unlink(repository);
        unlink(repository.resolve("dev"));
    }

    private static void unlink(Path directory) throws IOException {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(directory, Files::isSymbolicLink)) {
            for (Path link : links) {
                Files.delete(link);
            }
        }
    }
}
