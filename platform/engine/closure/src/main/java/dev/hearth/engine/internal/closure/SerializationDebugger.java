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
 * Finds the shortest reference path from an object to the instance in it that cannot be serialised, like Spark's
 * SerializationDebugger. Searches breadth-first through fields, elements and captured values of lambdas. Used once,
 * only after a failure; the number of searched objects is limited.
 */
final class SerializationDebugger {
    private static final int OBJECTS_MAX = 10_000;
    private static final int KEY_CHARS_MAX = 100;
    private static final int ELEMENTS_MAX = 1_000; // elements searched per collection

    private final String culprit;
    private final Queue<Step> queue = new ArrayDeque<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable Step found;

    /**
     * One object on a reference path, with its predecessor on the path and the name of the reference from the
     * predecessor. The predecessor is null at the start.
     */
    private record Step(Object object, @Nullable Step predecessor, String reference) {}

    private SerializationDebugger(String culprit) {
        this.culprit = culprit;
    }

    /** An object that cannot be serialised, and the path to it, such as {@code captured value 2 -> Service.connection}. */
    record Found(String path, Object object) {}

    /** Searches an instance of the class {@code culprit} in the object {@code start}. */
    static Optional<Found> find(Object start, String culprit) {
        try {
            return new SerializationDebugger(culprit).search(start);
        } catch (RuntimeException | StackOverflowError thrown) { // from user code in collections and keys: no path
            return Optional.empty();
        }
    }

    private Optional<Found> search(Object start) {
        visit(start, null, "");
        while (found == null && !queue.isEmpty()) {
            Step step = queue.remove();
            expand(step);
        }
        return Optional.ofNullable(found)
                .map(step -> new Found(text(step), step.object()))
                .filter(at -> !at.path().isEmpty());
    }

    private void visit(@Nullable Object object, @Nullable Step predecessor, String reference) {
        if (object == null || found != null || seen.size() >= OBJECTS_MAX || !seen.add(object)) {
            return;
        }
        Step step = new Step(object, predecessor, reference);
        if (object.getClass().getName().equals(culprit)) {
            found = step;
        } else {
            queue.add(step);
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
                    visit(entry.getKey(), step, "[key " + abbreviated(entry.getKey()) + "]");
                    visit(entry.getValue(), step, "[value of " + abbreviated(entry.getKey()) + "]");
                }
            }
        } else {
            expandFields(step);
        }
    }

    private static String abbreviated(@Nullable Object key) {
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
        } catch (IllegalAccessException closed) { // a path through this field stays unknown
            return null;
        }
    }

    /** Name of a class without its package, for the reference path in an error. */
    private static String name(Class<?> type) {
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String text(Step last) {
        StringBuilder text = new StringBuilder();
        for (Step step = last; step.predecessor() != null; step = step.predecessor()) {
            String before =
                    step.reference().startsWith("[") || step.predecessor().predecessor() == null ? "" : " -> ";
            text.insert(0, before + step.reference());
        }
        return text.toString();
    }
}
