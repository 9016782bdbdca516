package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import org.jspecify.annotations.Nullable;

/**
 * Consumer of the pairs of a shuffle, which arrive as single pairs, as columns or as serialised bytes. Owned by the
 * calling thread.
 */
public interface PairConsumer {
    void pair(@Nullable Object key, @Nullable Object value);

    /**
     * Accepts the pairs of two columns of equal size: the key and the value at each index. Implementations that read
     * primitive columns directly avoid boxing.
     */
    default void columns(Column keys, Column values) {
        for (int i = 0; i < keys.size(); i++) {
            pair(keys.value(i), values.value(i));
        }
    }

    /**
     * Accepts serialised pairs, each a key followed by its value: the bytes of {@code page} from {@code from} to before
     * {@code until}. {@code reader} deserialises them. If {@code lasting}, the page never changes, and the consumer may
     * keep it. Otherwise the caller reuses the page after this call.
     */
    default void encoded(byte[] page, int from, int until, boolean lasting, RecordFormat.Reader reader) {
        RecordInput in = new RecordInput().on(page, from, until);
        while (in.hasMore()) {
            Object key = reader.read(in);
            pair(key, reader.read(in));
        }
    }
}
