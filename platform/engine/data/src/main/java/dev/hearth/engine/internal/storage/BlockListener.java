package dev.hearth.engine.internal.storage;

/** Hears what becomes of blocks, in order for each. Called by any thread under the lock of the blocks: quick, and calls nothing of them. */
@FunctionalInterface
public interface BlockListener {
    void changed(BlockStatus status);
}
