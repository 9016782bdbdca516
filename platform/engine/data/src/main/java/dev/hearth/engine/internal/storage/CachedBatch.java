package dev.hearth.engine.internal.storage;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import org.jspecify.annotations.Nullable;

/** Some of a block's elements in memory. Immutable, and shared by all who read the block. */
sealed interface CachedBatch {
    int records();

    /** Values that cannot change. */
    sealed interface Values extends CachedBatch {
        @Nullable
        Object value(int index);
    }

    /** One after the other. */
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

    /** Pairs, their keys and values apart. */
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

    /** Whole records as bytes, for each reader to make objects of its own. */
    @SuppressWarnings("ArrayRecordComponent") // never changed by anybody
    record Page(byte[] bytes, int records) implements CachedBatch {}
}
