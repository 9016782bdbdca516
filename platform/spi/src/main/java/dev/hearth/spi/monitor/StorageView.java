package dev.hearth.spi.monitor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an application keeps, by dataset, and the bytes that executors may keep at most, as far as that is known. */
public record StorageView(List<CachedDatasetView> datasets, Map<String, Long> memoryMax) {
    /** Where nothing is kept. */
    public static final StorageView NOTHING = new StorageView(List.of(), Map.of());

    public StorageView {
        datasets = List.copyOf(datasets);
        memoryMax = Collections.unmodifiableMap(new TreeMap<>(memoryMax));
    }

    /** What all datasets have on one executor. */
    public List<CachedBlockView> on(String executor) {
        return datasets.stream()
                .flatMap(dataset -> dataset.blocks().stream())
                .filter(block -> block.executor().equals(executor))
                .toList();
    }
}
