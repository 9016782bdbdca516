package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import org.jspecify.annotations.Nullable;

/** Takes the pairs of a shuffle, one by one, in columns or as bytes. Owned by the thread that calls. */
public interface PairConsumer {
    void pair(@Nullable Object key, @Nullable Object value);

    /** As many pairs as the columns are long. Receivers that know kinds of columns save the boxes. */
    default void columns(Column keys, Column values) {
        for (int i = 0; i < keys.size(); i++) {
            pair(keys.value(i), values.value(i));
        }
    }

    /**
     * Pairs as bytes, key and value in turn, whole ones from {@code from} to {@code until}, which {@code reader} understands.
     * {@code lasting}: the page never changes and may be held on to; else it is the caller's own again once this returns.
     */
    default void encoded(byte[] page, int from, int until, boolean lasting, RecordFormat.Reader reader) {
        RecordInput in = new RecordInput().on(page, from, until);
        while (in.hasMore()) {
            Object key = reader.read(in);
            pair(key, reader.read(in));
        }
    }
}
