package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.PartitionedFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elements of a block, as batches in memory or as a file. The batches and the file never change. The lock of
 * {@link BlockStore} guards the number of readers and whether the content was dropped. Memory and file are released
 * once the content was dropped and has no reader.
 */
final class BlockContent {
    final long records;
    final List<CachedBatch> batches; // empty if the elements are on disk
    final long memoryBytes;
    final @Nullable PartitionedFile file;
    final long diskBytes;
    private int readers;
    private boolean dropped;
    private boolean released;

    private BlockContent(long records, List<CachedBatch> batches, long memoryBytes, @Nullable PartitionedFile file) {
        this.records = records;
        this.batches = batches;
        this.memoryBytes = memoryBytes;
        this.file = file;
        this.diskBytes = file == null ? 0 : Math.max(1, file.bytes(0)); // an empty file is on disk as well
    }

    static BlockContent inMemory(long records, List<CachedBatch> batches, long memoryBytes) {
        return new BlockContent(records, List.copyOf(batches), memoryBytes, null);
    }

    static BlockContent onDisk(long records, PartitionedFile file) {
        return new BlockContent(records, List.of(), 0, file);
    }

    boolean isRead() {
        return readers > 0;
    }

    void beginReading() {
        readers++;
    }

    /**
     * Records that one reader of this content has ended. Returns true if the content is dropped and this was its last
     * reader. The caller must then release the content's memory and file.
     */
    boolean endReading() {
        readers--;
        return mayRelease();
    }

    /**
     * Marks this content as dropped: no block of the store has it any more. Returns true if the content has no reader.
     * The caller must then release the content's memory and file; otherwise the last reader does.
     */
    boolean drop() {
        dropped = true;
        return mayRelease();
    }

    private boolean mayRelease() {
        boolean now = dropped && readers == 0 && !released;
        released |= now;
        return now;
    }
}
