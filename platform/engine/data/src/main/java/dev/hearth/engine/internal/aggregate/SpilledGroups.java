package dev.hearth.engine.internal.aggregate;

/** The groups that were on disk, each once. Closing it gives back memory and files. */
interface SpilledGroups extends AutoCloseable {
    boolean hasNext();

    /** Sets the cursor on the next key, which there is. */
    void next(GroupCursor cursor);

    @Override
    void close();
}
