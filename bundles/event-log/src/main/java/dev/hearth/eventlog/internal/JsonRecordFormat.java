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
 * How one type of record is written as a JSON object and read again: a field per component, by its name. Immutable.
 * <p>Fields that are not known are passed over, and those that are missing are empty: logs outlive releases.
 */
final class JsonRecordFormat {
    private final RecordComponent[] components;
    private final JsonValueFormat[] shapes;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final Constructor<?> constructor;

    JsonRecordFormat(Class<?> type) {
        this.components = type.getRecordComponents();
        this.shapes = Arrays.stream(components)
                .map(component -> JsonValueFormat.of(component.getGenericType()))
                .toArray(JsonValueFormat[]::new);
        for (int place = 0; place < components.length; place++) {
            places.put(components[place].getName(), place);
        }
        try {
            this.constructor = type.getConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException impossible) { // public records have it
            throw new IllegalArgumentException(type + " (expected: a public record)", impossible);
        }
    }

    /** Writes the fields of {@code value}, within an object that was begun. */
    void writeFields(Object value, JsonGenerator out) throws IOException {
        for (int place = 0; place < components.length; place++) {
            out.writeFieldName(components[place].getName());
            try {
                shapes[place].write(components[place].getAccessor().invoke(value), out);
            } catch (ReflectiveOperationException impossible) { // accessors of public records
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** Reads fields up to the end of the object that {@code in} is in. */
    Object readFields(JsonParser in) throws IOException {
        Object[] values = absentValues();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            Integer place = places.get(in.currentName());
            in.nextToken();
            if (place == null) {
                in.skipChildren();
            } else {
                values[place] = shapes[place].read(in);
            }
        }
        return make(values);
    }

    /** A record of which nothing is known. */
    Object absent() {
        return make(absentValues());
    }

    private Object[] absentValues() {
        return Arrays.stream(shapes).map(JsonValueFormat::absent).toArray();
    }

    private Object make(Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException impossible) { // records of events only copy what they are given
            throw new IllegalStateException(impossible);
        }
    }
}
