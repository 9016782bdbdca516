package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.PrintsLines;
import dev.hearth.testkit.machine.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Standard output of commands and drivers that cannot be written: a full disk, and a reader that has left. */
@Timeout(180)
class StandardOutputIT {
    private static final int DISK_BYTES = 1 << 20;
    private static final String LINES = "30000"; // 3 MB
    private static final String FULL = "exec \"$0\" \"$@\" > /dev/full";
    private static final String PLAIN = "exec \"$0\" \"$@\"";
    private static final String PIPED_AWAY = "\"$0\" \"$@\" | true; exit ${PIPESTATUS[0]}";
    private static final String LOST =
            "error: standard output: cannot be written: No space left on device (expected: room for all results);"
                    + " what was printed is incomplete\n";

    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @ParameterizedTest
    @CsvSource({
        "bin/run-example --master local[2] Pi 2",
        "bin/submit --version",
        "bin/submit --help",
        "bin/hearth exec help",
        "bin/submit --master local --class PRINTS JAR 1",
        "bin/submit --master local --class PRINTS JAR 30000",
        "bin/submit --master local --class PRINTS JAR 1 0",
        "bin/submit --master local --class PRINTS JAR 1 17"
    })
    void failsOnceAndSaysWhyOnAFullDisk(String command) throws Exception {
        try (Launched launched = launch(FULL, command)) {
            assertEquals(1, launched.status(), launched::errors);
            assertEquals(LOST, launched.errors());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bin/run-example --master local[2] Pi 2",
        "bin/hearth exec help",
        "bin/submit --master local --class PRINTS JAR 30000"
    })
    void endsSilentlyWhenTheReaderNeedsNoMore(String command) throws Exception {
        try (Launched launched = launch(PIPED_AWAY, command)) {
            assertEquals(141, launched.status(), launched::errors);
            assertEquals("", launched.errors());
        }
    }

    @Test
    void failsADriverWhoseWorkDirectoryIsFull() throws Exception {
        try (SmallDisk disk = SmallDisk.in(scratch, DISK_BYTES);
                Launched master = installation.daemon("master", "--port", "0").process();
                Launched worker = worker(master, disk.directory())) {
            String url = master.output().strip();
            try (Launched returns = launch(PLAIN, cluster(url, LINES));
                    Launched exits = launch(PLAIN, cluster(url, LINES + " 0"))) {
                for (Launched submit : List.of(returns, exits)) {
                    assertEquals(1, submit.status(), submit::errors);
                    assertTrue(submit.errors().contains(" is now FAILED."), submit::errors);
                    assertTrue(
                            lastLine(submit.errors()).startsWith("error: submission driver-")
                                    && submit.errors().contains("No space left on device (expected: "),
                            submit::errors);
                }
            }
            assertTrue(worker.errors().isEmpty() || !worker.errors().contains("ERROR"), worker::errors);
        }
    }

    @Test
    void failsAClientThatCannotPrintTheOutputOfItsDriver() throws Exception {
        try (Launched master = installation.daemon("master", "--port", "0").process();
                Launched worker = worker(master, scratch.resolve("work"));
                Launched submit = launch(FULL, cluster(master.output().strip(), "1"))) {
            assertEquals(1, submit.status(), submit::errors);
            assertTrue(submit.errors().contains(" is now FINISHED."), submit::errors);
            assertTrue(submit.errors().endsWith(LOST), submit::errors);
            assertTrue(worker.pid() > 0);
        }
    }

    private static Launched worker(Launched master, Path work) throws IOException {
        String url = master.output().strip();
        return installation
                .daemon("worker", "--cores", "2", "--memory", "2g", "--work-dir", work.toString(), url)
                .process();
    }

    private static String cluster(String url, String arguments) {
        return "bin/submit --master " + url + " --deploy-mode cluster --class PRINTS JAR " + arguments;
    }

    /** Starts a command of the installation through {@code shell}, a line of bash that runs {@code "$@"}. */
    private static Launched launch(String shell, String command) throws IOException {
        List<String> words = new ArrayList<>(List.of("bash", "-c", shell));
        for (String word : command.split(" ", -1)) {
            words.add(
                    switch (word) {
                        case "PRINTS" -> PrintsLines.class.getName();
                        case "JAR" -> installation.applications().toString();
                        default ->
                            word.startsWith("bin/")
                                    ? installation.home().resolve(word).toString()
                                    : word;
                    });
        }
        return Launched.start(scratch, words);
    }

    private static String lastLine(String text) {
        return text.lines().reduce("", (first, last) -> last);
    }
}
