package dev.hearth.shell.gogo.answer;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON with ASCII characters only, because every terminal and pipe preserves these. Stateless. */
final class AsciiJson {
    private static final char LAST_ASCII = 0x7e;

    private AsciiJson() {}

    static String quote(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int at = 0; at < text.length(); at++) {
            char next = text.charAt(at);
            switch (next) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                default -> {
                    if (next < ' ' || next > LAST_ASCII) {
                        json.append(String.format("\\u%04x", (int) next));
                    } else {
                        json.append(next);
                    }
                }
            }
        }
        return json.append('"').toString();
    }

    static String array(List<String> values) {
        return "[" + String.join(",", values) + "]";
    }

    /** Writes a JSON object. Each element of {@code values} must already be JSON. */
    static String object(Map<String, String> values) {
        return values.entrySet().stream()
                .map(entry -> quote(entry.getKey()) + ":" + entry.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
