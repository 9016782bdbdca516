package dev.hearth.testkit.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Output, errors and timeouts of commands. */
class SystemCommandsTest {
    @Test
    void returnsTheOutputOfACommand() throws IOException {
        assertEquals("word\n", SystemCommands.run("echo", "word"));
        assertEquals("", SystemCommands.tried("echo", "word"));
    }

    @Test
    void returnsTheErrorsOfACommand() throws IOException {
        assertEquals("exit 3 no", SystemCommands.tried("sh", "-c", "echo no >&2; exit 3"));
        assertTrue(SystemCommands.tried("no-such-command-of-hearth").startsWith("cannot be run, "));
        AssertionError failed = assertThrows(AssertionError.class, () -> SystemCommands.run("sh", "-c", "exit 3"));
        assertEquals("sh -c exit 3: exit 3 (expected: done)", failed.getMessage());
    }
}
