package dev.hearth.engine.internal.sort;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pairs in memory: the number of each key, or the key itself, and the row of {@link PairBuffers} where the rest is; those of the
 * null key apart. Sorted once, then read. Owned by one sort, which books what it takes.
 */
final class InMemoryRun {
    /** What a pair takes: two numbers, and as many for sorting. */
    static final int ENTRY_BYTES = 4 * Long.BYTES;

    /** So many pairs are best fetched at once. */
    static final int TOUCHED = 32;

    static final int CAPACITY_MAX = Integer.MAX_VALUE - 64;
    private static final long[] NO_LONGS = {};
    private static final Object[] NO_KEYS = {};

    private final PairBuffers sources;
    private final SortOrder order;
    private final StringPrefixes texts;
    private SortKeyKind kind = SortKeyKind.OTHER;
    private boolean wide; // of texts: some have characters that need sixteen bits
    private long[] prefixes = NO_LONGS;
    private long[] rows = NO_LONGS;
    private @Nullable Object[] keys = NO_KEYS;
    private int size;
    private long[] nulls = NO_LONGS;
    private int nullsSize;
    private long[] arranged = NO_LONGS; // of keys that are objects: their places, in order

    InMemoryRun(PairBuffers sources, SortOrder order) {
        this.sources = sources;
        this.order = order;
        this.texts = new StringPrefixes(sources);
    }

    void begin(SortKeyKind decided) {
        this.kind = decided;
        keys = NO_KEYS;
        resize(rows.length);
    }

    int size() {
        return size;
    }

    int nullsSize() {
        return nullsSize;
    }

    boolean isEmpty() {
        return size == 0 && nullsSize == 0;
    }

    boolean isFull() {
        return size == rows.length;
    }

    boolean isFullOfNulls() {
        return nullsSize == nulls.length;
    }

    int capacity() {
        return rows.length;
    }

    int nullsCapacity() {
        return nulls.length;
    }

    void resize(int capacity) {
        rows = Arrays.copyOf(rows, capacity);
        if (kind == SortKeyKind.OTHER) {
            keys = Arrays.copyOf(keys, capacity);
        } else {
            prefixes = Arrays.copyOf(prefixes, capacity);
        }
    }

    void resizeNulls(int capacity) {
        nulls = Arrays.copyOf(nulls, capacity);
    }

    void add(long prefix, long row) {
        prefixes[size] = prefix;
        rows[size++] = row;
    }

    void addText(boolean needsWide, long row) {
        wide |= needsWide;
        rows[size++] = row;
    }

    void addKey(Object key, long row) {
        keys[size] = key;
        rows[size++] = row;
    }

    void addNull(long row) {
        nulls[nullsSize++] = row;
    }

    void sort() {
        switch (kind) {
            case LONG, INTEGER, DOUBLE -> PrefixRadixSort.sort(prefixes, rows, new long[size], new long[size], 0, size);
            case TEXT ->
                new StringPrefixSort(texts, wide, order.isDescending(), prefixes, rows, new long[size], new long[size])
                        .sort(size);
            case OTHER -> {
                arranged = new long[size];
                Arrays.setAll(arranged, i -> i);
                RowMergeSort.sort(arranged, new long[size], 0, size, this::compareKeys);
            }
        }
    }

    private int compareKeys(long left, long right) {
        Object first = keys[(int) left];
        Object second = keys[(int) right];
        if (first == null || second == null) {
            throw new IllegalStateException("sort: no key (expected: nulls apart)");
        }
        return order.compare(first, second);
    }

    /** The row of the one at that place in the order. */
    long row(int place) {
        return kind == SortKeyKind.OTHER ? rows[(int) arranged[place]] : rows[place];
    }

    /** The key at that place, however it is kept. */
    @Nullable
    Object key(int place) {
        return switch (kind) {
            case LONG, INTEGER, DOUBLE -> kind.key(prefixes[place], order.isDescending());
            case TEXT -> sources.key(rows[place]);
            case OTHER -> keys[(int) arranged[place]];
        };
    }

    @Nullable
    Object value(int place) {
        return sources.value(row(place), kind == SortKeyKind.TEXT);
    }

    @Nullable
    Object valueOfNull(int place) {
        return sources.value(nulls[place], false);
    }

    /** The number by which the key at that place is merged with other runs. */
    long mergePrefix(int place) {
        return switch (kind) {
            case LONG, INTEGER, DOUBLE -> prefixes[place];
            case TEXT -> texts.prefix(rows[place], 0, false, order.isDescending());
            case OTHER -> 0;
        };
    }

    void write(int place, SortedRunWriter writer) {
        if (kind.isExact()) {
            writer.open(prefixes[place]);
            sources.write(rows[place], false, writer.out());
        } else if (kind == SortKeyKind.TEXT) {
            writer.open();
            sources.write(rows[place], true, writer.out());
        } else {
            writer.open();
            sources.writer().write(key(place), writer.out());
            sources.write(row(place), false, writer.out());
        }
        writer.end();
    }

    /** Writes everything after the first {@code passed} of each kind. Sorted before. */
    void writeTo(SortedRunWriter writer, int passed, int passedNulls) {
        writer.begin(SortedRunWriter.KEYED);
        for (int place = passed; place < size; place++) {
            if ((place - passed) % TOUCHED == 0) {
                touch(place, Math.min(size, place + TOUCHED));
            }
            write(place, writer);
        }
        writer.begin(SortedRunWriter.NULLS);
        for (int place = passedNulls; place < nullsSize; place++) {
            writer.open();
            sources.write(nulls[place], false, writer.out());
            writer.end();
        }
    }

    /** Has the processor fetch the pairs of those places. */
    void touch(int from, int until) {
        if (kind != SortKeyKind.OTHER) {
            sources.touch(rows, from, until);
        }
    }

    /** Forgets what it holds; the room stays. */
    void clear() {
        Arrays.fill(keys, 0, Math.min(size, keys.length), null);
        arranged = NO_LONGS;
        size = 0;
        nullsSize = 0;
    }

    /** Forgets all and the room. */
    void drop() {
        clear();
        prefixes = NO_LONGS;
        rows = NO_LONGS;
        keys = NO_KEYS;
        nulls = NO_LONGS;
    }
}
