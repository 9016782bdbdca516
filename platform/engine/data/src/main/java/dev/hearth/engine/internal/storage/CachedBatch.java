package dev.hearth.engine.internal.storage;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import org.jspecify.annotations.Nullable;

/** Batch of successive elements of a block that is in memory. Immutable; shared by all readers of the block. */
sealed interface CachedBatch {
    int records();

    /** Batch of immutable elements that are stored as objects or primitive numbers, without serialisation. */
    sealed interface Values extends CachedBatch {
        @Nullable
        Object value(int index);
    }

    /** Batch whose elements are the values of one column. */
    record Single(Column column) implements Values {
        @Override
        public int records() {
            return column.size();
        }

        @Override
        public @Nullable Object value(int index) {
            return column.value(index);
        }
    }

    /** Batch of elements that all are pairs, with their keys and their values in separate columns. */
    record Pairs(Column keys, Column values) implements Values {
        @Override
        public int records() {
            return keys.size();
        }

        @Override
        public Object value(int index) {
            return new Pair<>(keys.value(index), values.value(index));
        }
    }

    /**
     * Batch of whole serialised records. Each reader deserialises them for itself, so that readers share no mutable
     * objects.
     */
    @SuppressWarnings("ArrayRecordComponent") // the array never changes, so sharing it is safe
    record Page(byte[] bytes, int records) implements CachedBatch {}
}
