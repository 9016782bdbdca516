package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One value for each number of a {@link KeyHashTable}, of the kind of the first until a stranger comes. Owned by one thread. */
final class AggregationBuffers {
    private static final int BOX_BYTES = 16;

    private Kind kind = Kind.NONE;
    private int[] ints = {};
    private long[] longs = {};
    private double[] doubles = {};
    private @Nullable Object[] objects = {};
    private int size;
    private int limit;
    private @Nullable Object stranger; // what was joined last, where it is not of this kind

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

    /** What it takes for so many values. */
    long bytes(int values) {
        return (long) values * kind.width();
    }

    static long firstBytes(int values) {
        return (long) values * Long.BYTES;
    }

    long boxesBytes() {
        return (long) limit * Kind.OBJECTS.width() + (long) size * BOX_BYTES;
    }

    void grow(int values) {
        limit = values;
        switch (kind) {
            case INTS -> ints = Arrays.copyOf(ints, limit);
            case LONGS -> longs = Arrays.copyOf(longs, limit);
            case DOUBLES -> doubles = Arrays.copyOf(doubles, limit);
            case OBJECTS -> objects = Arrays.copyOf(objects, limit);
            case NONE -> {} // made with the first value
        }
    }

    boolean takes(@Nullable Object value) {
        return kind == Kind.OBJECTS || kind == Kind.NONE || kind == Kind.of(value);
    }

    private void begin(Kind first) {
        kind = first;
        switch (first) {
            case INTS -> ints = new int[limit];
            case LONGS -> longs = new long[limit];
            case DOUBLES -> doubles = new double[limit];
            default -> objects = new @Nullable Object[limit];
        }
    }

    /** Adds the value of the next number. It must be taken, and fit. */
    void add(@Nullable Object value) {
        if (kind == Kind.NONE) {
            begin(Kind.of(value));
        }
        set(size++, value);
    }

    void addInt(int value) {
        if (kind == Kind.NONE) {
            begin(Kind.INTS);
        }
        ints[size++] = value;
    }

    /** Replaces a value by one that is taken. */
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
     * Replaces the value of a number by what it and another one make; false where that is not taken: see {@link #stranger}.
     * Each kind is a path of its own, with nothing done to a box but opening it, for then the compiler makes none.
     */
    boolean join(int slot, @Nullable Object value, AggregateFunction merging) {
        Object joined;
        switch (kind) {
            case INTS -> {
                joined = merging.add(ints[slot], value);
                if (joined instanceof Integer number) {
                    ints[slot] = number;
                    return true;
                }
            }
            case LONGS -> {
                joined = merging.add(longs[slot], value);
                if (joined instanceof Long number) {
                    longs[slot] = number;
                    return true;
                }
            }
            case DOUBLES -> {
                joined = merging.add(doubles[slot], value);
                if (joined instanceof Double number) {
                    doubles[slot] = number;
                    return true;
                }
            }
            default -> {
                objects[slot] = merging.add(objects[slot], value);
                return true;
            }
        }
        stranger = joined;
        return false;
    }

    /** What {@link #join} refused, once. */
    @Nullable
    Object stranger() {
        Object refused = stranger;
        stranger = null;
        return refused;
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

    /** As {@link KeyHashTable#lookAhead}, for the values of these numbers as far as there are any. */
    int lookAhead(int[] slots, int count) {
        int seen = 0;
        if (kind == Kind.INTS) {
            for (int i = 0; i < count; i++) {
                seen += slots[i] < 0 ? 0 : ints[slots[i]];
            }
        } else if (kind == Kind.LONGS) {
            for (int i = 0; i < count; i++) {
                seen += slots[i] < 0 ? 0 : (int) longs[slots[i]];
            }
        }
        return seen;
    }

    void turnIntoObjects() {
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

    /** All values, which this must then forget. */
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
