package dev.hearth.kernel.internal.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogLevelsTest {
    private final LoggerContext context = new LoggerContext();
    private final LogLevels levels = new LogLevels(context, Settings.empty(), "submit");

    @Test
    void setsALevelForALoggerAndAllBelow() {
        levels.setLevel("a.b", "debug");
        assertTrue(context.getLogger("a.b.c").isDebugEnabled());
        levels.setLevel("a.b.c", "ERROR");
        assertEquals(Map.of("ROOT", "DEBUG", "a.b", "DEBUG", "a.b.c", "ERROR"), levels.levels());
    }

    @Test
    void takesALevelBack() {
        levels.setLevel("a.b", "OFF");
        levels.setLevel("a.b", "");
        levels.setLevel("root", "warn");
        assertEquals(Map.of("ROOT", "WARN"), levels.levels());
    }

    @ParameterizedTest
    @CsvSource({"a.b,loud", "a.b,ALL", "ROOT,''"})
    void refusesWhatIsNoLevel(String logger, String level) {
        HearthException refused = assertThrows(HearthException.class, () -> levels.setLevel(logger, level));
        assertEquals("BAD_ARGUMENT", refused.code());
        assertTrue(refused.getMessage().contains("[TRACE, DEBUG, INFO, WARN, ERROR, OFF]"), refused.getMessage());
    }
}
