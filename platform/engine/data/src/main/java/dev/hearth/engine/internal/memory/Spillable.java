package dev.hearth.engine.internal.memory;

/**
 * Consumer of execution memory, such as a sort, that can release memory by spilling to disk. Called only by its task's
 * own thread.
 */
public interface Spillable {
    /**
     * Spills at least {@code wanted} bytes if it can. Returns the number of bytes that it released through its
     * {@link TaskMemory}.
     */
    long spill(long wanted);
}
