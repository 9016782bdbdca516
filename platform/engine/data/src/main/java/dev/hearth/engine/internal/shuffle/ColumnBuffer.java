package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Buffer of one column that is being filled. It is an array of primitive numbers while all values have one numeric
 * type, otherwise an array of objects. Owned by its {@link PartitionBuffer}.
 */
final class ColumnBuffer {
    static final int OBJECTS = 0;
    static final int INTS = 1;
    static final int LONGS = 2;
    static final int DOUBLES = 3;

    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final double[] NO_DOUBLES = {};
    private static final Object[] NO_OBJECTS = {};

    private final int room;
    private int kind;
    private int[] ints = NO_INTS;
    private long[] longs = NO_LONGS;
    private double[] doubles = NO_DOUBLES;
    private @Nullable Object[] objects = NO_OBJECTS;

    ColumnBuffer(int kind, int room) {
        this.room = room;
        this.kind = kind;
        switch (kind) {
            case INTS -> ints = new int[room];
            case LONGS -> longs = new long[room];
            case DOUBLES -> doubles = new double[room];
            default -> objects = new @Nullable Object[room];
        }
    }

    /**
     * Returns the element type of the column that stores {@code value} most compactly: ints, longs, doubles or objects.
     */
    static int kind(@Nullable Object value) {
        return value instanceof Integer
                ? INTS
                : value instanceof Long ? LONGS : value instanceof Double ? DOUBLES : OBJECTS;
    }

    static int width(int kind) {
        return kind == LONGS || kind == DOUBLES ? Long.BYTES : Integer.BYTES;
    }

    int kind() {
        return kind;
    }

    void put(int at, @Nullable Object value) {
        if (kind == INTS && value instanceof Integer number) {
            ints[at] = number;
        } else if (kind == LONGS && value instanceof Long number) {
            longs[at] = number;
        } else if (kind == DOUBLES && value instanceof Double number) {
            doubles[at] = number;
        } else {
            if (kind != OBJECTS) {
                becomeObjects(at);
            }
            objects[at] = value;
        }
    }

    void put(int at, Column column, int index) {
        if (kind == INTS && column instanceof Column.Ints numbers) {
            ints[at] = numbers.values()[index];
        } else if (kind == LONGS && column instanceof Column.Longs numbers) {
            longs[at] = numbers.values()[index];
        } else if (kind == DOUBLES && column instanceof Column.Doubles numbers) {
            doubles[at] = numbers.values()[index];
        } else {
            put(at, column.value(index));
        }
    }

    private void becomeObjects(int used) {
        Column numbers = column(used);
        objects = new @Nullable Object[room];
        for (int i = 0; i < used; i++) {
            objects[i] = numbers.value(i);
        }
        kind = OBJECTS;
        ints = NO_INTS;
        longs = NO_LONGS;
        doubles = NO_DOUBLES;
    }

    /** Returns the first {@code used} values as a column that shares the array of this buffer. */
    Column column(int used) {
        return switch (kind) {
            case INTS -> new Column.Ints(ints, used);
            case LONGS -> new Column.Longs(longs, used);
            case DOUBLES -> new Column.Doubles(doubles, used);
            default -> new Column.Objects(objects, used);
        };
    }

    /** As {@link #column}, but copies the values to an array of exactly {@code used} elements. */
    Column cut(int used) {
        return switch (kind) {
            case INTS -> new Column.Ints(Arrays.copyOf(ints, used), used);
            case LONGS -> new Column.Longs(Arrays.copyOf(longs, used), used);
            case DOUBLES -> new Column.Doubles(Arrays.copyOf(doubles, used), used);
            default -> new Column.Objects(Arrays.copyOf(objects, used), used);
        };
    }
}
