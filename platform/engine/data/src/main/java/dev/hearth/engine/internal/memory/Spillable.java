package dev.hearth.engine.internal.memory;

/** A consumer of execution memory that can release it by spilling to disk. Called only by its task's own thread. */
public interface Spillable {
    /** Spills at least {@code wanted} bytes if it can; returns how many it released through its {@link TaskMemory}. */
    long spill(long wanted);
}
