package dev.hearth.engine.internal.plan;

import dev.hearth.spi.net.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Result of a task: an immutable value, or the serialised bytes of a value. {@code weight} is the result's size, which
 * counts towards the bound on the total size of results.
 */
public sealed interface TaskResult {
    TaskResult NONE = new Shared(null, 0);

    long weight();

    record Shared(@Nullable Object value, long weight) implements TaskResult {}

    /**
     * A result that is too large for a message. The executor that ran the task serves the result, of {@code weight}
     * bytes, until the driver has fetched it.
     */
    record Indirect(long weight) implements TaskResult {}

    record Encoded(Bytes bytes) implements TaskResult {
        @Override
        public long weight() {
            return bytes.size();
        }
    }
}
