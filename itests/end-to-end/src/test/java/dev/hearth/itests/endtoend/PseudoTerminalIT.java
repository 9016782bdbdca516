package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pseudo terminal of the tests, with the system's shell: size, keys, signals and the screen. */
@Timeout(60)
class PseudoTerminalIT {
    @TempDir
    Path directory;

    @Test
    void givesSizeKeysAndSignals() throws Exception {
        String script =
                "stty size; trap 'stty size' WINCH; trap 'echo interrupted; exit 9' INT; test -t 2 && echo Köln;"
                        + " read line; echo \"read $line\"; while :; do read -t 10 line; done";
        try (PseudoTerminal terminal = start("bash", "-c", script)) {
            terminal.awaitScreen("24 70\nKöln");
            terminal.type("some words\r");
            terminal.awaitScreen("some words\nread some words");
            terminal.resize(30, 50);
            terminal.awaitScreen("30 50");
            terminal.type(PseudoTerminal.CONTROL_C);
            assertEquals(9, terminal.status());
            assertTrue(terminal.screen().text().endsWith("^Cinterrupted"), terminal.screen()::text);
        }
    }

    @Test
    void showsAllOutputOfAProcessThatEndsAtOnce() throws Exception {
        try (PseudoTerminal terminal = start("sh", "-c", "printf '1/3\\r2/3\\r\\033[Kdone'; exit 4")) {
            assertEquals(4, terminal.status());
            assertEquals(List.of("done"), terminal.screen().lines());
        }
    }

    private PseudoTerminal start(String... command) throws Exception {
        return PseudoTerminal.start(24, 70, directory, Map.of(), List.of(command));
    }
}
