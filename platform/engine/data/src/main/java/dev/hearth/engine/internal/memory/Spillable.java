package dev.hearth.engine.internal.memory;

/**
 * Consumer of execution memory, such as a sort, that can release memory by spilling to disk. Called only by its task's
 * own thread.
 */
public interface Spillable {
    /**
     * Spills data of at least {@code wanted} bytes if this consumer can. Returns the number of bytes that the spill has
     * released to the consumer's {@link TaskMemory}.
     */
    long spill(long wanted);
}
