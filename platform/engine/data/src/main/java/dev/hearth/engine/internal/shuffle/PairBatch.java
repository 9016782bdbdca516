package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordFormat;

/** Batch of pairs in memory, which one map task has written for one reducer. Immutable. */
sealed interface PairBatch {
    /** Size in bytes of this batch's arrays, without the objects to which they refer. */
    long bytes();

    void send(PairConsumer receiver, RecordFormat.Reader reader);

    /** Batch of pairs as two columns of immutable keys and values, which need no serialisation. */
    record Columns(Column keys, Column values) implements PairBatch {
        @Override
        public long bytes() {
            return keys.bytes() + values.bytes();
        }

        @Override
        public void send(PairConsumer receiver, RecordFormat.Reader reader) {
            receiver.columns(keys, values);
        }
    }

    /**
     * Batch of serialised pairs, each a key followed by its value, in the first {@code length} bytes of {@code array}.
     */
    @SuppressWarnings("ArrayRecordComponent") // the array never changes, so sharing it is safe
    record Page(byte[] array, int length) implements PairBatch {
        @Override
        public long bytes() {
            return array.length;
        }

        @Override
        public void send(PairConsumer receiver, RecordFormat.Reader reader) {
            receiver.encoded(array, 0, length, true, LazyRecordReader.unwrapped(reader));
        }
    }
}
