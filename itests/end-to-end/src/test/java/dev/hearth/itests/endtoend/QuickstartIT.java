package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the quickstart: Pi by bin/submit, on a cluster and in one process. */
@Timeout(180)
class QuickstartIT {
    @TempDir
    Path scratch;

    @Test
    void worksTwiceInARowAndLeavesNoProcess() throws Exception {
        Installation installation = Installation.in(scratch);
        String script = Objects.requireNonNull(System.getProperty("hearth.quickstart"));
        for (int run = 0; run < 2; run++) {
            try (Launched quickstart = Launched.start(
                    scratch, List.of(script, "--home", installation.home().toString()))) {
                assertEquals(0, quickstart.status(), quickstart::errors);
                assertTrue(quickstart.output().startsWith("Pi is roughly 3.1"), quickstart::output);
                assertTrue(quickstart.errors().contains(" is now FINISHED."), quickstart::errors);
            }
            assertEquals(List.of(), installation.processes());
        }
    }

    @Test
    void endsWithTheStatusThatTheApplicationExitsWith() throws Exception {
        Installation installation = Installation.in(scratch);
        try (Launched submit = installation.submit(
                "--master",
                "local[2]",
                "--class",
                "dev.hearth.itests.endtoend.app.ExitsWith",
                installation.applications().toString(),
                "42")) {
            assertEquals(42, submit.status(), submit::errors);
            assertEquals("", submit.errors());
        }
    }

    @Test
    void runsTheSameJarInOneProcess() throws Exception {
        Installation installation = Installation.in(scratch);
        try (Launched submit = installation.submit(
                "--master",
                "local[2]",
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString(),
                "20")) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().startsWith("Pi is roughly 3.1"), submit::output);
            assertEquals("", submit.errors());
        }
    }
}
