package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordFormat;

/** Batch of pairs of one map task for one reducer, in memory. Immutable. */
sealed interface PairBatch {
    /** Size of this batch, without the objects that it refers to. */
    long bytes();

    void send(PairConsumer receiver, RecordFormat.Reader reader);

    /** Pairs as two columns of immutable values, which need no serialisation. */
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

    /** Serialised pairs, each a key followed by its value, in the first {@code length} bytes of the array. */
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
