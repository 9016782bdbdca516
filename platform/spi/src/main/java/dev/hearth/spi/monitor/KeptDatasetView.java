package dev.hearth.spi.monitor;

import dev.hearth.api.StorageLevel;
import java.util.List;

/** A dataset that is kept: what it is shown as, how it is kept, and the partitions of it that are there by now, in their order. */
public record KeptDatasetView(int id, String name, StorageLevel level, int partitions, List<KeptBlockView> blocks) {
    public KeptDatasetView {
        blocks = List.copyOf(blocks);
    }

    /** How many partitions are kept by any executor. */
    public int keptPartitions() {
        return (int)
                blocks.stream().mapToInt(KeptBlockView::partition).distinct().count();
    }

    public long memoryBytes() {
        return blocks.stream().mapToLong(KeptBlockView::memoryBytes).sum();
    }

    public long diskBytes() {
        return blocks.stream().mapToLong(KeptBlockView::diskBytes).sum();
    }
}
