package dev.hearth.engine.internal.closure;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the way from an object that could not be written to what it was in it that could not: the shortest one, through
 * fields, elements, and what lambdas captured. Made for one search and used after a failure alone; bounded.
 */
final class SerializationDebugger {
    private static final int OBJECTS_MAX = 10_000;
    private static final int KEY_CHARS_MAX = 100;
    private static final int ELEMENTS_MAX = 1_000; // of one collection

    private final String culprit;
    private final Queue<Step> open = new ArrayDeque<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable Step found;

    /** An object and how it was come by. */
    private record Step(Object object, @Nullable Step from, String through) {}

    private SerializationDebugger(String culprit) {
        this.culprit = culprit;
    }

    /** The way to an instance of the class named {@code culprit}, such as {@code captured value 2 -> Service.connection}. */
    static Optional<String> path(Object start, String culprit) {
        try {
            return new SerializationDebugger(culprit).search(start);
        } catch (RuntimeException
                | StackOverflowError thrown) { // the user's collections and keys; told is what is known
            return Optional.empty();
        }
    }

    private Optional<String> search(Object start) {
        visit(start, null, "");
        while (found == null && !open.isEmpty()) {
            Step step = open.remove();
            expand(step);
        }
        return Optional.ofNullable(found).map(SerializationDebugger::text).filter(text -> !text.isEmpty());
    }

    private void visit(@Nullable Object object, @Nullable Step from, String through) {
        if (object == null || found != null || seen.size() >= OBJECTS_MAX || !seen.add(object)) {
            return;
        }
        Step step = new Step(object, from, through);
        if (object.getClass().getName().equals(culprit)) {
            found = step;
        } else {
            open.add(step);
        }
    }

    private void expand(Step step) {
        Object object = step.object();
        if (object instanceof Object[] array) {
            for (int i = 0; i < Math.min(array.length, ELEMENTS_MAX); i++) {
                visit(array[i], step, "[" + i + "]");
            }
        } else if (object.getClass().getClassLoader() == null && object instanceof Collection<?> collection) {
            int i = 0;
            for (Object element : collection) {
                if (i < ELEMENTS_MAX) {
                    visit(element, step, "[" + i++ + "]");
                }
            }
        } else if (object.getClass().getClassLoader() == null && object instanceof Map<?, ?> map) {
            int left = ELEMENTS_MAX;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (left-- > 0) {
                    visit(entry.getKey(), step, "[key " + shown(entry.getKey()) + "]");
                    visit(entry.getValue(), step, "[value of " + shown(entry.getKey()) + "]");
                }
            }
        } else {
            expandFields(step);
        }
    }

    private static String shown(@Nullable Object key) {
        String text = String.valueOf(key);
        return text.length() <= KEY_CHARS_MAX ? text : text.substring(0, KEY_CHARS_MAX) + "...";
    }

    private void expandFields(Step step) {
        Class<?> type = step.object().getClass();
        boolean lambda = type.isHidden() && type.isSynthetic();
        int captured = 0;
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers) || Modifier.isTransient(modifiers)) {
                    continue;
                }
                captured++;
                if (!field.getType().isPrimitive() && field.trySetAccessible()) {
                    visit(
                            value(field, step.object()),
                            step,
                            lambda ? "captured value " + captured : name(at) + "." + field.getName());
                }
            }
        }
    }

    private static @Nullable Object value(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException closed) { // then the way leads elsewhere or stays unknown
            return null;
        }
    }

    /** The name of a class as its own source says it. */
    private static String name(Class<?> type) {
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String text(Step last) {
        StringBuilder text = new StringBuilder();
        for (Step step = last; step.from() != null; step = step.from()) {
            String before = step.through().startsWith("[") || step.from().from() == null ? "" : " -> ";
            text.insert(0, before + step.through());
        }
        return text.toString();
    }
}
