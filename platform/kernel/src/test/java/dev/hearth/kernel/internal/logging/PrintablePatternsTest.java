package dev.hearth.kernel.internal.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.pattern.CompositeConverter;
import dev.hearth.kernel.internal.logging.LogSettings.Format;
import dev.hearth.spi.error.PrintableText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MarkerFactory;
import org.slf4j.event.KeyValuePair;

/** Text from outside neither ends a line of the log nor controls a terminal, in every layout. */
class PrintablePatternsTest {
    private static final String HOSTILE =
            "x)\r\n2026-11-19 00:00:00.000 ERROR [master] MasterShell: forged \u001b[31mred\u009b\u202e\u2028\u0007";
    private static final List<String> LAYOUT_WORDS = List.of("n", "caller"); // line ends of the layout itself

    @TempDir
    Path directory;

    static Stream<String> words() {
        return new TreeSet<>(PatternLayout.DEFAULT_CONVERTER_SUPPLIER_MAP.keySet())
                .stream()
                        .filter(word -> !LAYOUT_WORDS.contains(word))
                        .filter(word -> !(PatternLayout.DEFAULT_CONVERTER_SUPPLIER_MAP
                                        .get(word)
                                        .get()
                                instanceof CompositeConverter)); // colours around the words in brackets
    }

    @ParameterizedTest
    @MethodSource("words")
    void cleansEveryWordOfAPattern(String word) {
        LoggerContext context = context();
        PatternLayout layout = new PatternLayout();
        layout.setContext(context);
        layout.setPattern("%" + word + "{from}%nopex");
        layout.start();
        String text = layout.doLayout(event(context));
        for (String line : text.split("\n", -1)) {
            assertEquals(PrintableText.line(line), line, word);
        }
        if (text.contains("\n")) {
            text.lines().forEach(line -> assertTrue(line.startsWith("\t"), word + ": " + line));
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void cleansTheLogOfAnInstallation(Format format) throws IOException {
        LoggerContext context = context();
        Path file = directory.resolve("a.log");
        DefaultLogging.apply(context, new LogSettings("INFO", format, file.toString(), 1, 1, Map.of()), "probe");
        context.getLogger("dev.hearth.probe").callAppenders(event(context));
        context.stop();
        check(Files.readString(file));
    }

    @Test
    void cleansTheLogOfAConfigurationFileWithoutAWordForExceptions() throws Exception {
        LoggerContext context = context();
        Path file = directory.resolve("a.log");
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(new ByteArrayInputStream("""
                <configuration>
                  <appender name="F" class="ch.qos.logback.core.FileAppender">
                    <file>%s</file><encoder><pattern>mine %%msg %%X{from}%%n</pattern></encoder>
                  </appender>
                  <appender name="A" class="ch.qos.logback.classic.AsyncAppender"><appender-ref ref="F"/></appender>
                  <root level="WARN"><appender-ref ref="A"/></root>
                </configuration>
                """.formatted(file).getBytes(StandardCharsets.UTF_8)));
        PrintablePatterns.completeLayouts(context);
        context.getLogger("dev.hearth.probe").callAppenders(event(context));
        context.stop();
        String text = Files.readString(file);
        check(text);
        assertTrue(text.startsWith("mine x)??2026"), text);
    }

    private static void check(String text) {
        assertTrue(text.contains("forged") && text.contains("IllegalStateException"), text);
        List<String> lines = text.lines().toList();
        for (int at = 0; at < lines.size(); at++) {
            assertEquals(PrintableText.line(lines.get(at)), lines.get(at));
            assertTrue(at == 0 || lines.get(at).startsWith("\t"), text);
        }
    }

    private static LoggerContext context() {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        PrintablePatterns.register(context);
        return context;
    }

    private static LoggingEvent event(LoggerContext context) {
        Throwable failure = new IllegalStateException(HOSTILE, new IOException(HOSTILE));
        failure.addSuppressed(new IOException(HOSTILE));
        LoggingEvent event = new LoggingEvent(
                PrintablePatternsTest.class.getName(),
                context.getLogger("dev.hearth.probe" + HOSTILE.replace('.', '-')),
                Level.ERROR,
                "{}",
                failure,
                new Object[] {HOSTILE});
        event.setThreadName(HOSTILE);
        event.setMDCPropertyMap(Map.of("from", HOSTILE));
        event.addMarker(MarkerFactory.getDetachedMarker(HOSTILE));
        event.setKeyValuePairs(List.of(new KeyValuePair("key", HOSTILE)));
        return event;
    }
}
