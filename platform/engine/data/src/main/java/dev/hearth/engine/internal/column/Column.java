package dev.hearth.engine.internal.column;

import org.jspecify.annotations.Nullable;

/**
 * Immutable column of values, built by a {@link ColumnBuilder}. {@link Integer}s are stored as ints, {@link Long}s as
 * longs, {@link Double}s as doubles. A column that holds nulls or values of any other type stores objects. Callers that
 * switch on the subtype read primitive values without boxing.
 */
public sealed interface Column {
    int size();

    /** The value at {@code index}; a primitive value is boxed. */
    @Nullable
    Object value(int index);

    /** Approximate size in bytes of the array, without the objects to which it refers. */
    long bytes();

    /** Column of ints: the first {@code size} elements of {@code values}. The array is never modified. */
    @SuppressWarnings("ArrayRecordComponent") // the array is never modified
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

    /** Column of longs, stored like {@link Ints}. */
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

    /** Column of doubles, stored like {@link Ints}. */
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

    /** Column of objects, each of which is immutable or belongs to one task alone. */
    @SuppressWarnings("ArrayRecordComponent")
    record Objects(@Nullable Object[] values, int size) implements Column {
        static final int REFERENCE_BYTES = 4; // an approximation: references take 8 bytes in heaps over 32 GB

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
