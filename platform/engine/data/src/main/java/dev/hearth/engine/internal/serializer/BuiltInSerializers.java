package dev.hearth.engine.internal.serializer;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The forms of the JDK's and our own classes, which are the same for every application. Stateless. */
final class BuiltInSerializers {
    static final TypeSerializer JAVA = new JavaTypeSerializer();

    private static final Map<Class<?>, TypeSerializer> BY_TYPE = byType();
    private static final @Nullable TypeSerializer[] BY_TAG = byTag();

    private BuiltInSerializers() {}

    private static Map<Class<?>, TypeSerializer> byType() {
        Map<Class<?>, TypeSerializer> forms = new HashMap<>();
        ValueSerializers.addTo(forms);
        TimeSerializers.addTo(forms);
        ArraySerializers.addTo(forms);
        CollectionSerializers.addTo(forms);
        return Map.copyOf(forms);
    }

    private static @Nullable TypeSerializer[] byTag() {
        @Nullable TypeSerializer[] forms = new TypeSerializer[TypeTag.CLASS];
        BY_TYPE.values().forEach(form -> forms[form.code()] = form);
        ValueSerializers.further().forEach((tag, form) -> forms[tag] = form);
        forms[TypeTag.JAVA] = JAVA;
        return forms;
    }

    static @Nullable TypeSerializer of(Class<?> type) {
        return BY_TYPE.get(type);
    }

    /** By a tag below {@link TypeTag#CLASS}. */
    static TypeSerializer at(int tag) {
        TypeSerializer form = BY_TAG[tag];
        if (form == null) {
            throw new CorruptRecordException("record: tag " + tag + " (expected: one in use)");
        }
        return form;
    }
}
