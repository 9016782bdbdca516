package dev.hearth.kernel.internal.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.logging.LogSettings.Format;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

class LogFileTest {
    private static final int LINES = 3_000;
    private static final String KIBIBYTE = "x".repeat(1024);

    @TempDir
    Path directory;

    @Test
    void keepsNoMoreAndNoLargerFilesThanTheSettingsSay() throws IOException {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        LogSettings settings =
                new LogSettings("INFO", Format.TEXT, directory.resolve("a.log").toString(), 1, 1, Map.of());
        DefaultLogging.apply(context, settings, "probe");
        Logger logger = context.getLogger("dev.hearth.probe");
        for (int line = 0; line < LINES; line++) {
            logger.info(KIBIBYTE);
        }
        context.stop();
        try (Stream<Path> files = Files.list(directory)) {
            List<String> names =
                    files.map(file -> file.getFileName().toString()).sorted().toList();
            assertEquals(List.of("a.log", "a.log.1"), names);
            assertTrue(Files.size(directory.resolve("a.log.1")) < 1_026 * 1_024, "a line more than a mebibyte");
        }
    }

    @Test
    void settingsOfTheCommandLineRankHighest() {
        Properties system = new Properties();
        system.setProperty("hearth.log.level", "error");
        system.setProperty("hearth.log.level.a.b", "info");
        Settings installation = Settings.empty().with("conf", "hearth.log.format", "json");
        LogSettings before = LogSettings.read(installation, system, Settings.empty());
        assertEquals(Level.ERROR, before.threshold());
        assertEquals(Format.JSON, before.format());
        assertEquals(Map.of("a.b", "info"), before.loggers());
        Settings given = Settings.empty()
                .with("--log-level", "hearth.log.level", "Debug")
                .with("--conf", "hearth.log.format", "text");
        LogSettings after = LogSettings.read(installation, system, given);
        assertEquals(Level.DEBUG, after.threshold());
        assertEquals(Format.TEXT, after.format());
        Settings bad = Settings.empty().with("--conf", "hearth.log.level.a.b", "loud");
        HearthException refused =
                assertThrows(HearthException.class, () -> LogSettings.read(installation, new Properties(), bad));
        assertTrue(refused.getMessage().startsWith("hearth.log.level.a.b: loud (expected: "), refused::getMessage);
    }

    @Test
    void changesFormatDestinationAndLevelsOfARunningProcess() throws IOException {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        new DefaultLogging().configure(context);
        Path file = directory.resolve("b.log");
        LogSettings json = new LogSettings("INFO", Format.JSON, file.toString(), 1, 1, Map.of("com.example", "debug"));
        DefaultLogging.apply(context, json, "probe");
        context.getLogger("com.example.App").debug("shown");
        context.getLogger("dev.hearth.probe").debug("not shown");
        DefaultLogging.apply(context, new LogSettings("OFF", Format.TEXT, "", 1, 1, Map.of()), "probe");
        context.getLogger("dev.hearth.probe").error("neither");
        List<String> lines = Files.readAllLines(file);
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).contains("\"formattedMessage\":\"shown\""), lines::toString);
        assertEquals(1, count(context), "the file was replaced by the console");
        context.stop();
    }

    private static int count(LoggerContext context) {
        int count = 0;
        for (var all = context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders(); all.hasNext(); all.next()) {
            count++;
        }
        return count;
    }
}
