package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.shuffle.ShuffleReadContext;

/** Broadcast values of an application for the tasks of one process. Any thread may call. */
@FunctionalInterface
public interface BroadcastValues {
    /**
     * Returns the broadcast value {@code id}. The thread of {@code task} waits while the value is fetched. Fails if the
     * application has destroyed the value.
     */
    Object value(long id, ShuffleReadContext task);
}
