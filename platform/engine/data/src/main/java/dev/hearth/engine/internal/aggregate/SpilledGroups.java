package dev.hearth.engine.internal.aggregate;

/**
 * Iterates once over the groups that were merged from spilled runs (sorted spill files). Closing it releases memory and
 * files.
 */
interface SpilledGroups extends AutoCloseable {
    boolean hasNext();

    /** Moves {@code cursor} to the next group. The caller has checked by {@link #hasNext} that there is one. */
    void next(GroupCursor cursor);

    @Override
    void close();
}
