package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs one program on a plain class path and by bin/submit: both give the same results and end cleanly in every way.
 */
@Timeout(180)
class EmbeddedIT {
    private static final String MAIN = "user.Ends";
    /**
     * The time a process may take to end after SIGTERM: the bound of the shutdown hooks plus a margin for a busy
     * machine.
     */
    private static final int END_SECONDS_MAX = 180;

    @TempDir
    static Path scratch;

    private static Programs programs;

    @BeforeAll
    static void compile() throws IOException {
        programs = Programs.compile(Installation.in(scratch).home(), scratch);
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "CLUSTER")
    void runsAProgram(Way way) throws Exception {
        assertEnds(way, 0, "sum 6\n", "", "closes");
        assertEnds(way, 0, "count 3\n", "", "forgets");
        assertEnds(way, 3, "count 3\n", "", "exits");
        assertEnds(way, 0, "one local[1] 3\ntwo local[2] 5\ncount 2\n", "", "two");
    }

    @Test
    void runsTheJarThatBringsItsEngineOnTheLaunchersOne() throws Exception {
        assertEnds(Way.EMBEDDED, 0, "sum 6\nown engine dev.hearth.embedded.EmbeddedContexts\n", "", "where");
        try (Launched submit = launch(Way.SUBMIT, "where")) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum 6\nlauncher's engine\n", submit.output());
            // because it looked for the class itself
            assertEquals(1, submit.errors().lines().count(), submit::errors);
            assertTrue(submit.errors().contains("fat.jar holds dev.hearth.embedded.EmbeddedContexts"), submit::errors);
        }
    }

    @Test
    void runsWhatThePageShows() throws Exception {
        Path docs = Path.of(Objects.requireNonNull(System.getProperty("hearth.docs")));
        String page = Files.readString(docs.resolve("embedded.md"));
        Path sources = Path.of(Objects.requireNonNull(System.getProperty("hearth.programs")), "user");
        for (String name : List.of("Squares.java", "SumTest.java")) {
            assertTrue(page.contains("```java\n" + Files.readString(sources.resolve(name)) + "```\n"), name);
        }
        assertTrue(Files.readString(docs.resolveSibling("README.md"))
                .contains("```java\n" + Files.readString(sources.resolve("Squares.java")) + "```\n"));
        for (Way way : Way.LOCAL) {
            try (Launched launched = Launched.start(scratch, way.command(programs, "user.Squares", List.of()))) {
                assertEquals(0, launched.status(), launched::errors);
                assertEquals("14\n", launched.output());
            }
        }
    }

    @Test
    void runsATestOfJUnit() throws Exception {
        String classPath = String.join(
                File.pathSeparator, programs.jar().toString(), Programs.embedded(), Programs.slf4j(), Programs.junit());
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try (Launched tests = Launched.start(scratch, List.of(java.toString(), "-cp", classPath, "user.RunTests"))) {
            assertEquals(0, tests.status(), tests::errors);
            assertEquals("passed 1, failed 0\n", tests.output(), tests::errors);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "CLUSTER")
    void tellsOfAnExceptionWithTheUsersOwnFrames(Way way) throws Exception {
        try (Launched main = launch(way, "throws");
                Launched task = launch(way, "fails")) {
            assertEquals(1, main.status(), main::errors);
            assertTrue(main.errors().contains("java.lang.IllegalStateException: by main"), main::errors);
            assertTrue(main.errors().contains("at user.Ends.throwsInMain(Ends.java:"), main::errors);
            assertEquals(1, task.status(), task::errors);
            assertTrue(task.errors().contains("java.lang.IllegalArgumentException: by task of "), task::errors);
            assertTrue(task.errors().contains("user.Ends.fail(Ends.java:"), task::errors);
        }
    }

    @ParameterizedTest
    @CsvSource({"EMBEDDED, TERM, 143", "EMBEDDED, INT, 130", "SUBMIT, TERM, 143", "SUBMIT, INT, 130"})
    void endsWhenItIsToldToInTheMiddleOfAJob(Way way, String signal, int status) throws Exception {
        for (String program : List.of("waits", "deaf")) {
            Path errors = Files.createTempFile(scratch, "stderr", ".txt");
            List<String> command = new ArrayList<>(Launched.WITH_SIGNALS);
            command.addAll(way.command(programs, MAIN, List.of(program)));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("HEARTH_CDS", SharedClasses.setting());
            Process process = builder.redirectError(errors.toFile()).start();
            try (BufferedReader output = process.inputReader()) {
                String line = output.readLine();
                assertTrue(line != null && line.startsWith("task "), () -> read(errors));
                Processes.signal(signal, process.pid());
                assertTrue(
                        process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS), () -> way + " " + program + " still runs");
                assertEquals(status, process.exitValue(), () -> read(errors));
                // main may or may not print that its context was closed; the context is closed in either case
                if (way == Way.EMBEDDED) {
                    assertTrue(read(errors).contains("the application has ended"), () -> read(errors));
                } else {
                    assertFalse(read(errors).contains("context of ends: closed"), () -> read(errors));
                }
                assertFalse(read(errors).contains("still busy"), () -> read(errors));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void keepsServingThreadsThatOutliveMainAndNobodyAfterThat() throws Exception {
        assertEnds(Way.EMBEDDED, 0, "count 3\n", "", "thread");
        assertEnds(
                Way.EMBEDDED,
                0,
                "context: opened while the process ends (expected: opened before the process began to end); do not"
                        + " open contexts in shutdown hooks\n",
                "",
                "late");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local[0]", "local[x]", "local[2,0]", "local[100000]"})
    void refusesLocalMastersThatAreNone(String master) throws Exception {
        String message = "master " + master + ": not a local master (expected: local, local[N], local[*] or local[N,F]";
        for (Way way : Way.LOCAL) {
            try (Launched launched = launch(way, "master", master)) {
                assertTrue(launched.status() != 0);
                assertTrue(launched.errors().contains(message), launched::errors);
            }
        }
        try (Launched flag = Launched.start(
                scratch,
                List.of(
                        programs.home().resolve("bin/submit").toString(),
                        "--master",
                        master,
                        "--class",
                        MAIN,
                        programs.jar().toString()))) {
            assertEquals(2, flag.status(), flag::errors);
            assertEquals(1, flag.errors().lines().count(), flag::errors);
            assertTrue(flag.errors().startsWith("error: " + message), flag::errors);
        }
    }

    @Test
    void saysHowToReachAnotherMaster() throws Exception {
        try (Launched launched = launch(Way.EMBEDDED, "master", "hearth://127.0.0.1:7077")) {
            assertEquals(1, launched.status());
            assertTrue(
                    launched.errors().contains("start this program with bin/submit --master hearth://127.0.0.1:7077"),
                    launched::errors);
        }
    }

    @Test
    void saysWhichLibraryIsMissing() throws Exception {
        String classPath = programs.jar() + File.pathSeparator + Programs.embedded();
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try (Launched launched = Launched.start(scratch, List.of(java.toString(), "-cp", classPath, "user.Squares"))) {
            assertEquals(1, launched.status());
            assertTrue(launched.errors().contains("expected: slf4j-api 2.0.9 or newer beside it"), launched::errors);
        }
    }

    private static void assertEnds(Way way, int status, String output, String errors, String... arguments)
            throws Exception {
        try (Launched launched = launch(way, arguments)) {
            assertEquals(status, launched.status(), launched::errors);
            assertEquals(output, launched.output(), launched::errors);
            assertEquals(errors, launched.errors());
        }
    }

    private static Launched launch(Way way, String... arguments) throws IOException {
        return Launched.start(scratch, way.command(programs, MAIN, List.of(arguments)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new AssertionError("output of a process: " + failure, failure);
        }
    }
}
