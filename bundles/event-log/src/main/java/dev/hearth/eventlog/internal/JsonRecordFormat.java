package dev.hearth.eventlog.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes and reads a record as a JSON object with one field per component. Immutable.
 * <p>Unknown fields are skipped, and missing fields get a default, because the reader may be older or newer than the
 * writer.
 */
final class JsonRecordFormat {
    private final RecordComponent[] components;
    private final JsonValueFormat[] shapes;
    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final Constructor<?> constructor;

    JsonRecordFormat(Class<?> type) {
        this.components = type.getRecordComponents();
        this.shapes = Arrays.stream(components)
                .map(component -> JsonValueFormat.of(component.getGenericType()))
                .toArray(JsonValueFormat[]::new);
        for (int index = 0; index < components.length; index++) {
            indexes.put(components[index].getName(), index);
        }
        try {
            this.constructor = type.getConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException impossible) { // impossible: a public record has a public canonical constructor
            throw new IllegalArgumentException(type + " (expected: a public record)", impossible);
        }
    }

    /** Writes the fields of {@code value} into a JSON object that the caller has begun. */
    void writeFields(Object value, JsonGenerator out) throws IOException {
        for (int index = 0; index < components.length; index++) {
            out.writeFieldName(components[index].getName());
            try {
                shapes[index].write(components[index].getAccessor().invoke(value), out);
            } catch (ReflectiveOperationException impossible) {
                // impossible: the accessors of a public record are public and do not fail
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** Reads fields up to the end of the current object. */
    Object readFields(JsonParser in) throws IOException {
        Object[] values = absentValues();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            Integer index = indexes.get(in.currentName());
            in.nextToken();
            if (index == null) {
                in.skipChildren();
            } else {
                values[index] = shapes[index].read(in);
            }
        }
        return make(values);
    }

    /**
     * Creates the default value for a component of this record type that is missing in the event log. Each component of
     * the created record has the default value of its type.
     */
    Object absent() {
        return make(absentValues());
    }

    private Object[] absentValues() {
        return Arrays.stream(shapes).map(JsonValueFormat::absent).toArray();
    }

    private Object make(Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException impossible) {
            // impossible: constructors of event records only copy their arguments
            throw new IllegalStateException(impossible);
        }
    }
}
