package dev.hearth.engine.internal.memory;

/** Something of a task that holds memory and can give it back by writing to disk. Called by the task's own thread alone. */
public interface Spillable {
    /** Gives back at least {@code wanted} bytes if it can; returns how many it gave back through its {@link TaskMemory}. */
    long spill(long wanted);
}
