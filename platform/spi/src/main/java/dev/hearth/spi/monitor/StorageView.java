package dev.hearth.spi.monitor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Cached datasets of an application. {@code memoryMax} maps executors to their storage memory limits in bytes, without
 * executors whose limit is unknown.
 */
public record StorageView(List<CachedDatasetView> datasets, Map<String, Long> memoryMax) {
    /** Nothing is cached. */
    public static final StorageView NOTHING = new StorageView(List.of(), Map.of());

    public StorageView {
        datasets = List.copyOf(datasets);
        memoryMax = Collections.unmodifiableMap(new TreeMap<>(memoryMax));
    }

    /** All cached blocks on the executor with id {@code executor}. */
    public List<CachedBlockView> on(String executor) {
        return datasets.stream()
                .flatMap(dataset -> dataset.blocks().stream())
                .filter(block -> block.executor().equals(executor))
                .toList();
    }
}
