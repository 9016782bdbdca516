package dev.hearth.engine.internal.storage;

/**
 * Receives changes of cached blocks, those of one block in their order. Any thread may call it under the lock of the
 * block store, so it must be quick and must not call the store.
 */
@FunctionalInterface
public interface BlockListener {
    void changed(BlockStatus status);
}
