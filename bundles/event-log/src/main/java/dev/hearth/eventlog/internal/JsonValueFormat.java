package dev.hearth.eventlog.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.hearth.spi.settings.Secrets;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes and reads one component of a record. There is one implementation for each supported type of component. Other
 * types are rejected when the format is created.
 */
sealed interface JsonValueFormat {
    void write(Object value, JsonGenerator out) throws IOException;

    /** Reads the value at the current token of the JSON parser. */
    Object read(JsonParser in) throws IOException;

    /** Returns the default value for a component that is missing in the log. */
    Object absent();

    static JsonValueFormat of(Type type) {
        if (type == String.class) {
            return new Text();
        } else if (type == long.class || type == int.class || type == Integer.class) {
            return new Whole(type == long.class);
        } else if (type == double.class) {
            return new Fraction();
        } else if (type == boolean.class) {
            return new Flag();
        } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return new Many(of(list.getActualTypeArguments()[0]));
        } else if (type instanceof ParameterizedType map
                && map.getRawType() == Map.class
                && map.getActualTypeArguments()[0] == String.class
                && map.getActualTypeArguments()[1] == String.class) {
            return new Named();
        } else if (type instanceof Class<?> constants && constants.isEnum()) {
            return new Constant(constants);
        } else if (type instanceof Class<?> record && record.isRecord()) {
            return new Nested(new JsonRecordFormat(record));
        }
        throw new IllegalArgumentException(
                "Java record component of type " + type + ": cannot be written to an event log (expected: a text, int,"
                        + " long, double, boolean, enum or record, a list of these, or a map of texts)");
    }

    /** String. */
    record Text() implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeString((String) value);
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            return in.getText();
        }

        @Override
        public Object absent() {
            return "";
        }
    }

    /** Integer or long. */
    record Whole(boolean wide) implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeNumber(((Number) value).longValue());
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            return wide ? (Object) in.getLongValue() : (Object) in.getIntValue();
        }

        @Override
        public Object absent() {
            return wide ? (Object) 0L : (Object) 0;
        }
    }

    /** Double. */
    record Fraction() implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeNumber((Double) value);
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            return in.getDoubleValue();
        }

        @Override
        public Object absent() {
            return 0.0;
        }
    }

    /** Boolean. */
    record Flag() implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeBoolean((Boolean) value);
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            return in.getBooleanValue();
        }

        @Override
        public Object absent() {
            return false;
        }
    }

    /** Format of the constants of the enum {@code type}, which are written and read by name. */
    record Constant(Class<?> type) implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeString(((Enum<?>) value).name());
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            String name = in.getText();
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(name)) {
                    return constant;
                }
            }
            throw new UnknownConstant(type.getSimpleName() + " " + name);
        }

        @Override
        public Object absent() {
            return type.getEnumConstants()[0];
        }
    }

    /** List. */
    record Many(JsonValueFormat each) implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeStartArray();
            for (Object element : (List<?>) value) {
                each.write(element, out);
            }
            out.writeEndArray();
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            List<Object> elements = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                elements.add(each.read(in));
            }
            return elements;
        }

        @Override
        public Object absent() {
            return List.of();
        }
    }

    /** Format of a map from names to strings, sorted by name. The values of settings that hold secrets are replaced. */
    record Named() implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : new TreeMap<>((Map<?, ?>) value).entrySet()) {
                String name = (String) entry.getKey();
                out.writeStringField(name, Secrets.shown(name, (String) entry.getValue()));
            }
            out.writeEndObject();
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            Map<String, String> values = new LinkedHashMap<>();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                in.nextToken();
                values.put(name, in.getText());
            }
            return values;
        }

        @Override
        public Object absent() {
            return Map.of();
        }
    }

    /** Nested record. */
    record Nested(JsonRecordFormat shape) implements JsonValueFormat {
        @Override
        public void write(Object value, JsonGenerator out) throws IOException {
            out.writeStartObject();
            shape.writeFields(value, out);
            out.writeEndObject();
        }

        @Override
        public Object read(JsonParser in) throws IOException {
            return shape.readFields(in);
        }

        @Override
        public Object absent() {
            return shape.absent();
        }
    }

    /** Thrown when the reader finds an enum constant that only a newer release knows. */
    final class UnknownConstant extends IOException {
        private static final long serialVersionUID = 1L;

        UnknownConstant(String message) {
            super(message);
        }
    }
}
