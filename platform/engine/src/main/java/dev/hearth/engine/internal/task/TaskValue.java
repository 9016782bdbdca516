package dev.hearth.engine.internal.task;

import dev.hearth.spi.rpc.Bytes;
import org.jspecify.annotations.Nullable;

/** What a task hands to the driver: a value that cannot change, or bytes. {@code weight} counts for the bound on results. */
public sealed interface TaskValue {
    TaskValue NONE = new Shared(null, 0);

    long weight();

    record Shared(@Nullable Object value, long weight) implements TaskValue {}

    /** What lies at its executor until the driver has fetched it: so many bytes. */
    record Held(long weight) implements TaskValue {}

    record Encoded(Bytes bytes) implements TaskValue {
        @Override
        public long weight() {
            return bytes.size();
        }
    }
}
