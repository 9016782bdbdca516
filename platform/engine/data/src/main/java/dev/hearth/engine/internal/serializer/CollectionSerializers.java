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

/** Forms of the JDK's collections, by their exact classes. Stateless. */
final class CollectionSerializers {
    private static final int ROOM_MAX = 1 << 16; // elements, before they are seen; beyond, those that come make room

    private CollectionSerializers() {}

    @SuppressWarnings("JdkObsolete") // programs have them
    static void addTo(Map<Class<?>, TypeSerializer> forms) {
        TypeSerializer lists = new Lists();
        forms.put(ArrayList.class, lists);
        forms.put(ColumnList.class, lists);
        forms.put(LinkedList.class, new Elements(TypeTag.LINKED_LIST, size -> new LinkedList<>()));
        forms.put(ArrayDeque.class, new Elements(TypeTag.ARRAY_DEQUE, ArrayDeque::new));
        forms.put(HashSet.class, new Elements(TypeTag.HASH_SET, size -> new HashSet<>(capacity(size))));
        forms.put(
                LinkedHashSet.class,
                new Elements(TypeTag.LINKED_HASH_SET, size -> new LinkedHashSet<>(capacity(size))));
        forms.put(TreeSet.class, new SortedElements());
        forms.put(HashMap.class, new Entries(TypeTag.HASH_MAP, size -> new HashMap<>(capacity(size))));
        forms.put(TreeMap.class, new SortedEntries());
        if (JdkInternals.knowsOrder()) {
            forms.put(LinkedHashMap.class, new OrderedEntries());
        }
        if (JdkInternals.knowsBacking()) {
            forms.put(Arrays.asList().getClass(), new ArrayAsList());
        }
        if (JdkInternals.knowsNulls()) {
            TypeSerializer list = new FixedList();
            forms.put(List.of(1).getClass(), list);
            forms.put(List.of().getClass(), list);
        }
        TypeSerializer set = new Fixed(TypeTag.FIXED_SET, Set::of);
        forms.put(Set.of(1).getClass(), set);
        forms.put(Set.of().getClass(), set);
        TypeSerializer map = new FixedEntries();
        forms.put(Map.of(1, 1).getClass(), map);
        forms.put(Map.of().getClass(), map);
        forms.put(Collections.emptyList().getClass(), new One(TypeTag.EMPTY_LIST, Collections.emptyList()));
        forms.put(Collections.emptySet().getClass(), new One(TypeTag.EMPTY_SET, Collections.emptySet()));
        forms.put(Collections.emptyMap().getClass(), new One(TypeTag.EMPTY_MAP, Collections.emptyMap()));
    }

    private static int capacity(int size) {
        int room = Math.min(size, ROOM_MAX);
        return room + room / 3 + 1;
    }

    /** Writes so many elements as were announced, or says that the collection changed meanwhile. */
    private static void writeAll(Collection<?> elements, RecordWriter out) {
        int left = elements.size();
        out.out().writeSize(left);
        for (Object element : elements) {
            left--;
            out.accept(element);
        }
        requireAll(left);
    }

