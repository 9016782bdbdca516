package dev.hearth.engine.internal.memory;

import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Rules for the heap size of JDK classes, whose fields are closed to reflection. The rules use the public API and
 * knowledge of how the JDK allocates. If a collection does not show its capacity, its elements are assumed to have been
 * added one at a time. A class without a rule counts with its shallow size; a collection also counts its elements.
 * Immutable.
 */
final class JdkSizeRules {
    private static final int LIST_CAPACITY_MIN = 10;
    private static final int TABLE_CAPACITY_MIN = 16;
    private static final int CHARS_SCANNED_MAX = 4096; // scanned to choose between one and two bytes per character
    private static final Class<?> COPIES = Collections.nCopies(1, "").getClass();
    /** Classes that hold their elements in their own fields and not in an array. */
    private static final Set<Class<?>> FLAT = Set.of(
            List.of("").getClass(),
            Set.of("").getClass(),
            Map.of("", "").getClass(),
            Collections.singleton("").getClass(),
            Collections.singletonList("").getClass(),
            Collections.singletonMap("", "").getClass(),
            COPIES);

    private final ObjectLayout layout;
    private final Map<Class<?>, SizeRule> rules = new HashMap<>(); // only looked up, never iterated over

    JdkSizeRules(ObjectLayout layout) {
        this.layout = layout;
        addTexts();
        addBoxes();
        addNumbers();
        addTimes();
        addHolders();
        addLists();
        addTables();
    }

    SizeRule rule(Class<?> type) {
        SizeRule exact = rules.get(type);
        if (exact != null) {
            return exact;
        }
        long bytes = layout.object(type);
        if (FLAT.contains(type)) {
            return guarded(bytes, (object, walk) -> {
                pushFlat(object, walk);
                return bytes;
            });
        }
        if (Collection.class.isAssignableFrom(type) && !isAbstract(type)) {
            return listRule(bytes, size -> size);
        }
        if (Map.class.isAssignableFrom(type) && !isAbstract(type)) {
            return mapRule(bytes, node(0), true);
        }
        if (Map.Entry.class.isAssignableFrom(type)) {
            return (object, walk) -> {
                Map.Entry<?, ?> entry = (Map.Entry<?, ?>) object;
                walk.push(entry.getKey());
                walk.push(entry.getValue());
                return bytes;
            };
        }
        return (object, walk) -> bytes;
    }

    private static boolean isAbstract(Class<?> type) {
        return Modifier.isAbstract(type.getModifiers());
    }

    private static void pushFlat(Object object, ObjectGraphWalk walk) {
        if (object instanceof Map<?, ?> map) {
            walk.pushEntries(map);
        } else if (object.getClass() == COPIES) {
            List<?> copies = (List<?>) object;
            walk.push(copies.isEmpty() ? null : copies.get(0));
        } else {
            walk.pushElements((Collection<?>) object);
        }
    }

    /**
     * Returns a rule that applies {@code rule}. If {@code rule} throws, for example at a user's subclass or during a
     * concurrent change, the returned rule returns {@code bytes}, the shallow size.
     */
    private static SizeRule guarded(long bytes, SizeRule rule) {
        return (object, walk) -> {
            try {
                return rule.visit(object, walk);
            } catch (RuntimeException unable) { // return the shallow size, because an estimate must not fail the task
                return bytes;
            }
        };
    }

    private void addTexts() {
        long text = layout.object(String.class);
        rules.put(String.class, (object, walk) -> text + characters((String) object, ((String) object).length()));
        long builder = layout.object(StringBuilder.class);
        rules.put(StringBuilder.class, (object, walk) -> {
            StringBuilder built = (StringBuilder) object;
            return builder + characters(built, built.capacity());
        });
    }

    private long characters(CharSequence text, int capacity) {
        int scanned = Math.min(text.length(), CHARS_SCANNED_MAX);
        for (int i = 0; i < scanned; i++) {
            if (text.charAt(i) > 0xFF) {
                return layout.array(capacity, Character.BYTES);
            }
        }
        return layout.array(capacity, Byte.BYTES);
    }

    /**
     * Adds rules for boxes such as {@code Integer}. Boxes that the JDK caches count as 0, because they exist once per
     * process.
     */
    private void addBoxes() {
        rules.put(Boolean.class, (object, walk) -> 0);
        rules.put(Byte.class, (object, walk) -> 0);
        long shorts = layout.object(Short.class);
        rules.put(Short.class, (object, walk) -> isCached((Short) object) ? 0 : shorts);
        long ints = layout.object(Integer.class);
        rules.put(Integer.class, (object, walk) -> isCached((Integer) object) ? 0 : ints);
        long longs = layout.object(Long.class);
        rules.put(Long.class, (object, walk) -> isCached((Long) object) ? 0 : longs);
        long chars = layout.object(Character.class);
        rules.put(Character.class, (object, walk) -> (Character) object <= Byte.MAX_VALUE ? 0 : chars);
    }

    private static boolean isCached(long number) {
        return number >= Byte.MIN_VALUE && number <= Byte.MAX_VALUE;
    }

    private void addNumbers() {
        long integer = layout.object(BigInteger.class);
        rules.put(BigInteger.class, (object, walk) -> integer + magnitude((BigInteger) object));
        long decimal = layout.object(BigDecimal.class);
        rules.put(BigDecimal.class, (object, walk) -> {
            BigDecimal value = (BigDecimal) object;
            BigInteger unscaled = value.unscaledValue();
            return decimal + (unscaled.bitLength() < Long.SIZE ? 0 : integer + magnitude(unscaled));
        });
        long bits = layout.object(BitSet.class);
        rules.put(
                BitSet.class, (object, walk) -> bits + layout.array(((BitSet) object).size() / Long.SIZE, Long.BYTES));
    }

