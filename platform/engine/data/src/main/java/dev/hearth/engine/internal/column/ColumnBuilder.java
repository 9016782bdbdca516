package dev.hearth.engine.internal.column;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds columns. The first value decides the primitive kind; after a null or a value of another type, the builder
 * stores objects. It grows by chunks, so that growing copies no values. Each chunk is half as long as all earlier
 * chunks together, so at most a third of the elements stays unused. Owned by one thread.
 * <p>A caller that accounts for memory checks {@link #wantsRoom} before it adds a value, and then reserves
 * {@link #roomBytes}.
 */
public final class ColumnBuilder {
    private static final int CHUNK_VALUES_MIN = 16;
    private static final int CHUNK_VALUES_MAX = 1 << 16;

    private final List<Column> full = new ArrayList<>();
    private Kind kind = Kind.NONE;
    private int[] ints = {};
    private long[] longs = {};
    private double[] doubles = {};
    private @Nullable Object[] objects = {};
    private int used; // number of values in the current chunk
    private int room; // length of the current chunk
    private int inFullChunks; // number of values in the full chunks
    private long fullBytes;

    /** Type of the array elements in which a column stores its values; {@code NONE} for a builder without values. */
    public enum Kind {
        NONE(0),
        INTS(Integer.BYTES),
        LONGS(Long.BYTES),
        DOUBLES(Double.BYTES),
        OBJECTS(Column.Objects.REFERENCE_BYTES);

        private final int width;

        Kind(int width) {
            this.width = width;
        }

        /** Size in bytes of one array element of this type. */
        public int width() {
            return width;
        }

        /** The element type of a column whose first value is {@code value}. */
        public static Kind of(@Nullable Object value) {
            if (value == null) {
                return OBJECTS;
            }
            Class<?> type = value.getClass();
            if (type == Integer.class) {
                return INTS;
            }
            if (type == Long.class) {
                return LONGS;
            }
            return type == Double.class ? DOUBLES : OBJECTS;
        }

        public static Kind of(Column column) {
            if (column instanceof Column.Ints) {
                return INTS;
            }
            if (column instanceof Column.Longs) {
                return LONGS;
            }
            return column instanceof Column.Doubles ? DOUBLES : OBJECTS;
        }

        /**
         * The element type of a column that can store values of this type together with values of the type {@code
         * other}.
         */
        public Kind with(Kind other) {
            if (this == NONE || this == other) {
                return other;
            }
            return other == NONE ? this : OBJECTS;
        }
    }

    public int size() {
        return inFullChunks + used;
    }

    public Kind kind() {
        return kind;
    }

    /** Size in bytes of the arrays of all chunks, without the objects to which the arrays refer. */
    public long bytes() {
        return fullBytes + (long) room * kind.width;
    }

    /** Returns whether adding a value of the type {@code added} would allocate a new chunk (array). */
    public boolean wantsRoom(Kind added) {
        return used == room || kind.with(added) != kind;
    }

    /** Size in bytes of the new chunk (array), if adding a value of the type {@code added} allocates one. */
    public long roomBytes(Kind added) {
        return (long) nextChunkLength() * kind.with(added).width;
    }

    /** Number of values of the builder's present element type that can be added before a new chunk is allocated. */
    public int left() {
        return room - used;
    }

    private int nextChunkLength() {
        return Math.max(CHUNK_VALUES_MIN, Math.min(CHUNK_VALUES_MAX, size() / 2));
    }

    public void add(@Nullable Object value) {
        if (kind == Kind.INTS && value instanceof Integer number) {
            addInt(number);
        } else {
            Kind added = Kind.of(value);
            ensureRoom(added);
            switch (kind) {
                case INTS -> ints[used] = (Integer) Objects.requireNonNull(value);
                case LONGS -> longs[used] = (Long) Objects.requireNonNull(value);
                case DOUBLES -> doubles[used] = (Double) Objects.requireNonNull(value);
                case OBJECTS -> objects[used] = value;
                case NONE -> throw new IllegalStateException("column: no kind after a value was added (expected: one)");
            }
            used++;
        }
    }

    public void addInt(int value) {
        if (kind != Kind.INTS || used == room) {
            ensureRoom(Kind.INTS);
            if (kind != Kind.INTS) {
                objects[used++] = value;
                return;
            }
        }
        ints[used++] = value;
    }

    /** Adds the values that {@code column} has from index {@code from} to before index {@code until}. */
    public void addAll(Column column, int from, int until) {
        Kind added = Kind.of(column);
        int at = from;
        while (at < until) {
            ensureRoom(added);
            int count = Math.min(until - at, room - used);
            copy(column, at, count);
            used += count;
            at += count;
        }
    }

    private void copy(Column column, int from, int count) {
        if (kind == Kind.INTS && column instanceof Column.Ints source) {
            System.arraycopy(source.values(), from, ints, used, count);
        } else if (kind == Kind.LONGS && column instanceof Column.Longs source) {
            System.arraycopy(source.values(), from, longs, used, count);
        } else if (kind == Kind.DOUBLES && column instanceof Column.Doubles source) {
            System.arraycopy(source.values(), from, doubles, used, count);
        } else {
            for (int i = 0; i < count; i++) {
                objects[used + i] = column.value(from + i);
            }
        }
    }

    /** Allocates a new chunk (array) if the current chunk cannot store one more value of the type {@code added}. */
    private void ensureRoom(Kind added) {
        if (!wantsRoom(added)) {
            return;
        }
        int length = nextChunkLength();
        closeChunk();
        kind = kind.with(added);
        room = length;
        switch (kind) {
            case INTS -> ints = new int[length];
            case LONGS -> longs = new long[length];
            case DOUBLES -> doubles = new double[length];
            case OBJECTS -> objects = new @Nullable Object[length];
            case NONE -> throw new IllegalStateException("column: no kind while a value is added (expected: one)");
        }
    }

    private void closeChunk() {
        if (used > 0) {
            full.add(current());
            inFullChunks += used;
            fullBytes += (long) room * kind.width;
        }
        used = 0;
        room = 0;
    }

    private Column current() {
        return switch (kind) {
            case INTS -> new Column.Ints(ints, used);
            case LONGS -> new Column.Longs(longs, used);
            case DOUBLES -> new Column.Doubles(doubles, used);
            case OBJECTS -> new Column.Objects(objects, used);
            case NONE -> throw new IllegalStateException("column: no kind although it has values (expected: one)");
        };
    }

    /**
     * Returns all values as the chunks (arrays) in which they were collected, and empties the builder. The chunks may
     * have different element types.
     */
    public List<Column> chunks() {
        closeChunk();
        List<Column> chunks = List.copyOf(full);
        clear();
        return chunks;
    }

    /** Returns the values as one column without unused slots, and empties the builder. */
    public Column build() {
        Kind common = kind;
        int size = size();
        List<Column> chunks = chunks();
        if (chunks.size() == 1 && chunks.get(0).size() == room(chunks.get(0))) {
            return chunks.get(0);
        }
        return join(chunks, common, size);
    }

    private static int room(Column column) {
        return (int) (column.bytes() / Kind.of(column).width);
    }

    private static Column join(List<Column> chunks, Kind kind, int size) {
        switch (kind) {
            case INTS -> {
                int[] joined = new int[size];
                copyAll(chunks, joined);
                return new Column.Ints(joined, size);
            }
            case LONGS -> {
                long[] joined = new long[size];
                copyAll(chunks, joined);
                return new Column.Longs(joined, size);
            }
            case DOUBLES -> {
                double[] joined = new double[size];
                copyAll(chunks, joined);
                return new Column.Doubles(joined, size);
            }
            case NONE, OBJECTS -> {
                @Nullable Object[] joined = new @Nullable Object[size];
                int at = 0;
                for (Column chunk : chunks) {
                    for (int i = 0; i < chunk.size(); i++) {
                        joined[at++] = chunk.value(i);
                    }
                }
                return new Column.Objects(joined, size);
            }
        }
        throw new IllegalStateException("column: kind " + kind + " (expected: a known one)");
    }

    // safe, because all chunks have the same element type as the joined array
    @SuppressWarnings("SuspiciousSystemArraycopy")
    private static void copyAll(List<Column> chunks, Object joined) {
        int at = 0;
        for (Column chunk : chunks) {
            Object values = chunk instanceof Column.Ints some
                    ? some.values()
                    : chunk instanceof Column.Longs some ? some.values() : ((Column.Doubles) chunk).values();
            System.arraycopy(values, 0, joined, at, chunk.size());
            at += chunk.size();
        }
    }

    /** Removes all values. As in a new builder, the next added value decides the element type of the column. */
    public void clear() {
        full.clear();
        kind = Kind.NONE;
        ints = new int[0];
        longs = new long[0];
        doubles = new double[0];
        objects = new @Nullable Object[0];
        used = 0;
        room = 0;
        inFullChunks = 0;
        fullBytes = 0;
    }

    @Override
    public String toString() {
        return "column of " + size() + " values as " + kind;
    }
}
