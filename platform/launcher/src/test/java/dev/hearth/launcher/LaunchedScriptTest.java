package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of an installation whose {@code bin/submit} is a script that knows nothing of launchers. */
class LaunchedScriptTest {
    private static final String SCRIPT = """
            #!/bin/sh
            echo output
            echo error >&2
            for last; do :; done
            exit "$last"
            """;
    private static final String LOG = "dev.hearth.launcher.test";

    @TempDir
    Path home;

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line.getMessage());
        }

        @Override
        public void flush() {
            // keeps nothing back
        }

        @Override
        public void close() {
            // has nothing to close
        }
    };
    private final Logger logger = Logger.getLogger(LOG);

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib").resolve("flags.tsv"), "");
        Files.createDirectories(home.resolve("bin"));
        Path submit = Files.writeString(home.resolve("bin").resolve("submit"), SCRIPT);
        Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void removeHandler() {
        logger.removeHandler(handler);
    }

    @Test
    void writesBothStreamsToTheLog() throws Exception {
        assertEquals(LaunchState.LOST, end(launcher(0)).state());

        awaitLogged(2);
        assertEquals(List.of("error", "output"), logged.stream().sorted().toList());
    }

    @Test
    void writesOneStreamToAFileAndTheOtherToTheLog() throws Exception {
        Path file = home.resolve("file");
        end(launcher(0).redirectErrors(file));
        awaitLogged(1);
        assertEquals("error\n", Files.readString(file));
        assertEquals(List.of("output"), logged);

        logged.clear();
        end(launcher(0).redirectOutput(file));
        awaitLogged(1);
        assertEquals("output\n", Files.readString(file));
        assertEquals(List.of("error"), logged);
    }

    @Test
    void writesBothStreamsToFiles() throws Exception {
        Path output = home.resolve("output");
        Path errors = home.resolve("errors");
        Launcher launcher = Launcher.of(home)
                .application("a.jar")
                .arguments("0")
                .redirectOutput(output)
                .redirectErrors(errors);

        assertEquals(LaunchState.LOST, end(launcher).state());
        assertEquals("output\n", Files.readString(output));
        assertEquals("error\n", Files.readString(errors));
    }

    @Test
    void joinsBothStreamsInAFile() throws Exception {
        Path output = home.resolve("output");
        Launcher launcher = Launcher.of(home)
                .application("a.jar")
                .arguments("0")
                .redirectOutput(output)
                .redirectErrorsToOutput();

        assertEquals(LaunchState.LOST, end(launcher).state());
        assertEquals("output\nerror\n", Files.readString(output));
    }

    @Test
    void countsTheExitStatusOfAProcessThatNeverConnected() throws Exception {
        assertEquals(new LaunchEnd(LaunchState.FAILED, OptionalInt.of(1), "", ""), end(launcher(1)));
    }

    @Test
    void logsTheOutputOfAProcessThatIsNotFollowed() throws Exception {
        assertEquals(3, launcher(3).launch().waitFor());
        awaitLogged(2);
    }

    private Launcher launcher(int status) {
        return Launcher.of(home)
                .application("a.jar")
                .arguments(String.valueOf(status))
                .redirectToLog(LOG);
    }

    private static LaunchEnd end(Launcher launcher) throws Exception {
        return launcher.start().exit().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    /** Waits until the threads that read the streams have logged so many lines. */
    private void awaitLogged(int lines) throws InterruptedException {
        for (Thread reader : Thread.getAllStackTraces().keySet()) {
            if (reader.getName().startsWith("hearth-launched-output")
                    || reader.getName().startsWith("hearth-launched-errors")) {
                reader.join();
            }
        }
        assertEquals(lines, logged.size(), logged::toString);
    }
}
