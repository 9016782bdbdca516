package dev.hearth.engine.internal.closure;

import dev.hearth.api.Broadcast;
import dev.hearth.api.accumulator.Accumulator;
import java.io.Externalizable;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZoneId;
import java.time.chrono.Chronology;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which objects of one application may be shared by tasks as they are: those that nobody can change, and that could
 * travel as well. In doubt the answer is no, which costs a copy and is never wrong.
 * <p>Enum constants count as unchangeable, though one may have state of its own: it would be shared by all tasks of a process
 * whatever we did. What is known of a class is kept here, and so dies with the application. Safe for use by any thread.
 */
public final class ImmutabilityCheck {
    private static final int DEPTH_MAX = 16; // records in records; deeper ones are copied
    private static final String FUNCTIONS = "dev.hearth.api.function.";
    /** Exactly these; those that are no final classes may have changeable subclasses. */
    private static final Set<Class<?>> VALUES = Set.of(
            Boolean.class,
            Byte.class,
            Character.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            String.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class,
            Broadcast.class,
            Accumulator.class);

    private final Map<Class<?>, Verdict> verdicts = new ConcurrentHashMap<>();

    /** What is known of all instances of a class. {@code fields} are those whose values decide, where they do. */
    private record Verdict(Kind kind, List<Field> fields) {
        static final Verdict ALWAYS = new Verdict(Kind.ALWAYS, List.of());
        static final Verdict NEVER = new Verdict(Kind.NEVER, List.of());
    }

    private enum Kind {
        ALWAYS,
        NEVER,
        /** A record: its components decide. */
        VALUE,
        /** A function object with final fields alone, or a lambda: what it holds decides. */
        FUNCTION
    }

    /** Whether an element, result or record of a shuffle may be shared. */
    public boolean isValue(@Nullable Object object) {
        return object == null
                || object.getClass() == String.class
                || object.getClass() == Integer.class
                || test(object, 0);
    }

    /** Whether that can be said of all instances of a class. */
    public boolean isAlways(Class<?> type) {
        return verdict(type).kind == Kind.ALWAYS;
    }

    /** Whether one instance of a user's function serves all tasks. */
    public boolean isFunction(Object function) {
        return function instanceof Serializable && test(function, 0);
    }

    /** Whether all of them may be shared. */
    public boolean areValues(@Nullable Object[] objects) {
        for (Object object : objects) {
            if (!isValue(object)) {
                return false;
            }
        }
        return true;
    }

    private boolean test(@Nullable Object object, int depth) {
        if (object == null) {
            return true;
        }
        Verdict verdict = verdict(object.getClass());
        return switch (verdict.kind) {
            case ALWAYS -> true;
            case NEVER -> false;
            case VALUE, FUNCTION -> depth < DEPTH_MAX && holdsUnchangeable(object, verdict.fields, depth + 1);
        };
    }

    private boolean holdsUnchangeable(Object object, List<Field> fields, int depth) {
        for (Field field : fields) {
            try {
                if (!test(field.get(object), depth)) {
                    return false;
                }
            } catch (IllegalAccessException closed) { // was opened when the verdict was made; copied all the same
                return false;
            }
        }
        return true;
    }

    private Verdict verdict(Class<?> type) {
        Verdict known = verdicts.get(type);
        if (known == null) {
            known = judge(type);
            verdicts.put(type, known);
        }
        return known;
    }

    private static Verdict judge(Class<?> type) {
        if (VALUES.contains(type) || Enum.class.isAssignableFrom(type) || isTime(type)) {
            return Verdict.ALWAYS;
        }
        if (!Serializable.class.isAssignableFrom(type) || Externalizable.class.isAssignableFrom(type)) {
            return Verdict.NEVER;
        }
        boolean lambda = type.isHidden() && type.isSynthetic();
        if (lambda) {
            return byFields(type, Kind.FUNCTION);
        }
        if ((!type.isRecord() && !isFunction(type)) || hasFormOfItsOwn(type)) {
            return Verdict.NEVER;
        }
        return byFields(type, type.isRecord() ? Kind.VALUE : Kind.FUNCTION);
    }

    /** Whether a field of this type holds nothing that changes, whatever it holds. */
    private static boolean isFinalValue(Class<?> type) {
        return VALUES.contains(type) && Modifier.isFinal(type.getModifiers());
    }

    /** The JDK's own classes of time, all of which are values; never a subclass of the user's. */
    private static boolean isTime(Class<?> type) {
        return type.getClassLoader() == null
                && Serializable.class.isAssignableFrom(type) // what a formatter parses to is a view that cannot travel
                && type.getName().startsWith("java.time.")
                && (TemporalAccessor.class.isAssignableFrom(type)
                        || TemporalAmount.class.isAssignableFrom(type)
                        || ZoneId.class.isAssignableFrom(type)
                        || Chronology.class.isAssignableFrom(type));
    }

    private static boolean isFunction(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> face : at.getInterfaces()) {
                if (face.getName().startsWith(FUNCTIONS) || isFunction(face)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a class says by itself what travels of it: then a copy may differ from the original, and is made always. */
    public static boolean hasFormOfItsOwn(Class<?> type) {
        if (Externalizable.class.isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals("serialPersistentFields")) {
                    return true;
                }
            }
            for (var method : at.getDeclaredMethods()) {
                switch (method.getName()) {
                    case "writeObject", "readObject", "readObjectNoData", "writeReplace", "readResolve" -> {
                        return true;
                    }
                    default -> {}
                }
            }
        }
        return false;
    }

    /** Judged by the fields, up to the top: all must be final and travel; those that do not decide by type decide by value. */
    private static Verdict byFields(Class<?> type, Kind kind) {
        List<Field> deciding = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class && at != Record.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers)) {
                    continue;
                }
                boolean travels = Serializable.class.isAssignableFrom(at) && !Modifier.isTransient(modifiers);
                if (!Modifier.isFinal(modifiers) || !travels) {
                    return Verdict.NEVER;
                }
                if (!field.getType().isPrimitive() && !isFinalValue(field.getType())) {
                    if (field.getType().isArray() || !field.trySetAccessible()) {
                        return Verdict.NEVER;
                    }
                    deciding.add(field);
                }
            }
        }
        return deciding.isEmpty() ? Verdict.ALWAYS : new Verdict(kind, List.copyOf(deciding));
    }
}
