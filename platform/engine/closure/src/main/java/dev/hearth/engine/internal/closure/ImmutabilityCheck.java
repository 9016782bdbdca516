package dev.hearth.engine.internal.closure;

import dev.hearth.api.Broadcast;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleAccumulator;
import dev.hearth.api.accumulator.LongAccumulator;
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
 * Decides which objects of one application may be shared by tasks without a copy: those that are deeply immutable and
 * serialisable. In doubt the answer is no, which costs a copy but is always safe.
 * <p>Enum constants count as immutable, even with mutable state, because a process has only one instance of each.
 * Decisions are cached by class in this object, so that the classes are unloaded with the application. Thread-safe.
 */
public final class ImmutabilityCheck {
    private static final int DEPTH_MAX = 16; // records nested deeper than this are copied
    private static final String FUNCTIONS = "dev.hearth.api.function.";
    /** Classes whose instances count as immutable. Instances of subclasses do not, because they may be mutable. */
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
            Accumulator.class,
            LongAccumulator.class,
            DoubleAccumulator.class);

    private final Map<Class<?>, Verdict> verdicts = new ConcurrentHashMap<>();

    /**
     * Decision about the immutability of a class's instances: always, never, or only if the values of {@code fields} in
     * the instance are immutable.
     */
    private record Verdict(Kind kind, List<Field> fields) {
        static final Verdict ALWAYS = new Verdict(Kind.ALWAYS, List.of());
        static final Verdict NEVER = new Verdict(Kind.NEVER, List.of());
    }

    private enum Kind {
        ALWAYS,
        NEVER,
        /** A Java record, whose instances are immutable if the values of their components are. */
        VALUE,
        /**
         * A lambda, or a function object with final fields only: immutable if the values of all its fields are
         * immutable.
         */
        FUNCTION
    }

    /**
     * Whether tasks may share {@code object} without a copy, because it is immutable. The object is an element, a
     * result or a shuffle record.
     */
    public boolean isValue(@Nullable Object object) {
        return object == null
                || object.getClass() == String.class
                || object.getClass() == Integer.class
                || test(object, 0);
    }

    /** Whether tasks may share all instances of {@code type}, whatever the values of their fields. */
    public boolean isAlways(Class<?> type) {
        return verdict(type).kind == Kind.ALWAYS;
    }

    /** Whether all tasks may share one instance of a user's function, because it is serialisable and immutable. */
    public boolean isFunction(Object function) {
        return function instanceof Serializable && test(function, 0);
    }

    /** Whether {@link #isValue} holds for each of {@code objects}: tasks may share them without copies. */
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
                // not expected: the field was accessible when the class was examined; a copy is always safe
            } catch (IllegalAccessException closed) {
                return false;
            }
        }
        return true;
    }

    private Verdict verdict(Class<?> type) {
        Verdict known = verdicts.get(type);
        if (known == null) {
            known = examine(type);
            verdicts.put(type, known);
        }
        return known;
    }

    private static Verdict examine(Class<?> type) {
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

    /**
     * Whether every possible value of a field of this type is immutable, because {@code type} is a final class of
     * {@link #VALUES}.
     */
    private static boolean isFinalValue(Class<?> type) {
        return VALUES.contains(type) && Modifier.isFinal(type.getModifiers());
    }

    /**
     * Whether {@code type} is one of the immutable value classes of the JDK package {@code java.time}. Subclasses by
     * users are excluded.
     */
    private static boolean isTime(Class<?> type) {
        return type.getClassLoader() == null
                // excludes the parse result of a formatter, which is not serialisable
                && Serializable.class.isAssignableFrom(type)
                && type.getName().startsWith("java.time.")
                && (TemporalAccessor.class.isAssignableFrom(type)
                        || TemporalAmount.class.isAssignableFrom(type)
                        || ZoneId.class.isAssignableFrom(type)
                        || Chronology.class.isAssignableFrom(type));
    }

    private static boolean isFunction(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> implemented : at.getInterfaces()) {
                if (implemented.getName().startsWith(FUNCTIONS) || isFunction(implemented)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether a class customises its serialised form. A deserialised copy may then differ from the original. Objects of
     * the class are therefore always copied, so that all tasks see the same.
     */
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

    /**
     * Examines the fields of a class and of all its superclasses: each field must be final and serialised. If the type
     * of a field may be mutable, its value is checked in each instance.
     */
    private static Verdict byFields(Class<?> type, Kind kind) {
        List<Field> checkedByValue = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class && at != Record.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers)) {
                    continue;
                }
                boolean serialised = Serializable.class.isAssignableFrom(at) && !Modifier.isTransient(modifiers);
                if (!Modifier.isFinal(modifiers) || !serialised) {
                    return Verdict.NEVER;
                }
                if (!field.getType().isPrimitive() && !isFinalValue(field.getType())) {
                    if (field.getType().isArray() || !field.trySetAccessible()) {
                        return Verdict.NEVER;
                    }
                    checkedByValue.add(field);
                }
            }
        }
        return checkedByValue.isEmpty() ? Verdict.ALWAYS : new Verdict(kind, List.copyOf(checkedByValue));
    }
}
