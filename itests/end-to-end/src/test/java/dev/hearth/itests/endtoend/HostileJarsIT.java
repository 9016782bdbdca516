package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drops jars and other files that do harm into deploy/ of a running master, which refuses each and goes on. */
@Timeout(180)
class HostileJarsIT {
    private static final Duration WAIT = Duration.ofMinutes(3);
    /** Five times what a good jar takes among bad ones on an idle machine. */
    private static final Duration DEPLOYED_WITHIN = Duration.ofSeconds(10);

    private static final DateTimeFormatter LOG_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS");

    @TempDir
    Path scratch;

    @Test
    void refusesEachWithItsReasonAndDeploysTheNext() throws Exception {
        Installation installation = Installation.in(scratch);
        Path deploy = installation.home().resolve("deploy");
        Files.writeString(installation.home().resolve("conf/hearth-env.sh"), "HEARTH_JAVA_OPTS=-Xmx128m\n");
        Files.setPosixFilePermissions(deploy, PosixFilePermissions.fromString("rwxrwxrwx"));
        HostileJars jars = new HostileJars(scratch, deploy);
        jars.dropFifo("first.jar");
        HostileJars.bundle(deploy.resolve("early.jar"), "early");
        Launched.Ready ready = installation.daemon("master", "--port", "0");
        try (Launched master = ready.process()) {
            await(master, "early 1.0.0 (early.jar) runs");
            assertFalse(master.errors().contains("bundles still starting"), master::errors);
            jars.drop();
            assertDeploys("good", deploy, master);
            for (Map.Entry<String, String> entry : jars.reasons().entrySet()) {
                await(master, entry.getKey(), entry.getValue());
            }
            assertTrue(deployed(installation, ready.line()).contains("fifo.jar"));
            Files.delete(deploy.resolve("fifo.jar"));
            Files.delete(deploy.resolve("first.jar"));
            assertDeploys("better", deploy, master);
            for (Path file : files(deploy)) {
                Files.delete(file);
            }
            assertDeploys("best", deploy, master);
            assertEquals(
                    1,
                    master.errors()
                            .lines()
                            .filter(line -> line.contains("chmod o-w"))
                            .count(),
                    master::errors);
            assertFalse(deployed(installation, ready.line()).contains("fifo.jar"));
            assertFalse(master.errors().contains("OutOfMemoryError"), master::errors);
            assertFalse(Files.exists(installation.home().resolve("climbed")));
        }
        assertEquals(List.of(), installation.processes());
    }

    /** Drops a bundle, and compares the time with that of the line in the log of the process. */
    private void assertDeploys(String name, Path deploy, Launched process) throws IOException {
        Path jar = scratch.resolve(name + ".jar");
        HostileJars.bundle(jar, name);
        LocalDateTime dropped = LocalDateTime.now(ZoneId.systemDefault());
        ExternalPlugin.drop(jar, deploy);
        String line = await(process, name + " 1.0.0 (" + name + ".jar) runs");
        Duration taken = Duration.between(
                dropped, LocalDateTime.parse(line.substring(0, "2026-01-01T00:00:00.000".length()), LOG_TIME));
        System.out.println(name + " ran after " + taken.toMillis() + " ms");
        assertTrue(taken.compareTo(DEPLOYED_WITHIN) < 0, name + " ran after " + taken);
    }

    /** Waits for a line of the log that has all of {@code texts}. */
    private static String await(Launched process, String... texts) {
        Eventually.until(
                "a line with " + List.of(texts),
                () -> lines(process, texts).findAny().isPresent(),
                WAIT,
                process::errors);
        return lines(process, texts).findFirst().orElseThrow();
    }

    private static Stream<String> lines(Launched process, String... texts) {
        return process.errors().lines().filter(line -> Stream.of(texts).allMatch(line::contains));
    }

    private static String deployed(Installation installation, String master) throws Exception {
        String address = master.substring(master.indexOf("//") + 2);
        try (Launched exec = installation.hearth("exec", "--to", address, "--width", "200", "hearth:deployed")) {
            assertEquals(0, exec.status(), exec::errors);
            return exec.output();
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
