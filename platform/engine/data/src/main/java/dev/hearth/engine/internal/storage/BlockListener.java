package dev.hearth.engine.internal.storage;

/**
 * Receives changes of blocks, in order for each block. Called by any thread under the lock of the block store:
 * must be quick and must not call the store.
 */
@FunctionalInterface
public interface BlockListener {
    void changed(BlockStatus status);
}
