package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Aggregation buffers of all keys of a {@link KeyHashTable}: one value per key, stored at the key's slot (its number in
 * the table). The values are in a primitive array of the first value's type. Once a value of another type arrives, all
 * values are in an array of objects. Owned by one thread.
 */
final class AggregationBuffers {
    private static final int BOX_BYTES = 16;

    private Kind kind = Kind.NONE;
    private int[] ints = {};
    private long[] longs = {};
    private double[] doubles = {};
    private @Nullable Object[] objects = {};
    private int size;
    private int limit;
    private @Nullable Object mismatch; // result of the last merge, if the array cannot store its type

    AggregationBuffers(int limit) {
        this.limit = limit;
    }

    Kind kind() {
        return kind;
    }

    int size() {
        return size;
    }

    int[] ints() {
        return ints;
    }

    /** Size in bytes of an array of {@code values} elements of the type in which the buffers are stored now. */
    long bytes(int values) {
        return (long) values * kind.width();
    }

    static long firstBytes(int values) {
        return (long) values * Long.BYTES;
    }

    long objectsBytes() {
        return (long) limit * Kind.OBJECTS.width() + (long) size * BOX_BYTES;
    }

    void grow(int values) {
        limit = values;
        switch (kind) {
            case INTS -> ints = Arrays.copyOf(ints, limit);
            case LONGS -> longs = Arrays.copyOf(longs, limit);
            case DOUBLES -> doubles = Arrays.copyOf(doubles, limit);
            case OBJECTS -> objects = Arrays.copyOf(objects, limit);
            case NONE -> {} // the first value allocates the array
        }
    }

    boolean accepts(@Nullable Object value) {
        return kind == Kind.OBJECTS || kind == Kind.NONE || kind == Kind.of(value);
    }

    private void setKind(Kind first) {
        kind = first;
        switch (first) {
            case INTS -> ints = new int[limit];
            case LONGS -> longs = new long[limit];
            case DOUBLES -> doubles = new double[limit];
            default -> objects = new @Nullable Object[limit];
        }
    }

    /**
     * Appends {@code value} for the next slot. The caller has ensured that the array accepts the type of the value and
     * has a free element.
     */
    void add(@Nullable Object value) {
        if (kind == Kind.NONE) {
            setKind(Kind.of(value));
        }
        set(size++, value);
    }

    void addInt(int value) {
        if (kind == Kind.NONE) {
            setKind(Kind.INTS);
        }
        ints[size++] = value;
    }

    /**
     * Replaces the value of {@code slot} by {@code value}. The caller has ensured that the array accepts the type of
     * {@code value}.
     */
    void set(int slot, @Nullable Object value) {
        if (kind == Kind.INTS && value instanceof Integer number) {
            ints[slot] = number;
        } else if (kind == Kind.LONGS && value instanceof Long number) {
            longs[slot] = number;
        } else if (kind == Kind.DOUBLES && value instanceof Double number) {
            doubles[slot] = number;
        } else {
            objects[slot] = value;
        }
    }

    /**
     * Merges {@code value} into the aggregation buffer at {@code slot} by {@code function}. Returns false if the array
     * cannot store the type of the result, which {@link #mismatch} then returns. Each primitive type has its own
     * branch, so that escape analysis can remove the boxes.
     */
    boolean merge(int slot, @Nullable Object value, AggregateFunction function) {
        Object merged;
        switch (kind) {
            case INTS -> {
                merged = function.add(ints[slot], value);
                if (merged instanceof Integer number) {
                    ints[slot] = number;
                    return true;
                }
            }
            case LONGS -> {
                merged = function.add(longs[slot], value);
                if (merged instanceof Long number) {
                    longs[slot] = number;
                    return true;
                }
            }
            case DOUBLES -> {
                merged = function.add(doubles[slot], value);
                if (merged instanceof Double number) {
                    doubles[slot] = number;
                    return true;
                }
            }
            default -> {
                objects[slot] = function.add(objects[slot], value);
                return true;
            }
        }
        mismatch = merged;
        return false;
    }

    /**
     * Returns the result that the last {@link #merge} could not store. Afterwards this object no longer refers to the
     * result.
     */
    @Nullable
    Object mismatch() {
        Object result = mismatch;
        mismatch = null;
        return result;
    }

    @Nullable
    Object value(int slot) {
        return switch (kind) {
            case INTS -> ints[slot];
            case LONGS -> longs[slot];
            case DOUBLES -> doubles[slot];
            default -> objects[slot];
        };
    }

    /**
     * Loads the values of the first {@code count} elements of {@code slots} into the CPU cache; negative slots are
     * skipped. Returns a meaningless number, which keeps the compiler from removing the reads.
     */
    int prefetch(int[] slots, int count) {
        int sum = 0;
        if (kind == Kind.INTS) {
            for (int i = 0; i < count; i++) {
                sum += slots[i] < 0 ? 0 : ints[slots[i]];
            }
        } else if (kind == Kind.LONGS) {
            for (int i = 0; i < count; i++) {
                sum += slots[i] < 0 ? 0 : (int) longs[slots[i]];
            }
        }
        return sum;
    }

    void convertToObjects() {
        @Nullable Object[] boxed = new @Nullable Object[limit];
        for (int slot = 0; slot < size; slot++) {
            boxed[slot] = value(slot);
        }
        kind = Kind.OBJECTS;
        objects = boxed;
        ints = new int[0];
        longs = new long[0];
        doubles = new double[0];
    }

    /**
     * The aggregation buffers of all keys as a column. The column shares the array of this object, so the caller must
     * clear this object before it adds values again.
     */
    Column values() {
        return switch (kind) {
            case INTS -> new Column.Ints(ints, size);
            case LONGS -> new Column.Longs(longs, size);
            case DOUBLES -> new Column.Doubles(doubles, size);
            default -> new Column.Objects(objects, size);
        };
    }

    void clear(int first) {
        kind = Kind.NONE;
        ints = new int[0];
        longs = new long[0];
        doubles = new double[0];
        objects = new @Nullable Object[0];
        size = 0;
        limit = first;
    }
}
