package dev.hearth.engine.internal.plan;

import dev.hearth.spi.net.Bytes;
import org.jspecify.annotations.Nullable;

/** What a task hands to the driver: a value that cannot change, or bytes. {@code weight} counts for the bound on results. */
public sealed interface TaskResult {
    TaskResult NONE = new Shared(null, 0);

    long weight();

    record Shared(@Nullable Object value, long weight) implements TaskResult {}

    /** What lies at its executor until the driver has fetched it: so many bytes. */
    record Indirect(long weight) implements TaskResult {}

    record Encoded(Bytes bytes) implements TaskResult {
        @Override
        public long weight() {
            return bytes.size();
        }
    }
}
