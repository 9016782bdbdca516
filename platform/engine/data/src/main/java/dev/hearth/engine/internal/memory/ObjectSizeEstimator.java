package dev.hearth.engine.internal.memory;

import dev.hearth.api.Broadcast;
import dev.hearth.api.accumulator.Accumulator;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the deep heap size of one application's objects. Reads the fields of user classes by reflection. JDK
 * classes, which are closed to reflection, follow {@link JdkSizeRules}. Objects that exist once per process count as 0:
 * classes, loaders, threads, enum constants, cached boxes, broadcasts and accumulators. The rules per class are cached
 * here, and are freed with the application. Any thread may call.
 */
public final class ObjectSizeEstimator {
    private static final SizeRule NOTHING = (object, walk) -> 0;
    private static final List<Class<?>> SHARED = List.of(
            Enum.class,
            Class.class,
            ClassLoader.class,
            Thread.class,
            ThreadGroup.class,
            Module.class,
            Charset.class,
            Locale.class,
            ZoneId.class,
            Broadcast.class,
            Accumulator.class);

    private final ObjectLayout layout;
    private final JdkSizeRules jdk;
    private final Map<Class<?>, SizeRule> rules = new ConcurrentHashMap<>();

    public ObjectSizeEstimator() {
        this(ObjectLayout.ofThisProcess());
    }

    ObjectSizeEstimator(ObjectLayout layout) {
        this.layout = layout;
        this.jdk = new JdkSizeRules(layout);
    }

    /**
     * Deep size of an object in bytes. It is exact unless the object has long arrays or collections, which
     * {@link ObjectGraphWalk} samples.
     */
    public long sizeOf(@Nullable Object object) {
        return Math.round(walk().add(object));
    }

    /** Creates a traversal for one or more objects; what these objects share is counted once. */
    ObjectGraphWalk walk() {
        return new ObjectGraphWalk(this);
    }

    SizeRule rule(Class<?> type) {
        SizeRule known = rules.get(type);
        if (known == null) {
            known = make(type);
            rules.put(type, known);
        }
        return known;
    }

    private SizeRule make(Class<?> type) {
        if (type.isArray()) {
            return arrayRule(type.getComponentType());
        }
        if (SHARED.stream().anyMatch(shared -> shared.isAssignableFrom(type))) {
            return NOTHING;
        }
        if (Proxy.isProxyClass(type)) {
            long bytes = layout.object(type);
            return (object, walk) -> {
                walk.push(Proxy.getInvocationHandler(object));
                return bytes;
            };
        }
        Class<?> closed = type;
        while (!closed.getModule().isNamed()) {
            closed = closed.getSuperclass();
        }
        SizeRule inner = jdk.rule(closed);
        return closed == type ? inner : ownRule(type, closed, inner);
    }

    private SizeRule arrayRule(Class<?> element) {
        int bytes = layout.bytes(element);
        if (!element.isPrimitive()) {
            return (array, walk) -> {
                Object[] elements = (Object[]) array;
                walk.pushElements(elements);
                return layout.references(elements.length);
            };
        }
        return (array, walk) -> layout.array(Array.getLength(array), bytes);
    }

    /**
     * Creates the rule for a user class {@code type}. It adds the fields of the user's classes to {@code inner}, the
     * rule of the nearest JDK superclass {@code closed}.
     */
    private SizeRule ownRule(Class<?> type, Class<?> closed, SizeRule inner) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> each = type; each != closed; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive() && opens(field)) {
                    fields.add(field);
                }
            }
        }
        Field[] references = fields.toArray(new Field[0]);
        long more = layout.object(type) - layout.object(closed);
        return (object, walk) -> {
            for (Field field : references) {
                try {
                    walk.push(field.get(object));
                } catch (IllegalAccessException impossible) { // setAccessible succeeded above
                    throw new IllegalStateException(impossible);
                }
            }
            return more + inner.visit(object, walk);
        };
    }

    private static boolean opens(Field field) {
        try {
            field.setAccessible(true);
            return true;
        } catch (InaccessibleObjectException closed) {
            // the field is not readable, so the object to which it refers is not counted
            return false;
        }
    }
}
