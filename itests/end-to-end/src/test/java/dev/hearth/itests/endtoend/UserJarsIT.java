package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs an application that brings other versions of the platform's libraries, as published, and uses packages of the
 * JDK.
 */
@Timeout(180)
class UserJarsIT {
    private static final String EXPECTED = """
            netty 4.1.118.Final of the application
            jackson 2.15.0 of the application
            guava of the application, 4 words
            slf4j org.slf4j.impl.SimpleLoggerFactory of the application
            service user.Libraries$French says bonjour
            xml 2
            sql true
            http localhost
            jmx true
            compiler true
            sum 55 by tasks with guava and jackson
            """;

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Path application;
    private static Path bare;
    private static String jars;

    @BeforeAll
    static void compile() throws IOException {
        installation = Installation.in(scratch);
        Path libraries = Path.of(Objects.requireNonNull(System.getProperty("hearth.user.jars")));
        try (Stream<Path> files = Files.list(libraries)) {
            jars = files.map(Path::toString).sorted().collect(Collectors.joining(","));
        }
        application = application(
                "Libraries",
                jars.replace(',', ':'),
                Map.of("META-INF/services/user.Libraries$Greeting", "user.Libraries$French\n"));
        bare = application("Bare", "", Map.of());
    }

    @Test
    void usesItsOwnLibrariesOnOneMachine() throws Exception {
        try (Launched submit = installation.submit(
                "--master", "local[2]", "--jars", jars, "--class", "user.Libraries", application.toString())) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(EXPECTED, submit.output(), submit::errors);
            assertTrue(submit.errors().contains("[main] INFO user.Libraries - written by its own logging"));
        }
    }

    @Test
    void usesItsOwnLibrariesOnACluster() throws Exception {
        try (Cluster cluster = Cluster.start(installation);
                Launched submit = installation.submit(
                        "--master",
                        cluster.url(),
                        "--deploy-mode",
                        "cluster",
                        "--jars",
                        jars,
                        "--class",
                        "user.Libraries",
                        application.toString())) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(EXPECTED, submit.output(), submit::errors);
        }
    }

    @Test
    void findsNoLibraryOfThePlatformWhereItBringsNone() throws Exception {
        try (Launched submit = installation.submit("--master", "local[2]", "--class", "user.Bare", bare.toString())) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("""
                    io.netty.util.Version absent
                    com.fasterxml.jackson.databind.ObjectMapper absent
                    ch.qos.logback.classic.Logger absent
                    org.osgi.framework.Bundle absent
                    dev.hearth.spi.error.ErrorCode absent
                    """, submit.output());
            assertTrue(
                    submit.errors().contains("WARN  [main] Bare: written by the platform's logging"), submit::errors);
        }
    }

    private static Path application(String name, String libraries, Map<String, String> resources) throws IOException {
        UserJar jar = new UserJar(Files.createDirectories(scratch.resolve(name + " work")))
                .against(installation, "hearth-api-", "slf4j-api-")
                .source(name);
        if (!libraries.isEmpty()) {
            jar.against(libraries);
        }
        resources.forEach(jar::resource);
        return jar.write(scratch.resolve(name + ".jar"));
    }
}