    private static void writeAll(Map<?, ?> map, RecordWriter out) {
        int left = map.size();
        out.out().writeSize(left);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            left--;
            out.accept(entry.getKey());
            out.accept(entry.getValue());
        }
        requireAll(left);
    }

    private static void requireAll(int left) {
        if (left != 0) {
            throw new IllegalStateException(
                    "a collection changed its size while it was written (expected: no changes)");
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

    /** The most frequent of all, without an iterator. */
    private static final class Lists extends TypeSerializer {
        Lists() {
            super(TypeTag.ARRAY_LIST, ReferenceTracking.BY_FORM, false);
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

    private static final class Elements extends TypeSerializer {
        private final IntFunction<Collection<@Nullable Object>> maker;

        Elements(int tag, IntFunction<Collection<@Nullable Object>> maker) {
            super(tag, ReferenceTracking.BY_FORM, false);
            this.maker = maker;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writeAll((Collection<?>) value, out);
        }

        @Override
        Object read(RecordReader in) {
            int size = in.readCount(1);
            Collection<@Nullable Object> elements = maker.apply(size);
            in.accept(elements);
            readAll(elements, size, in);
            return elements;
        }
    }

    private static final class Entries extends TypeSerializer {
        private final IntFunction<Map<@Nullable Object, @Nullable Object>> maker;

        Entries(int tag, IntFunction<Map<@Nullable Object, @Nullable Object>> maker) {
            super(tag, ReferenceTracking.BY_FORM, false);
            this.maker = maker;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writeAll((Map<?, ?>) value, out);
        }

        @Override
        Object read(RecordReader in) {
            int size = in.readCount(2);
            Map<@Nullable Object, @Nullable Object> map = maker.apply(size);
            in.accept(map);
            readAll(map, size, in);
            return map;
        }
    }

    /** In the order of insertion, or of access: then the least recently used come first, here as there. */
    private static final class OrderedEntries extends TypeSerializer {
        private static final float LOAD = 0.75f; // the JDK's own

        OrderedEntries() {
            super(TypeTag.LINKED_HASH_MAP, ReferenceTracking.BY_FORM, false);
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

    private static final class SortedElements extends TypeSerializer {
        SortedElements() {
            super(TypeTag.TREE_SET, ReferenceTracking.BY_FORM, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            TreeSet<?> set = (TreeSet<?>) value;
            out.writeBefore(set, set.comparator());
            writeAll(set, out);
        }

        @Override
        Object read(RecordReader in) {
            int id = in.reserve();
            TreeSet<@Nullable Object> set = new TreeSet<>(comparator(in));
            in.fill(id, set);
            readAll(set, in.readCount(1), in);
            return set;
        }
    }

    private static final class SortedEntries extends TypeSerializer {
        SortedEntries() {
            super(TypeTag.TREE_MAP, ReferenceTracking.BY_FORM, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            TreeMap<?, ?> map = (TreeMap<?, ?>) value;
            out.writeBefore(map, map.comparator());
            writeAll(map, out);
        }

        @Override
        Object read(RecordReader in) {
            int id = in.reserve();
            TreeMap<@Nullable Object, @Nullable Object> map = new TreeMap<>(comparator(in));
            in.fill(id, map);
            readAll(map, in.readCount(2), in);
            return map;
        }
    }

    @SuppressWarnings("unchecked") // it compares what it compared before
    private static @Nullable Comparator<@Nullable Object> comparator(RecordReader in) {
        return (Comparator<@Nullable Object>) in.get();
    }

    /** A view of an array, which may be known elsewhere too. */
    private static final class ArrayAsList extends TypeSerializer {
        ArrayAsList() {
            super(TypeTag.ARRAY_AS_LIST, ReferenceTracking.CLOSED, false);
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
            throw new CorruptRecordException("record: a list without its array (expected: one)");
        }
    }

    /** What is made of all its elements at once. */
    private static final class Fixed extends TypeSerializer {
        private final Function<@Nullable Object[], Collection<?>> maker;

        Fixed(int tag, Function<@Nullable Object[], Collection<?>> maker) {
            super(tag, ReferenceTracking.CLOSED, false);
            this.maker = maker;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writeAll((Collection<?>) value, out);
        }

        @Override
        Object read(RecordReader in) {
            return maker.apply(readArray(in));
        }
    }

    /** Lists as {@code List.of} makes them and, of the same class, as streams do: these may hold nulls. */
    private static final class FixedList extends TypeSerializer {
        FixedList() {
            super(TypeTag.FIXED_LIST, ReferenceTracking.CLOSED, false);
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

    private static final class FixedEntries extends TypeSerializer {
        FixedEntries() {
            super(TypeTag.FIXED_MAP, ReferenceTracking.CLOSED, false);
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
                    throw new CorruptRecordException("record: null in a fixed map (expected: none)");
                }
                entries[i] = Map.entry(key, value);
            }
            return Map.ofEntries(entries);
        }
    }

    /** The only one of its class. */
    private static final class One extends TypeSerializer {
        private final Object one;

        One(int tag, Object one) {
            super(tag, ReferenceTracking.NONE, true);
            this.one = one;
        }

        @Override
        void write(Object value, RecordWriter out) {}

        @Override
        Object read(RecordReader in) {
            return one;
        }
    }
}
