package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.memory.AppendOnlySizeEstimator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Builder of one column: an array of primitive numbers while all values have one numeric type, otherwise an array of
 * objects. Owned by one thread. Grows only by {@link #grow}, so that the caller can reserve memory first.
 */
final class BlockColumnBuilder {
    private static final int CAPACITY_FIRST = 16;

    private final AppendOnlySizeEstimator objectSizes; // estimates the size of the objects that columns refer to
    private final int recordsMax;
    private int size;
    private int capacity;
    private int @Nullable [] ints;
    private long @Nullable [] longs;
    private double @Nullable [] doubles;
    private @Nullable Object @Nullable [] objects;

    BlockColumnBuilder(AppendOnlySizeEstimator objectSizes, int recordsMax) {
        this.objectSizes = objectSizes;
        this.recordsMax = Math.max(CAPACITY_FIRST, recordsMax);
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size >= recordsMax;
    }

    /** Whether {@link #grow} must be called before the next value is added. */
    boolean mustGrow() {
        return size == capacity;
    }

    /** Upper bound on the bytes by which the next {@link #grow} enlarges the array of this column. */
    long growth() {
        return (long) (nextCapacity() - capacity) * Long.BYTES;
    }

    /**
     * Returns the size in bytes of this column's array. The objects to which the array refers are not included; {@code
     * objectSizes} estimates their size.
     */
    long bytes() {
        return (long) capacity * (longs != null || doubles != null ? Long.BYTES : Integer.BYTES);
    }

    private int nextCapacity() {
        return Math.min(recordsMax, Math.max(CAPACITY_FIRST, 2 * capacity));
    }

    void grow() {
        capacity = nextCapacity();
        if (ints != null) {
            ints = Arrays.copyOf(ints, capacity);
        } else if (longs != null) {
            longs = Arrays.copyOf(longs, capacity);
        } else if (doubles != null) {
            doubles = Arrays.copyOf(doubles, capacity);
        } else if (objects != null) {
            objects = Arrays.copyOf(objects, capacity);
        }
    }

    void add(@Nullable Object value) {
        if (size == 0) {
            begin(value);
        }
        if (ints != null && value instanceof Integer number) {
            ints[size++] = number;
        } else if (longs != null && value instanceof Long number) {
            longs[size++] = number;
        } else if (doubles != null && value instanceof Double number) {
            doubles[size++] = number;
        } else {
            boxed()[size++] = value;
            objectSizes.added(value);
        }
    }

    private void begin(@Nullable Object first) {
        if (first instanceof Integer) {
            ints = new int[capacity];
        } else if (first instanceof Long) {
            longs = new long[capacity];
        } else if (first instanceof Double) {
            doubles = new double[capacity];
        } else {
            objects = new Object[capacity];
        }
    }

    /** Returns the array of objects; the first call boxes the numbers collected so far. */
    private @Nullable Object[] boxed() {
        @Nullable Object[] known = objects;
        if (known == null) {
            Column numbers = column();
            known = new Object[capacity];
            for (int i = 0; i < size; i++) {
                known[i] = numbers.value(i);
                objectSizes.added(known[i]);
            }
            ints = null;
            longs = null;
            doubles = null;
            objects = known;
        }
        return known;
    }

    /** Returns the column, in an array of exactly as many elements as it has values. Then starts an empty column. */
    Column finish() {
        capacity = size;
        if (ints != null && ints.length > size) {
            ints = Arrays.copyOf(ints, size);
        } else if (longs != null && longs.length > size) {
            longs = Arrays.copyOf(longs, size);
        } else if (doubles != null && doubles.length > size) {
            doubles = Arrays.copyOf(doubles, size);
        } else if (objects != null && objects.length > size) {
            objects = Arrays.copyOf(objects, size);
        }
        Column finished = column();
        size = 0;
        capacity = 0;
        ints = null;
        longs = null;
        doubles = null;
        objects = null;
        return finished;
    }

    private Column column() {
        if (ints != null) {
            return new Column.Ints(ints, size);
        }
        if (longs != null) {
            return new Column.Longs(longs, size);
        }
        if (doubles != null) {
            return new Column.Doubles(doubles, size);
        }
        return new Column.Objects(objects == null ? new Object[0] : objects, size);
    }
}
