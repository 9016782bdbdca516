package dev.hearth.testkit.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What commands say, for and against. */
class CommandsTest {
    @Test
    void tellsWhatACommandSays() throws IOException {
        assertEquals("word\n", Commands.run("echo", "word"));
        assertEquals("", Commands.tried("echo", "word"));
    }

    @Test
    void tellsWhyACommandHasNotDoneIt() throws IOException {
        assertEquals("exit 3 no", Commands.tried("sh", "-c", "echo no >&2; exit 3"));
        assertTrue(Commands.tried("no-such-command-of-hearth").startsWith("cannot be run, "));
        AssertionError failed = assertThrows(AssertionError.class, () -> Commands.run("sh", "-c", "exit 3"));
        assertEquals("sh -c exit 3: exit 3 (expected: done)", failed.getMessage());
    }
}
