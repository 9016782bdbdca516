package dev.hearth.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Log lines of a process without another slf4j binding. */
class StandardErrorLoggingTest {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(before);
        System.clearProperty("hearth.log.level");
    }

    @Test
    void writesWarningsAndErrorsAlone() {
        Logger log = new StandardErrorLogging().getLogger("dev.hearth.Some");
        log.info("not {}", "this");
        log.warn("but {} and {}", "this", 2);
        log.error("failed", new IllegalStateException("why"));
        String text = said.toString(StandardCharsets.UTF_8);
        assertFalse(text.contains("not this"), text);
        assertTrue(text.contains(" WARN [" + Thread.currentThread().getName() + "] Some: but this and 2\n"), text);
        assertTrue(text.contains(" ERROR "), text);
        assertTrue(text.contains("java.lang.IllegalStateException: why\n\tat "), text);
    }

    @Test
    void obeysTheLevelThatIsSet() {
        System.setProperty("hearth.log.level", "debug");
        Logger log = new StandardErrorLogging().getLogger("dev.hearth.Some");
        log.trace("no");
        log.debug("yes");
        System.setProperty("hearth.log.level", "OFF");
        new StandardErrorLogging().getLogger("dev.hearth.Some").error("never");
        assertEquals(1, said.toString(StandardCharsets.UTF_8).lines().count());
    }
}
