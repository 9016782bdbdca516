package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.hearth.spi.error.PrintableText;
import java.nio.charset.StandardCharsets;

/**
 * Encodes events as logback does, and escapes in addition what {@link PrintableText} replaces: logback leaves C1 and
 * bidirectional controls, and all controls in names of loggers.
 */
final class PrintableJsonEncoder extends JsonEncoder {
    @Override
    public byte[] encode(ILoggingEvent event) {
        String json = new String(super.encode(event), StandardCharsets.UTF_8);
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
}
