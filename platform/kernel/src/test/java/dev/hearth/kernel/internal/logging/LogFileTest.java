package dev.hearth.kernel.internal.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.hearth.kernel.internal.logging.LogSettings.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
                new LogSettings("INFO", Format.TEXT, directory.resolve("a.log").toString(), 1, 1);
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
}
