package dev.hearth.kernel.internal.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.hearth.spi.kernel.Logs.LogEvent;
import dev.hearth.spi.settings.Settings;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The recent events that a process keeps for its shells, and the stream to which its log goes. */
class RecentLogTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger log = context.getLogger("dev.hearth.Some");
    private final LogLevels logs = new LogLevels(context, Settings.empty(), "shell");

    @Test
    void keepsNothingUntilAShellAsks() {
        log.error("early");
        assertEquals(List.of(), logs.recent(0));
        logs.keepRecent();
        logs.keepRecent();
        log.info("one {}", 1);
        log.error("two", new IllegalStateException("boom"));
        log.setLevel(Level.ERROR);
        log.info("not logged");
        List<LogEvent> kept = logs.recent(0);
        assertEquals(List.of(1L, 2L), kept.stream().map(LogEvent::number).toList());
        assertEquals("one 1", kept.get(0).text());
        assertEquals("INFO", kept.get(0).level());
        assertEquals("dev.hearth.Some", kept.get(0).logger());
        assertTrue(kept.get(1).text().startsWith("two\njava.lang.IllegalStateException: boom"), kept::toString);
        assertEquals(List.of(kept.get(1)), logs.recent(1));
    }

    @Test
    void keepsALimitedNumberOfLimitedLength() {
        logs.keepRecent();
        for (int number = 0; number < RecentLog.EVENTS_MAX + 5; number++) {
            log.info("line {}", number);
        }
        log.info("x".repeat(RecentLog.CHARACTERS_MAX + 1));
        List<LogEvent> kept = logs.recent(0);
        assertEquals(RecentLog.EVENTS_MAX, kept.size());
        assertEquals(7, kept.get(0).number());
        assertEquals(
                RecentLog.CHARACTERS_MAX + 3, kept.get(kept.size() - 1).text().length());
    }

    @Test
    void tellsTheStreamOfTheCommandLanguageFromOthers() {
        assertFalse(ProcessErrorStream.isOfCommands(PrintStream.class));
        assertFalse(ProcessErrorStream.isOfCommands(System.err.getClass()));
    }
}
