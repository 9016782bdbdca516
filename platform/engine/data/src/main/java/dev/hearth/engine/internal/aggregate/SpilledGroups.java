package dev.hearth.engine.internal.aggregate;

/** Iterates over groups that were spilled, each once. Closing it releases memory and files. */
interface SpilledGroups extends AutoCloseable {
    boolean hasNext();

    /** Moves the cursor to the next key, which must exist. */
    void next(GroupCursor cursor);

    @Override
    void close();
}
