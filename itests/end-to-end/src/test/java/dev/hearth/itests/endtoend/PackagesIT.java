package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications that name packages of a Maven repository, which is a directory here. */
@Timeout(180)
class PackagesIT {
    private static final String EXPECTED = "driver: hello you\ntasks: [hello one, hello two]\n";

    @TempDir
    Path scratch;

    private Installation installation;
    private Path repository;
    private Path application;

    @BeforeEach
    void publish() throws IOException {
        installation = Installation.in(scratch);
        repository = scratch.resolve("repository");
        Path language = jar("Language", "");
        Path greeting = jar("Greeting", language.toString());
        application = jar("Packaged", language + ":" + greeting);
        add("user.lib:language:2.0", language, "");
        add("user.lib:greeting:1.0", greeting, "user.lib:language:2.0");
    }

    @Test
    void areResolvedBeforeAnApplicationStartsInClientMode() throws Exception {
        try (Launched submit = submit("--master", "local-cluster[1,1,256]", "--packages", "user.lib:greeting:1.0")) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(EXPECTED, submit.output(), submit::errors);
        }
        try (Stream<Path> files = Files.walk(repository)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        // the same again, without the repository
        try (Launched submit = submit("--master", "local[2]", "--packages", "user.lib:greeting:1.0")) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(EXPECTED, submit.output(), submit::errors);
        }
        try (Launched submit = submit("--master", "local[2]", "--packages", "user.lib:gone:1.0")) {
            assertEquals(1, submit.status());
            assertTrue(submit.errors().startsWith("error: packages: 1 cannot be resolved (expected: "), submit::errors);
            assertTrue(submit.errors().contains("  user.lib:gone:1.0\n    central file:"), submit::errors);
            assertFalse(submit.errors().contains("\tat "), submit::errors);
        }
    }

    @Test
    void areResolvedByTheDriverInClusterMode() throws Exception {
        try (Cluster cluster = Cluster.start(installation);
                Launched submit = submit(
                        "--master",
                        cluster.url(),
                        "--deploy-mode",
                        "cluster",
                        "--jars",
                        "ivy://user.lib:greeting:1.0")) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(EXPECTED, submit.output(), submit::errors);
        }
    }

    private Launched submit(String... where) throws IOException {
        List<String> line = new ArrayList<>(List.of(where));
        line.addAll(List.of("--conf", "spark.jars.ivy=" + scratch.resolve("ivy"), "--executor-memory", "256m"));
        // the settings of Maven on this machine have no part in the test
        line.addAll(List.of("--driver-java-options", "-Duser.home='" + scratch.resolve("home") + "'"));
        line.addAll(List.of("--class", "user.Packaged", application.toString()));
        return installation.submit(
                Map.of("DEFAULT_ARTIFACT_REPOSITORY", repository.toUri().toString()), line);
    }

    private Path jar(String name, String libraries) throws IOException {
        UserJar jar = new UserJar(Files.createDirectories(scratch.resolve(name + " work")))
                .against(installation, "hearth-api-")
                .source(name);
        return (libraries.isEmpty() ? jar : jar.against(libraries)).write(scratch.resolve(name + ".jar"));
    }

    /** Adds a package to the repository; {@code needs} is the coordinate of another one, or empty. */
    private void add(String coordinate, Path jar, String needs) throws IOException {
        String[] parts = coordinate.split(":", -1);
        Path directory = Files.createDirectories(
                repository.resolve(parts[0].replace('.', '/')).resolve(parts[1]).resolve(parts[2]));
        String dependencies =
                needs.isEmpty() ? "" : "<dependencies><dependency>" + elements(needs) + "</dependency></dependencies>";
        String name = parts[1] + "-" + parts[2];
        Files.writeString(
                directory.resolve(name + ".pom"),
                "<project><modelVersion>4.0.0</modelVersion>" + elements(coordinate) + dependencies + "</project>");
        Files.copy(jar, directory.resolve(name + ".jar"));
    }

    private static String elements(String coordinate) {
        String[] parts = coordinate.split(":", -1);
        return "<groupId>" + parts[0] + "</groupId><artifactId>" + parts[1] + "</artifactId><version>" + parts[2]
                + "</version>";
    }
}
