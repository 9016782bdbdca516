package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.column.ColumnList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serializers for collections of the JDK. They apply to exact classes only, because a subclass may have further state.
 * Stateless.
 */
final class CollectionSerializers {
    // largest initial capacity, so that a corrupt size cannot claim much memory; larger collections grow as they are
    // read
    private static final int CAPACITY_MAX = 1 << 16;

    private CollectionSerializers() {}

    @SuppressWarnings("JdkObsolete") // user programs may contain a LinkedList, so it must be handled
    static void addTo(Map<Class<?>, TypeSerializer> serializers) {
        TypeSerializer lists = new ArrayListSerializer();
        serializers.put(ArrayList.class, lists);
        serializers.put(ColumnList.class, lists);
        serializers.put(LinkedList.class, new CollectionSerializer(TypeTag.LINKED_LIST, size -> new LinkedList<>()));
        serializers.put(ArrayDeque.class, new CollectionSerializer(TypeTag.ARRAY_DEQUE, ArrayDeque::new));
        serializers.put(
                HashSet.class, new CollectionSerializer(TypeTag.HASH_SET, size -> new HashSet<>(capacity(size))));
        serializers.put(
                LinkedHashSet.class,
                new CollectionSerializer(TypeTag.LINKED_HASH_SET, size -> new LinkedHashSet<>(capacity(size))));
        serializers.put(TreeSet.class, new TreeSetSerializer());
        serializers.put(HashMap.class, new MapSerializer(TypeTag.HASH_MAP, size -> new HashMap<>(capacity(size))));
        serializers.put(TreeMap.class, new TreeMapSerializer());
        if (JdkInternals.canReadOrder()) {
            serializers.put(LinkedHashMap.class, new LinkedHashMapSerializer());
        }
        if (JdkInternals.canReadBacking()) {
            serializers.put(Arrays.asList().getClass(), new ArrayAsListSerializer());
        }
        if (JdkInternals.canReadNulls()) {
            TypeSerializer list = new ImmutableListSerializer();
            serializers.put(List.of(1).getClass(), list);
            serializers.put(List.of().getClass(), list);
        }
        TypeSerializer set = new ImmutableSetSerializer(TypeTag.FIXED_SET, Set::of);
        serializers.put(Set.of(1).getClass(), set);
        serializers.put(Set.of().getClass(), set);
        TypeSerializer map = new ImmutableMapSerializer();
        serializers.put(Map.of(1, 1).getClass(), map);
        serializers.put(Map.of().getClass(), map);
        serializers.put(
                Collections.emptyList().getClass(),
                new SingletonSerializer(TypeTag.EMPTY_LIST, Collections.emptyList()));
        serializers.put(
                Collections.emptySet().getClass(), new SingletonSerializer(TypeTag.EMPTY_SET, Collections.emptySet()));
        serializers.put(
                Collections.emptyMap().getClass(), new SingletonSerializer(TypeTag.EMPTY_MAP, Collections.emptyMap()));
    }

    private static int capacity(int size) {
        int room = Math.min(size, CAPACITY_MAX);
        return room + room / 3 + 1;
    }

    /**
     * Writes the number of elements, then the elements. Fails if the collection changes its size while it is written.
     */
    private static void writeAll(Collection<?> elements, RecordWriter out) {
        int remaining = elements.size();
        out.out().writeSize(remaining);
        for (Object element : elements) {
            remaining--;
            out.accept(element);
        }
        requireAll(remaining);
    }

