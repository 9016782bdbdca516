package dev.hearth.engine.internal.executor;

/** What an attempt leaves for other tasks. Owned by the attempt; exactly one of the two is called, by its thread, when it ends. */
interface TaskOutput {
    /** The attempt has succeeded: others may have it now. */
    void publish();

    /** It has not: memory and files go. */
    void discard();
}
