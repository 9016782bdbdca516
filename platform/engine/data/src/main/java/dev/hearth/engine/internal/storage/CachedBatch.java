package dev.hearth.engine.internal.storage;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import org.jspecify.annotations.Nullable;

/** Batch of elements of a block in memory. Immutable and shared by all readers. */
sealed interface CachedBatch {
    int records();

    /** Immutable values, not serialised. */
    sealed interface Values extends CachedBatch {
        @Nullable
        Object value(int index);
    }

    /** Elements in one column. */
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

    /** Pairs, with keys and values in separate columns. */
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

    /** Whole serialised records, deserialised by each reader for itself. */
    @SuppressWarnings("ArrayRecordComponent") // the array never changes
    record Page(byte[] bytes, int records) implements CachedBatch {}
}