    private long magnitude(BigInteger value) {
        return layout.array((value.abs().bitLength() + Integer.SIZE - 1) / Integer.SIZE, Integer.BYTES);
    }

    private void addTimes() {
        long time = layout.object(LocalTime.class);
        long dateTime = layout.object(LocalDateTime.class) + layout.object(LocalDate.class) + time;
        rules.put(LocalDateTime.class, (object, walk) -> dateTime);
        long zoned = layout.object(ZonedDateTime.class) + dateTime;
        rules.put(ZonedDateTime.class, (object, walk) -> zoned);
        long offset = layout.object(OffsetDateTime.class) + dateTime;
        rules.put(OffsetDateTime.class, (object, walk) -> offset);
        long offsetTime = layout.object(OffsetTime.class) + time;
        rules.put(OffsetTime.class, (object, walk) -> offsetTime);
    }

    private void addHolders() {
        long optional = layout.object(Optional.class);
        rules.put(Optional.class, (object, walk) -> {
            ((Optional<?>) object).ifPresent(walk::push);
            return optional;
        });
        long reference = layout.object(AtomicReference.class);
        rules.put(AtomicReference.class, (object, walk) -> {
            walk.push(((AtomicReference<?>) object).get());
            return reference;
        });
        Class<?> heapBuffer = ByteBuffer.allocate(0).getClass();
        long buffer = layout.object(heapBuffer);
        rules.put(heapBuffer, (object, walk) -> buffer + layout.array(((ByteBuffer) object).capacity(), Byte.BYTES));
    }

    @FunctionalInterface
    private interface Capacity {
        long of(int size);
    }

    private SizeRule listRule(long bytes, Capacity capacity) {
        return guarded(bytes, (object, walk) -> {
            Collection<?> elements = (Collection<?>) object;
            walk.pushElements(elements);
            long slots = capacity.of(elements.size());
            return slots == 0 ? bytes : bytes + layout.references(slots);
        });
    }

    private void addLists() {
        rules.put(ArrayList.class, listRule(layout.object(ArrayList.class), JdkSizeRules::grown));
        rules.put(PriorityQueue.class, listRule(layout.object(PriorityQueue.class), JdkSizeRules::grown));
        rules.put(ArrayDeque.class, listRule(layout.object(ArrayDeque.class), size -> Math.max(17, size * 5L / 4)));
        long vector = layout.object(Vector.class);
        rules.put(Vector.class, guarded(vector, (object, walk) -> {
            walk.pushElements((Vector<?>) object);
            return vector + layout.references(((Vector<?>) object).capacity());
        }));
        rules.put(LinkedList.class, nodesRule(layout.object(LinkedList.class), layout.object(3L * layout.reference())));
    }

    /** The length of the array of an ArrayList to which {@code size} elements were added one at a time. */
    private static long grown(int size) {
        if (size == 0) {
            return 0;
        }
        long capacity = LIST_CAPACITY_MIN;
        while (capacity < size) {
            capacity += capacity >> 1;
        }
        return capacity;
    }

    private SizeRule nodesRule(long bytes, long node) {
        return guarded(bytes, (object, walk) -> {
            Collection<?> elements = (Collection<?>) object;
            walk.pushElements(elements);
            return bytes + node * elements.size();
        });
    }

    private void addTables() {
        long map = layout.object(HashMap.class);
        long linkedMap = layout.object(LinkedHashMap.class);
        long set = layout.object(HashSet.class);
        rules.put(HashMap.class, mapRule(map, node(0), true));
        rules.put(LinkedHashMap.class, mapRule(linkedMap, node(2), true));
        rules.put(HashSet.class, setRule(set + map, node(0)));
        rules.put(LinkedHashSet.class, setRule(set + linkedMap, node(2)));
        long tree = layout.object(TreeMap.class);
        long leaf = layout.object(5L * layout.reference() + 1);
        rules.put(TreeMap.class, mapRule(tree, leaf, false));
        rules.put(TreeSet.class, nodesRule(layout.object(TreeSet.class) + tree, leaf));
    }

    /**
     * Size in bytes of a hash table's node. It has the hash, references to the key, the value and the next node, and
     * {@code references} further references.
     */
    private long node(int references) {
        return layout.object(Integer.BYTES + (3L + references) * layout.reference());
    }

    private SizeRule mapRule(long bytes, long node, boolean hashed) {
        return guarded(bytes, (object, walk) -> {
            Map<?, ?> map = (Map<?, ?>) object;
            walk.pushEntries(map);
            return bytes + node * map.size() + (hashed ? table(map.size()) : 0);
        });
    }

    private SizeRule setRule(long bytes, long node) {
        return guarded(bytes, (object, walk) -> {
            Collection<?> elements = (Collection<?>) object;
            walk.pushElements(elements);
            return bytes + node * elements.size() + table(elements.size());
        });
    }

    private long table(int size) {
        if (size == 0) {
            return 0;
        }
        long capacity = TABLE_CAPACITY_MIN;
        while (capacity * 3 < size * 4L) {
            capacity *= 2;
        }
        return layout.references(capacity);
    }
}
