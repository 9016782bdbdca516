package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs a standalone cluster with a shared secret: commands with the secret work, those without are refused, and no
 * file, log or command line shows it.
 */
@Timeout(180)
class SecuredClusterIT {
    @TempDir
    Path scratch;

    private Installation installation;
    private Cluster cluster;
    private String secret;
    private Path secretFile;

    @BeforeEach
    void start() throws IOException {
        installation = Installation.in(scratch);
        secret = random();
        secretFile = secretFile("secret", secret);
        cluster = Cluster.start(installation, authenticated(secretFile));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "cluster"})
    void runsApplicationsAndTellsNobodyTheSecret(String mode) throws Exception {
        String own = random();
        Path ownFile = secretFile("application.conf", "hearth.authenticate.applicationSecret " + own);
        try (Gate gate = new Gate();
                Launched submit = submit(
                        authenticated(secretFile),
                        "--properties-file",
                        ownFile.toString(),
                        "--deploy-mode",
                        mode,
                        "--class",
                        "dev.hearth.itests.endtoend.app.GatedSum",
                        installation.applications().toString(),
                        String.valueOf(gate.port()),
                        "6")) {
            Gate.Visitor driver = gate.next();
            assertEquals("driver", driver.who());
            driver.pass();
            Gate.Visitor task = gate.next();
            assertEquals("task", task.who());
            assertShellOfTheDriver(mode.equals("cluster") ? "driver-" : "app-", secretFile, ownFile);
            List<ProcessHandle> processes = installation.processes();
            assertTrue(processes.size() >= 4, () -> "master, worker, driver and executor: " + processes);
            for (ProcessHandle process : processes) {
                String arguments = text(Path.of("/proc", String.valueOf(process.pid()), "cmdline"));
                assertFalse(
                        arguments.contains(secret) || arguments.contains(own), "arguments of process " + process.pid());
            }
            String environment = text(Path.of("/proc", String.valueOf(task.pid()), "environ"));
            assertFalse(environment.contains(secret) || environment.contains(own), "environment of the executor");
            task.pass();
            gate.open();
            assertEquals(0, submit.status(), submit::errors);
            String seen = submit.output() + submit.errors();
            assertFalse(seen.contains(secret) || seen.contains(own), "what users see");
        }
        cluster.close();
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertEquals(file.equals(secretFile), text(file).contains(secret), file::toString);
                assertEquals(file.equals(ownFile), text(file).contains(own), file::toString);
            }
        }
    }

    /** The shell of the only driver, found by its id, is open to those who know the secret of the cluster alone. */
    private void assertShellOfTheDriver(String id, Path known, Path other) throws Exception {
        List<String> question = List.of("exec", "--to", id + "@" + cluster.url(), "jobs", "--json");
        try (Launched exec = hearth(question, authenticated(known))) {
            assertEquals(0, exec.status(), exec::errors);
            assertTrue(exec.output().contains("\"state\":\"running\""), exec::output);
        }
        String address;
        try (Launched exec =
                hearth(List.of("exec", "applications", "--json", "--master", cluster.url()), authenticated(known))) {
            assertEquals(0, exec.status(), exec::errors);
            Matcher driver = Pattern.compile("\"driverAddress\":\"([^\"]+)\"").matcher(exec.output());
            assertTrue(driver.find(), exec::output);
            address = driver.group(1);
        }
        String secretOfApplication = Files.readString(other).replace("hearth.authenticate.applicationSecret ", "");
        Path wrong = secretFile("wrong", secretOfApplication);
        try (Launched exec = hearth(List.of("exec", "--to", address, "jobs"), authenticated(wrong))) {
            assertNotEquals(0, exec.status(), exec::errors);
            assertTrue(exec.errors().contains("you could not prove that you know the secret"), exec::errors);
        }
        Files.delete(wrong);
    }

    private Launched hearth(List<String> words, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(words.get(0)));
        arguments.addAll(List.of(more));
        arguments.addAll(words.subList(1, words.size()));
        return installation.hearth(arguments.toArray(String[]::new));
    }

    @Test
    void refusesThoseWhoDoNotKnowTheSecret() throws Exception {
        Path other = secretFile("other", random());
        assertRefused("you could not prove that you know the secret", authenticated(other));
        assertRefused("TLS 1.3, which the listening process requires");
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused("expected: mode 0600", authenticated(other));
    }

    private void assertRefused(String reason, String... authentication) throws Exception {
        try (Launched submit = submit(
                authentication,
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString(),
                "2")) {
            assertNotEquals(0, submit.status());
            assertEquals("", submit.output());
            assertEquals(1, submit.errors().lines().count(), submit::errors);
            assertTrue(submit.errors().startsWith("error: ") && submit.errors().contains(reason), submit::errors);
        }
    }

    private Launched submit(String[] authentication, String... rest) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("--master", cluster.url(), "--driver-memory", "256m", "--executor-memory", "256m"));
        arguments.addAll(List.of(authentication));
        arguments.addAll(List.of(rest));
        return installation.submit(arguments.toArray(String[]::new));
    }

    private Path secretFile(String name, String content) throws IOException {
        Path file = scratch.resolve(name);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, content);
    }

    private static String[] authenticated(Path secretFile) {
        return new String[] {
            "--conf", "hearth.authenticate=true", "--conf", "hearth.authenticate.secret.file=" + secretFile
        };
    }

    private static String random() {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
