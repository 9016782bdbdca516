package dev.hearth.engine.internal.aggregate;

/** Iterates once over the merged groups of spilled runs. Closing it releases memory and files. */
interface SpilledGroups extends AutoCloseable {
    boolean hasNext();

    /** Moves the cursor to the next key, which must exist. */
    void next(GroupCursor cursor);

    @Override
    void close();
}
