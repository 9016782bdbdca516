package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.shuffle.ShuffleReadContext;

/** Broadcast values of an application for the tasks of one process. Any thread may call. */
@FunctionalInterface
public interface BroadcastValues {
    /** Returns a value; {@code task} may have to wait for the value. Fails if the value has been destroyed. */
    Object value(long id, ShuffleReadContext task);
}
