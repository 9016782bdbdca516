package dev.hearth.engine.internal.storage;

/** How a block is kept by now: what it takes in memory and on disk. Neither means that it is gone. */
public record BlockStatus(BlockId block, long records, long memoryBytes, long diskBytes) {
    public static BlockStatus gone(BlockId block) {
        return new BlockStatus(block, 0, 0, 0);
    }

    public boolean isKept() {
        return memoryBytes > 0 || diskBytes > 0;
    }
}
