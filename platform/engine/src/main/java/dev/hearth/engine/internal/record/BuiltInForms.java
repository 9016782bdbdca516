package dev.hearth.engine.internal.record;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The forms of the JDK's and our own classes, which are the same for every application. Stateless. */
final class BuiltInForms {
    static final Form JAVA = new JavaForm();

    private static final Map<Class<?>, Form> BY_TYPE = byType();
    private static final @Nullable Form[] BY_TAG = byTag();

    private BuiltInForms() {}

    private static Map<Class<?>, Form> byType() {
        Map<Class<?>, Form> forms = new HashMap<>();
        ValueForms.addTo(forms);
        TimeForms.addTo(forms);
        ArrayForms.addTo(forms);
        CollectionForms.addTo(forms);
        return Map.copyOf(forms);
    }

    private static @Nullable Form[] byTag() {
        @Nullable Form[] forms = new Form[Tag.CLASS];
        BY_TYPE.values().forEach(form -> forms[form.code()] = form);
        ValueForms.further().forEach((tag, form) -> forms[tag] = form);
        forms[Tag.JAVA] = JAVA;
        return forms;
    }

    static @Nullable Form of(Class<?> type) {
        return BY_TYPE.get(type);
    }

    /** By a tag below {@link Tag#CLASS}. */
    static Form at(int tag) {
        Form form = BY_TAG[tag];
        if (form == null) {
            throw new DamagedRecord("record: tag " + tag + " (expected: one in use)");
        }
        return form;
    }
}
