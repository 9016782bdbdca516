package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.hearth.spi.error.PrintableText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Encodes events as logback does, with these differences: the time is a text of ISO 8601 with its zone, slashes are not
 * escaped, and there is no empty object of context values. Escapes in addition what {@link PrintableText} replaces:
 * logback leaves C1 and bidirectional controls, and all controls in names of loggers.
 */
final class PrintableJsonEncoder extends JsonEncoder {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);
    private static final String TIMESTAMP = "\"timestamp\":";
    private static final String NO_VALUES = ",\"mdc\": {}";

    @Override
    public byte[] encode(ILoggingEvent event) {
        String json = plain(event, new String(super.encode(event), StandardCharsets.UTF_8));
        StringBuilder escaped = new StringBuilder(json.length());
        for (int at = 0; at < json.length(); at++) {
            char c = json.charAt(at);
            boolean isEnd = c == '\n' && at + 1 == json.length();
            if (isEnd || PrintableText.isPrintable(json, at)) {
                escaped.append(c);
            } else {
                escaped.append(String.format("\\u%04x", (int) c));
            }
        }
        return escaped.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String plain(ILoggingEvent event, String json) {
        String time = TIME.format(Instant.ofEpochMilli(event.getTimeStamp()).atZone(ZoneId.systemDefault()));
        String timed = json.replaceFirst(TIMESTAMP + "\\d+", TIMESTAMP + '"' + time + '"');
        String valued = event.getMDCPropertyMap().isEmpty() ? withoutEmptyValues(timed) : timed;
        return withoutEscapedSlashes(valued);
    }

    private static String withoutEmptyValues(String json) {
        int at = json.indexOf(NO_VALUES);
        return at < 0 ? json : json.substring(0, at) + json.substring(at + NO_VALUES.length());
    }

    /** Replaces an escaped slash by a slash; an escaped backslash before a slash stays. */
    private static String withoutEscapedSlashes(String json) {
        StringBuilder text = new StringBuilder(json.length());
        for (int at = 0; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c == '\\' && at + 1 < json.length()) {
                char next = json.charAt(++at);
                text.append(next == '/' ? "" : c).append(next);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
