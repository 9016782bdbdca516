package dev.hearth.rpc.internal.http;

import java.util.Collection;
import java.util.stream.Collectors;

/** Formats JSON strings and lists of strings. Stateless. */
final class JsonText {
    private static final String ESCAPED = "\"\\<>&\u2028\u2029";

    private JsonText() {}

    static String quoted(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || ESCAPED.indexOf(c) >= 0 || Character.isSurrogate(c)) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    static String list(Collection<String> texts) {
        return texts.stream().map(JsonText::quoted).collect(Collectors.joining(",", "[", "]"));
    }
}
