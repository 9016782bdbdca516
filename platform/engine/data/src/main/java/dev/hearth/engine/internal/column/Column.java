package dev.hearth.engine.internal.column;

import org.jspecify.annotations.Nullable;

/**
 * Immutable column of values, built by a {@link ColumnBuilder}. {@link Integer}s are stored as ints, {@link Long}s as
 * longs, {@link Double}s as doubles; a column that holds anything else, or nulls, stores objects. Callers that switch
 * on the subtype read primitive values without boxing.
 */
public sealed interface Column {
    int size();

    /** The value at {@code index}, boxed. */
    @Nullable
    Object value(int index);

    /** Approximate bytes of the array, without the objects it refers to. */
    long bytes();

    /** Column of ints: the first {@code size} elements of {@code values}, which is never modified. */
    @SuppressWarnings("ArrayRecordComponent") // never modified
    record Ints(int[] values, int size) implements Column {
        @Override
        public Integer value(int index) {
            return values[index];
        }

        @Override
        public long bytes() {
            return (long) values.length * Integer.BYTES;
        }
    }

    /** Column of longs, like {@link Ints}. */
    @SuppressWarnings("ArrayRecordComponent")
    record Longs(long[] values, int size) implements Column {
        @Override
        public Long value(int index) {
            return values[index];
        }

        @Override
        public long bytes() {
            return (long) values.length * Long.BYTES;
        }
    }

    /** Column of doubles, like {@link Ints}. */
    @SuppressWarnings("ArrayRecordComponent")
    record Doubles(double[] values, int size) implements Column {
        @Override
        public Double value(int index) {
            return values[index];
        }

        @Override
        public long bytes() {
            return (long) values.length * Double.BYTES;
        }
    }

    /** Column of objects that are immutable or belong to one task alone. */
    @SuppressWarnings("ArrayRecordComponent")
    record Objects(@Nullable Object[] values, int size) implements Column {
        static final int REFERENCE_BYTES = 4; // 8 in heaps over 32 GB

        @Override
        public @Nullable Object value(int index) {
            return values[index];
        }

        @Override
        public long bytes() {
            return (long) values.length * REFERENCE_BYTES;
        }
    }
}
