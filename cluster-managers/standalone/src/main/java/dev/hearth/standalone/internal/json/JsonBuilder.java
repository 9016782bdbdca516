package dev.hearth.standalone.internal.json;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Fields of a JSON object, in order. Their values are JSON already once they are added. Used by one thread. */
public final class JsonBuilder {
    private static final char LAST_CONTROL = 0x1f;

    private final Map<String, String> fields = new LinkedHashMap<>();

    public JsonBuilder text(String name, String value) {
        fields.put(name, quoted(value));
        return this;
    }

    public JsonBuilder number(String name, long value) {
        fields.put(name, Long.toString(value));
        return this;
    }

    public JsonBuilder object(String name, JsonBuilder value) {
        fields.put(name, value.toString());
        return this;
    }

    public JsonBuilder array(String name, Collection<JsonBuilder> values) {
        fields.put(name, values.stream().map(JsonBuilder::toString).toList().toString());
        return this;
    }

    public JsonBuilder texts(String name, Collection<String> values) {
        fields.put(name, values.stream().map(JsonBuilder::quoted).toList().toString());
        return this;
    }

    /** Returns an object with the field {@code name} alone, if there is one. */
    public JsonBuilder only(String name) {
        JsonBuilder one = new JsonBuilder();
        Optional.ofNullable(fields.get(name)).ifPresent(value -> one.fields.put(name, value));
        return one;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        fields.forEach((name, value) -> text.append(text.length() > 1 ? "," : "")
                .append(quoted(name))
                .append(':')
                .append(value));
        return text.append('}').toString();
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next == '"' || next == '\\') {
                json.append('\\').append(next);
            } else if (next <= LAST_CONTROL || Character.isSurrogate(next)) {
                json.append(String.format("\\u%04x", (int) next));
            } else {
                json.append(next);
            }
        }
        return json.append('"').toString();
    }
}
