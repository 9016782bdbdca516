package dev.hearth.engine.internal.plan;

import dev.hearth.spi.net.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Result of a task: an immutable value, or its serialised bytes. {@code weight} is its size, which counts towards the
 * bound on the results of a job.
 */
public sealed interface TaskResult {
    TaskResult NONE = new Shared(null, 0);

    long weight();

    record Shared(@Nullable Object value, long weight) implements TaskResult {}

    /**
     * A result that is too large for a message. Its executor serves the {@code weight} bytes until the driver has
     * fetched them.
     */
    record Indirect(long weight) implements TaskResult {}

    record Encoded(Bytes bytes) implements TaskResult {
        @Override
        public long weight() {
            return bytes.size();
        }
    }
}
