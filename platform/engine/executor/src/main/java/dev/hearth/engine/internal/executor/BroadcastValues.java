package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.shuffle.ShuffleReadContext;

/** The broadcast values of an application, as its tasks in one process have them. Any thread may call. */
@FunctionalInterface
public interface BroadcastValues {
    /** A value, for which {@code task} may have to wait; fails when it was destroyed. */
    Object value(long id, ShuffleReadContext task);
}
