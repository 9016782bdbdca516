package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.PartitionedFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a block holds, in memory or on disk. Chunks and file never change; the readers and whether it was given up are guarded by
 * the lock of {@link BlockStore}. Memory and file are given back once it was given up and nobody reads it any more.
 */
final class BlockContent {
    final long records;
    final List<CachedBatch> chunks; // none when it is on disk
    final long memoryBytes;
    final @Nullable PartitionedFile segment;
    final long diskBytes;
    private int readers;
    private boolean givenUp;
    private boolean released;

    private BlockContent(long records, List<CachedBatch> chunks, long memoryBytes, @Nullable PartitionedFile segment) {
        this.records = records;
        this.chunks = chunks;
        this.memoryBytes = memoryBytes;
        this.segment = segment;
        this.diskBytes = segment == null ? 0 : Math.max(1, segment.bytes(0)); // an empty part is kept all the same
    }

    static BlockContent inMemory(long records, List<CachedBatch> chunks, long memoryBytes) {
        return new BlockContent(records, List.copyOf(chunks), memoryBytes, null);
    }

    static BlockContent onDisk(long records, PartitionedFile segment) {
        return new BlockContent(records, List.of(), 0, segment);
    }

    boolean isRead() {
        return readers > 0;
    }

    void beginReading() {
        readers++;
    }

    /** Whether it is to be released now. */
    boolean endReading() {
        readers--;
        return mayRelease();
    }

    /** Whether it is to be released now. */
    boolean giveUp() {
        givenUp = true;
        return mayRelease();
    }

    private boolean mayRelease() {
        boolean now = givenUp && readers == 0 && !released;
        released |= now;
        return now;
    }
}
