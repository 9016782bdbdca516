package dev.hearth.spi.monitor;

import dev.hearth.api.StorageLevel;
import java.util.List;

/** A dataset that is kept: what it is shown as, how it is kept, and the partitions of it that are there by now, in their order. */
public record CachedDatasetView(int id, String name, StorageLevel level, int partitions, List<CachedBlockView> blocks) {
    public CachedDatasetView {
        blocks = List.copyOf(blocks);
    }

    /** How many partitions are kept by any executor. */
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
