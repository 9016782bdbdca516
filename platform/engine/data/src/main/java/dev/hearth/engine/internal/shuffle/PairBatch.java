package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordFormat;

/** Some pairs of one map task for one reader, in memory. Immutable. */
sealed interface PairBatch {
    /** What it takes, without what objects refer to. */
    long bytes();

    void send(PairConsumer receiver, RecordFormat.Reader reader);

    /** Values that nobody can change, as they are. */
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

    /** Keys and values in turn as records; the array may be longer than {@code length}. */
    @SuppressWarnings("ArrayRecordComponent") // never changed by anybody
    record Page(byte[] array, int length) implements PairBatch {
        @Override
        public long bytes() {
            return array.length;
        }

        @Override
        public void send(PairConsumer receiver, RecordFormat.Reader reader) {
            receiver.encoded(array, 0, length, true, LazyRecordReader.made(reader));
        }
    }
}
