package dev.hearth.engine.internal.column;

import org.jspecify.annotations.Nullable;

/**
 * Values one after another, immutable once built by a {@link ColumnBuilder}: all {@link Integer} as ints, all {@link Long} as
 * longs, all {@link Double} as doubles, anything else, nulls too, as objects. Whoever asks by the kind never boxes.
 */
public sealed interface Column {
    int size();

    /** A value, boxed. */
    @Nullable
    Object value(int index);

    /** About the memory this takes, without what objects refer to. */
    long bytes();

    /** Integers; {@code values} may be longer than {@code size}, and is never written to. */
    @SuppressWarnings("ArrayRecordComponent") // never changed by anybody
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

    /** Longs, as {@link Ints}. */
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

    /** Doubles, as {@link Ints}. */
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

    /** Objects that nobody can change, or that belong to one task alone. */
    @SuppressWarnings("ArrayRecordComponent")
    record Objects(@Nullable Object[] values, int size) implements Column {
        static final int REFERENCE_BYTES = 4; // heaps over 32 GB take twice as much

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