    private static void writeAll(Map<?, ?> map, RecordWriter out) {
        int remaining = map.size();
        out.out().writeSize(remaining);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            remaining--;
            out.accept(entry.getKey());
            out.accept(entry.getValue());
        }
        requireAll(remaining);
    }

    private static void requireAll(int remaining) {
        if (remaining != 0) {
            throw new IllegalStateException(
                    "a collection changed its size while it was serialised (expected: no changes)");
        }
    }

    private static void readAll(Collection<@Nullable Object> elements, int size, RecordReader in) {
        for (int i = 0; i < size; i++) {
            elements.add(in.get());
        }
    }

    private static void readAll(Map<@Nullable Object, @Nullable Object> map, int size, RecordReader in) {
        for (int i = 0; i < size; i++) {
            Object key = in.get();
            map.put(key, in.get());
        }
    }

    private static @Nullable Object[] readArray(RecordReader in) {
        @Nullable Object[] elements = new Object[in.readCount(1)];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = in.get();
        }
        return elements;
    }

    /**
     * Serializer for ArrayList, the most frequent collection. Reads elements by index, without allocating an iterator.
     */
    private static final class ArrayListSerializer extends TypeSerializer {
        ArrayListSerializer() {
            super(TypeTag.ARRAY_LIST, ReferenceTracking.BEFORE_CONTENT, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            List<?> list = (List<?>) value;
            int size = list.size();
            out.out().writeSize(size);
            for (int i = 0; i < size; i++) {
                out.accept(list.get(i));
            }
            requireAll(size - list.size());
        }

        @Override
        Object read(RecordReader in) {
            int size = in.readCount(1);
            ArrayList<@Nullable Object> list = new ArrayList<>(size);
            in.accept(list);
            readAll(list, size, in);
            return list;
        }
    }

    private static final class CollectionSerializer extends TypeSerializer {
        private final IntFunction<Collection<@Nullable Object>> factory;

        CollectionSerializer(int tag, IntFunction<Collection<@Nullable Object>> factory) {
            super(tag, ReferenceTracking.BEFORE_CONTENT, false);
            this.factory = factory;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writeAll((Collection<?>) value, out);
        }

        @Override
        Object read(RecordReader in) {
            int size = in.readCount(1);
            Collection<@Nullable Object> elements = factory.apply(size);
            in.accept(elements);
            readAll(elements, size, in);
            return elements;
        }
    }

    private static final class MapSerializer extends TypeSerializer {
        private final IntFunction<Map<@Nullable Object, @Nullable Object>> factory;

        MapSerializer(int tag, IntFunction<Map<@Nullable Object, @Nullable Object>> factory) {
            super(tag, ReferenceTracking.BEFORE_CONTENT, false);
            this.factory = factory;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writeAll((Map<?, ?>) value, out);
        }

        @Override
        Object read(RecordReader in) {
            int size = in.readCount(2);
            Map<@Nullable Object, @Nullable Object> map = factory.apply(size);
            in.accept(map);
            readAll(map, size, in);
            return map;
        }
    }

    /** Serializer for LinkedHashMap. Preserves whether the map is in insertion order or access order. */
    private static final class LinkedHashMapSerializer extends TypeSerializer {
        private static final float LOAD = 0.75f; // the JDK's default

        LinkedHashMapSerializer() {
            super(TypeTag.LINKED_HASH_MAP, ReferenceTracking.BEFORE_CONTENT, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            LinkedHashMap<?, ?> map = (LinkedHashMap<?, ?>) value;
            out.out().writeByte(JdkInternals.isByAccess(map) ? 1 : 0);
            writeAll(map, out);
        }

        @Override
        Object read(RecordReader in) {
            boolean byAccess = in.in().readByte() != 0;
            int size = in.readCount(2);
            Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>(capacity(size), LOAD, byAccess);
            in.accept(map);
            readAll(map, size, in);
            return map;
        }
    }

    private static final class TreeSetSerializer extends TypeSerializer {
        TreeSetSerializer() {
            super(TypeTag.TREE_SET, ReferenceTracking.BEFORE_CONTENT, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            TreeSet<?> set = (TreeSet<?>) value;
            out.writeBefore(set, set.comparator());
            writeAll(set, out);
        }

        @Override
        Object read(RecordReader in) {
            int id = in.reserveId();
            TreeSet<@Nullable Object> set = new TreeSet<>(comparator(in));
            in.resolve(id, set);
            readAll(set, in.readCount(1), in);
            return set;
        }
    }

    private static final class TreeMapSerializer extends TypeSerializer {
        TreeMapSerializer() {
            super(TypeTag.TREE_MAP, ReferenceTracking.BEFORE_CONTENT, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            TreeMap<?, ?> map = (TreeMap<?, ?>) value;
            out.writeBefore(map, map.comparator());
            writeAll(map, out);
        }

        @Override
        Object read(RecordReader in) {
            int id = in.reserveId();
            TreeMap<@Nullable Object, @Nullable Object> map = new TreeMap<>(comparator(in));
            in.resolve(id, map);
            readAll(map, in.readCount(2), in);
            return map;
        }
    }

    @SuppressWarnings("unchecked") // the original collection applied the comparator to these elements
    private static @Nullable Comparator<@Nullable Object> comparator(RecordReader in) {
        return (Comparator<@Nullable Object>) in.get();
    }

    /**
     * Serializer for the list of {@code Arrays.asList}, a view of an array. Writes the array itself, because the record
     * may also refer to the array directly.
     */
    private static final class ArrayAsListSerializer extends TypeSerializer {
        ArrayAsListSerializer() {
            super(TypeTag.ARRAY_AS_LIST, ReferenceTracking.ACYCLIC, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            out.accept(JdkInternals.backing((List<?>) value));
        }

        @Override
        Object read(RecordReader in) {
            if (in.get() instanceof Object[] array) {
                return Arrays.asList(array);
            }
            throw new CorruptRecordException("record: Arrays.asList without an array (expected: an array)");
        }
    }

    /** Serializer for immutable sets, which can only be created when all elements are known. */
    private static final class ImmutableSetSerializer extends TypeSerializer {
        private final Function<@Nullable Object[], Collection<?>> factory;

        ImmutableSetSerializer(int tag, Function<@Nullable Object[], Collection<?>> factory) {
            super(tag, ReferenceTracking.ACYCLIC, false);
            this.factory = factory;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writeAll((Collection<?>) value, out);
        }

        @Override
        Object read(RecordReader in) {
            return factory.apply(readArray(in));
        }
    }

    /**
     * Serializer for immutable lists. {@code List.of} and {@code Stream.toList} return the same class, but only the
     * list of a stream may contain nulls.
     */
    private static final class ImmutableListSerializer extends TypeSerializer {
        ImmutableListSerializer() {
            super(TypeTag.FIXED_LIST, ReferenceTracking.ACYCLIC, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            out.out().writeByte(JdkInternals.allowsNulls((List<?>) value) ? 1 : 0);
            writeAll((List<?>) value, out);
        }

        @Override
        Object read(RecordReader in) {
            boolean nulls = in.in().readByte() != 0;
            @Nullable Object[] elements = readArray(in);
            return nulls ? Stream.of(elements).toList() : List.of(elements);
        }
    }

    private static final class ImmutableMapSerializer extends TypeSerializer {
        ImmutableMapSerializer() {
            super(TypeTag.FIXED_MAP, ReferenceTracking.ACYCLIC, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            writeAll((Map<?, ?>) value, out);
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        Object read(RecordReader in) {
            Map.Entry[] entries = new Map.Entry[in.readCount(2)];
            for (int i = 0; i < entries.length; i++) {
                Object key = in.get();
                Object value = in.get();
                if (key == null || value == null) {
                    throw new CorruptRecordException("record: null in an immutable map (expected: none)");
                }
                entries[i] = Map.entry(key, value);
            }
            return Map.ofEntries(entries);
        }
    }

    /** Serializer for an object that exists once per process, such as the empty list of {@code Collections}. */
    private static final class SingletonSerializer extends TypeSerializer {
        private final Object singleton;

        SingletonSerializer(int tag, Object singleton) {
            super(tag, ReferenceTracking.NONE, true);
            this.singleton = singleton;
        }

        @Override
        void write(Object value, RecordWriter out) {}

        @Override
        Object read(RecordReader in) {
            return singleton;
        }
    }
}
