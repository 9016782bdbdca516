package dev.hearth.engine.internal.sort;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pairs that one sort holds in memory, to be sorted as one run. For each pair, stores a row, a number by which {@link
 * PairBuffers} finds the pair, and a prefix: 64 bits that decide most comparisons of keys. For keys without prefixes it
 * stores the key itself. Pairs of the null key are stored separately. Sorted once, then read. Owned by one sort, which
 * reserves the memory.
 */
final class InMemoryRun {
    /**
     * Bytes of memory per pair: for a prefix and a row, and for the scratch space of the same size that sorting needs.
     */
    static final int ENTRY_BYTES = 4 * Long.BYTES;

    /** Number of pairs that one call of {@link #prefetch} loads. */
    static final int PREFETCHED = 32;

    static final int CAPACITY_MAX = Integer.MAX_VALUE - 64;
    private static final long[] NO_LONGS = {};
    private static final Object[] NO_KEYS = {};

    private final PairBuffers sources;
    private final SortOrder order;
    private final StringPrefixes texts;
    private SortKeyKind kind = SortKeyKind.OTHER;
    private boolean wide; // for string keys: whether prefixes have 16-bit characters
    private long[] prefixes = NO_LONGS;
    private long[] rows = NO_LONGS;
    private @Nullable Object[] keys = NO_KEYS;
    private int size;
    private long[] nulls = NO_LONGS;
    private int nullsSize;
    private long[] sortedIndexes = NO_LONGS; // for object keys: their indexes in sorted order

    InMemoryRun(PairBuffers sources, SortOrder order) {
        this.sources = sources;
        this.order = order;
        this.texts = new StringPrefixes(sources);
    }

    void begin(SortKeyKind keyKind) {
        this.kind = keyKind;
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
                sortedIndexes = new long[size];
                Arrays.setAll(sortedIndexes, i -> i);
                RowMergeSort.sort(sortedIndexes, new long[size], 0, size, this::compareKeys);
            }
        }
    }

    private int compareKeys(long left, long right) {
        Object first = keys[(int) left];
        Object second = keys[(int) right];
        if (first == null || second == null) {
            throw new IllegalStateException("sort: null key (expected: null keys kept apart)");
        }
        return order.compare(first, second);
    }

    /**
     * Returns the row, which identifies a pair in {@link PairBuffers}, of the pair at position {@code index} of the
     * sorted order.
     */
    long row(int index) {
        return kind == SortKeyKind.OTHER ? rows[(int) sortedIndexes[index]] : rows[index];
    }

    /** Returns the key at position {@code index} of the sorted order, rebuilt from its prefix or bytes if necessary. */
    @Nullable
    Object key(int index) {
        return switch (kind) {
            case LONG, INTEGER, DOUBLE -> kind.key(prefixes[index], order.isDescending());
            case TEXT -> sources.key(rows[index]);
            case OTHER -> keys[(int) sortedIndexes[index]];
        };
    }

    @Nullable
    Object value(int index) {
        return sources.value(row(index), kind == SortKeyKind.TEXT);
    }

    @Nullable
    Object valueOfNull(int index) {
        return sources.value(nulls[index], false);
    }

    /**
     * Returns the prefix by which a merge compares the key at position {@code index} with keys of other runs; 0 for
     * keys without prefixes.
     */
    long mergePrefix(int index) {
        return switch (kind) {
            case LONG, INTEGER, DOUBLE -> prefixes[index];
            case TEXT -> texts.prefix(rows[index], 0, false, order.isDescending());
            case OTHER -> 0;
        };
    }

    void write(int index, SortedRunWriter writer) {
        if (kind.isExact()) {
            writer.open(prefixes[index]);
            sources.write(rows[index], false, writer.out());
        } else if (kind == SortKeyKind.TEXT) {
            writer.open();
            sources.write(rows[index], true, writer.out());
        } else {
            writer.open();
            sources.writer().write(key(index), writer.out());
            sources.write(row(index), false, writer.out());
        }
        writer.end();
    }

    /**
     * Writes the sorted run without the pairs that the sort has already returned. These are the first {@code passed}
     * pairs with a non-null key, and the first {@code passedNulls} pairs with a null key.
     */
    void writeTo(SortedRunWriter writer, int passed, int passedNulls) {
        writer.begin(SortedRunWriter.KEYED);
        for (int index = passed; index < size; index++) {
            if ((index - passed) % PREFETCHED == 0) {
                prefetch(index, Math.min(size, index + PREFETCHED));
            }
            write(index, writer);
        }
        writer.begin(SortedRunWriter.NULLS);
        for (int index = passedNulls; index < nullsSize; index++) {
            writer.open();
            sources.write(nulls[index], false, writer.out());
            writer.end();
        }
    }

    /**
     * Loads the pairs at positions {@code from} to before {@code until} of the sorted order into the CPU cache, before
     * they are used.
     */
    void prefetch(int from, int until) {
        if (kind != SortKeyKind.OTHER) {
            sources.prefetch(rows, from, until);
        }
    }

    /** Removes all pairs, but keeps the arrays, so that further pairs need no new ones. */
    void clear() {
        Arrays.fill(keys, 0, Math.min(size, keys.length), null);
        sortedIndexes = NO_LONGS;
        size = 0;
        nullsSize = 0;
    }

    /** Removes all pairs, and drops the arrays, so that their memory can be reused. */
    void release() {
        clear();
        prefixes = NO_LONGS;
        rows = NO_LONGS;
        keys = NO_KEYS;
        nulls = NO_LONGS;
    }
}
