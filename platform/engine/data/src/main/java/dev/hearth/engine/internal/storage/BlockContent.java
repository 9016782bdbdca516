package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.PartitionedFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Content of a block, in memory or on disk. The batches and the file never change; the lock of {@link BlockStore}
 * guards the number of readers and whether the content was dropped. Its memory and file are released once it is
 * dropped and no reader is left.
 */
final class BlockContent {
    final long records;
    final List<CachedBatch> batches; // empty if it is on disk
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
        this.diskBytes = file == null ? 0 : Math.max(1, file.bytes(0)); // an empty file counts as well
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

    /** Whether it must be released now. */
    boolean endReading() {
        readers--;
        return mayRelease();
    }

    /** Whether it must be released now. */
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
