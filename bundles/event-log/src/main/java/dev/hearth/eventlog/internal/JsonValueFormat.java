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

/** How a component of a record is written and read. Closed: what none of them fits is refused when the shape is made. */
sealed interface JsonValueFormat {
    void write(Object value, JsonGenerator out) throws IOException;

    /** Reads the value that {@code in} is at. */
    Object read(JsonParser in) throws IOException;

    /** What stands for a value that an older log does not have. */
    Object absent();

    static JsonValueFormat of(Type type) {
        if (type == String.class) {
            return new Text();
        } else if (type == long.class || type == int.class || type == Integer.class) {
            return new Whole(type == long.class);
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
                "component of type " + type + " (expected: one that is written to event logs)");
    }

    /** A text. */
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

    /** A whole number. */
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

    /** True or false. */
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

    /** A constant, by its name. */
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

    /** Values one after the other. */
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

    /** Texts by name, sorted; secrets are hidden, whoever brought them here. */
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

    /** Another record. */
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

    /** A constant that a later release has. */
    final class UnknownConstant extends IOException {
        private static final long serialVersionUID = 1L;

        UnknownConstant(String message) {
            super(message);
        }
    }
}
