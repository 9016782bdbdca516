package dev.hearth.kernel.internal.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Log events as JSON: times, slashes and context values. */
class PrintableJsonEncoderTest {
    private static final long MILLIS = 1_795_070_266_687L;

    @Test
    void writesTheTimeAsTextAndSlashesAsTheyAre() {
        String json = json("at hearth://h:1 \\/ \"x\" {\"mdc\": {}}", Map.of());
        String time = json.substring("{\"timestamp\":\"".length(), json.indexOf("\",\"level\""));
        assertEquals(MILLIS, OffsetDateTime.parse(time).toInstant().toEpochMilli());
        assertTrue(json.contains("\"at hearth://h:1 \\\\/ \\\"x\\\" {\\\"mdc\\\": {}}\""), json);
        assertEquals(json.indexOf("mdc"), json.lastIndexOf("mdc"), json);
    }

    @Test
    void writesContextValuesIfThereAreAny() {
        assertTrue(json("x", Map.of("a", "b")).contains("\"mdc\": {\"a\":\"b\"}"), () -> json("x", Map.of("a", "b")));
    }

    private static String json(String message, Map<String, String> values) {
        LoggerContext context = new LoggerContext();
        PrintableJsonEncoder encoder = new PrintableJsonEncoder();
        encoder.setContext(context);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.start();
        LoggingEvent event = new LoggingEvent("", context.getLogger("x"), Level.INFO, message, null, null);
        event.setTimeStamp(MILLIS);
        event.setMDCPropertyMap(values);
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
