package dev.hearth.spi.monitor;

import dev.hearth.api.StorageLevel;
import java.util.List;

/**
 * Cached dataset: its display name, storage level, total number of partitions, and cached partitions in order.
 * Immutable.
 */
public record CachedDatasetView(int id, String name, StorageLevel level, int partitions, List<CachedBlockView> blocks) {
    public CachedDatasetView {
        blocks = List.copyOf(blocks);
    }

    /** Number of partitions of this dataset that are cached on at least one executor. */
    public int keptPartitions() {
        return (int)
                blocks.stream().mapToInt(CachedBlockView::partition).distinct().count();
    }

    public long memoryBytes() {
        return blocks.stream().mapToLong(CachedBlockView::memoryBytes).sum();
    }

    public long diskBytes() {
        return blocks.stream().mapToLong(CachedBlockView::diskBytes).sum();
    }
}
