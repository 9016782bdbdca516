package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import org.jspecify.annotations.Nullable;

/** Takes the pairs of a shuffle, one by one or in columns. Owned by the thread that calls. */
public interface PairReceiver {
    void pair(@Nullable Object key, @Nullable Object value);

    /** As many pairs as the columns are long. Receivers that know kinds of columns save the boxes. */
    default void columns(Column keys, Column values) {
        for (int i = 0; i < keys.size(); i++) {
            pair(keys.value(i), values.value(i));
        }
    }
}
