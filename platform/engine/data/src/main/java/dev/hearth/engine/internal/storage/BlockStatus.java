package dev.hearth.engine.internal.storage;

/** Status of a block: its bytes in memory and on disk. Both are 0 if the block is gone. */
public record BlockStatus(BlockId block, long records, long memoryBytes, long diskBytes) {
    public static BlockStatus gone(BlockId block) {
        return new BlockStatus(block, 0, 0, 0);
    }

    public boolean isKept() {
        return memoryBytes > 0 || diskBytes > 0;
    }
}
