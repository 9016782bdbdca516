package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Gives wrong input to the commands: each prints one line that says what to do, no stack trace, and ends with the
 * documented status.
 */
@Timeout(120)
class WrongInputIT {
    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4   | master 127.0.0.1:1: connection refused | --master hearth://127.0.0.1:1 --deploy-mode cluster --class X JAR",
                "4   | master 127.0.0.1:1: connection refused | --master hearth://127.0.0.1:1 --class dev.hearth.examples.Pi JAR",
                "2   | cluster manager for scheme 'yarn': not installed (expected: one of [hearth, | --master yarn"
                        + " --class X JAR",
                "2   | deploy mode cluster (expected: one of [client]) | --master local --deploy-mode cluster --class X JAR",
                "2   | local[0] | --master local[0] --class X JAR",
                "2   | did you mean --master? | --mastr local --class X JAR",
                "2   | application jar: none given | --master local",
                "2   | hearth.task.maxFailures: x (expected: a whole number | --conf hearth.task.maxFailures=x --class dev.hearth.examples.Pi JAR",
                "3   | application jar: 'no-such.jar': no such file | --class X no-such.jar",
                "101 | main class 'no.Such': not found in | --master local --class no.Such JAR",
                "1   | application threw java.lang.IllegalStateException: boom, at dev.hearth.examples.Fails.main(Fails.java: | --master local --class dev.hearth.examples.Fails JAR",
                "1   | element 3 is bad | --master local --class dev.hearth.examples.FailsInTask JAR"
            })
    void saysInOneLineWhatIsWrong(int status, String message, String arguments) throws Exception {
        List<String> given = new ArrayList<>(List.of(arguments.split(" ")));
        given.replaceAll(word -> word.equals("JAR") ? installation.examples().toString() : word);
        try (Launched submit = installation.submit(given.toArray(String[]::new))) {
            assertEquals(status, submit.status(), submit::errors);
            assertTrue(submit.errors().startsWith("error: ") && submit.errors().contains(message), submit::errors);
            List<String> below = submit.errors().lines().skip(1).toList();
            assertTrue(below.stream().allMatch(line -> line.startsWith("  ")), submit::errors);
            if (status == 1) {
                assertTrue(below.get(0).startsWith("  at dev.hearth.examples.Fails"), submit::errors);
                String last = below.get(below.size() - 1);
                Path trace = Path.of(last.replaceFirst("  full stack trace: ", ""));
                assertTrue(Files.readString(trace).contains("Caused by: java.lang.Illegal"));
                Files.delete(trace);
            } else {
                assertEquals(List.of(), below);
            }
            assertEquals("", submit.output());
        }
    }

    @Test
    void saysThatAnotherProgramAnswersAtTheMastersPort() throws Exception {
        try (ServerSocket foreign = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread greeter = new Thread(() -> greet(foreign), "foreign");
            greeter.setDaemon(true);
            greeter.start();
            String url = "hearth://127.0.0.1:" + foreign.getLocalPort();
            try (Launched submit = installation.submit(
                    "--master",
                    url,
                    "--deploy-mode",
                    "cluster",
                    "--class",
                    "X",
                    installation.examples().toString())) {
                assertEquals(4, submit.status(), submit::errors);
                assertEquals(1, submit.errors().lines().count(), submit::errors);
            }
        }
    }

    @Test
    void refusesAnInterfaceThatOthersReach() throws Exception {
        try (Launched master = Launched.start(
                scratch,
                List.of(installation.home().resolve("bin/hearth").toString(), "master", "--host", "0.0.0.0"))) {
            assertEquals(2, master.status());
            assertTrue(master.errors().contains("hearth.rpc.trustedNetwork=true"), master::errors);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "hearth.rest.token=, hearth.rest.token",
        "hearth.rest.token=${env:EMPTY_WORD}, hearth.rest.token",
        "hearth.rest.token=${env:BLANK_WORD}, hearth.rest.token",
        "hearth.rest.token.file=EMPTY, hearth.rest.token.file",
        "hearth.rest.token.file=, hearth.rest.token.file",
        "hearth.log.level=INFO, hearth.rest.token"
    })
    void refusesAnEmptyToken(String setting, String subject) throws Exception {
        Path empty = Files.createTempFile(
                scratch,
                "token",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Map<String, String> environment = new HashMap<>(Map.of("EMPTY_WORD", "", "BLANK_WORD", "  "));
        if (subject.equals("hearth.rest.token") && setting.startsWith("hearth.log")) {
            environment.put("HEARTH_REST_TOKEN", "");
        }
        String given = setting.replace("EMPTY", setting.contains("file") ? empty.toString() : "EMPTY");
        List<String> command =
                List.of(installation.home().resolve("bin/hearth").toString(), "master", "--port", "0", "--conf", given);
        try (Launched master = Launched.start(scratch, environment, command)) {
            assertEquals(2, master.status(), master::errors);
            assertTrue(master.errors().startsWith("error: " + subject + ": empty (expected: "), master::errors);
        }
    }

    @Test
    void warnsOfASecretInTheArguments() throws Exception {
        String secret = "hearth.authenticate.secret=a-word-that-everybody-can-read";
        try (Launched submit = installation.submit("--conf", secret, "--status", "driver-1", "--master", "local")) {
            submit.status();
            assertWarned(submit.errors());
        }
        try (Launched master = installation.hearth("master", "--port", "70000", "--conf", secret)) {
            assertEquals(2, master.status(), master::errors);
            assertWarned(master.errors());
        }
    }

    private static void assertWarned(String errors) {
        List<String> lines = errors.lines()
                .filter(line -> line.contains("hearth.authenticate.secret"))
                .toList();
        assertEquals(1, lines.size(), errors);
        assertTrue(lines.get(0).contains("hearth.authenticate.secret.file"), errors);
        assertFalse(errors.contains("a-word-that-everybody-can-read"), errors);
    }

    @Test
    void namesNoReasonForTheEndOfATaskThatEndedItsProcess() throws Exception {
        try (Launched submit = installation.submit(
                "--master",
                "local-cluster[1,1,256]",
                "--conf",
                "hearth.task.maxFailures=1",
                "--class",
                "dev.hearth.itests.endtoend.app.ExitsInTask",
                installation.applications().toString(),
                "9")) {
            assertEquals(1, submit.status(), submit::errors);
            assertTrue(submit.errors().contains("executor lost: exit status 9; see "), submit::errors);
        }
    }

    private static void greet(ServerSocket foreign) {
        try (var visitor = foreign.accept()) {
            visitor.getOutputStream().write("SSH-2.0-other\r\n".getBytes(StandardCharsets.US_ASCII));
            visitor.getOutputStream().flush();
            visitor.getInputStream().readAllBytes();
        } catch (IOException ended) {
            // The process was ended and reads no more input.
        }
    }
}
