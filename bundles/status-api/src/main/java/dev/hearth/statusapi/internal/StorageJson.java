package dev.hearth.statusapi.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.api.StorageLevel;
import dev.hearth.spi.monitor.CachedBlockView;
import dev.hearth.spi.monitor.CachedDatasetView;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.StorageView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes cached datasets as JSON. Stateless. */
final class StorageJson {
    private StorageJson() {}

    static void summary(CachedDatasetView dataset, JsonGenerator out) throws IOException {
        out.writeStartObject();
        fields(dataset, out);
        out.writeEndObject();
    }

    /** Writes a dataset with its partitions and with the memory it uses on each executor. */
    static void dataset(CachedDatasetView dataset, StorageView storage, List<ExecutorView> executors, JsonGenerator out)
            throws IOException {
        Map<String, String> hosts = executors.stream()
                .collect(Collectors.toMap(ExecutorView::id, ExecutorView::host, (first, second) -> second));
        out.writeStartObject();
        fields(dataset, out);
        out.writeArrayFieldStart("dataDistribution");
        List<String> keeping = dataset.blocks().stream()
                .map(CachedBlockView::executor)
                .distinct()
                .toList();
        for (String executor : keeping) {
            distribution(dataset, executor, hosts.getOrDefault(executor, executor), storage, out);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("partitions");
        Map<Integer, List<CachedBlockView>> partitions = dataset.blocks().stream()
                .collect(Collectors.groupingBy(CachedBlockView::partition, TreeMap::new, Collectors.toList()));
        for (List<CachedBlockView> replicas : partitions.values()) {
            partition(dataset, replicas, out);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Writes one cached partition of {@code dataset} with the executors that cache it, given by {@code replicas}. */
    private static void partition(CachedDatasetView dataset, List<CachedBlockView> replicas, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeStringField(
                "blockName", "rdd_" + dataset.id() + "_" + replicas.get(0).partition());
        out.writeStringField("storageLevel", described(dataset.level()));
        out.writeNumberField(
                "memoryUsed",
                replicas.stream().mapToLong(CachedBlockView::memoryBytes).sum());
        out.writeNumberField(
                "diskUsed",
                replicas.stream().mapToLong(CachedBlockView::diskBytes).sum());
        JsonBody.texts(
                out,
                "executors",
                replicas.stream().map(CachedBlockView::executor).toList());
        out.writeEndObject();
    }

    private static void fields(CachedDatasetView dataset, JsonGenerator out) throws IOException {
        out.writeNumberField("id", dataset.id());
        out.writeStringField("name", dataset.name().isEmpty() ? "dataset " + dataset.id() : dataset.name());
        out.writeNumberField("numPartitions", dataset.partitions());
        out.writeNumberField("numCachedPartitions", dataset.keptPartitions());
        out.writeStringField("storageLevel", described(dataset.level()));
        out.writeNumberField("memoryUsed", dataset.memoryBytes());
        out.writeNumberField("diskUsed", dataset.diskBytes());
    }

    private static void distribution(
            CachedDatasetView dataset, String executor, String address, StorageView storage, JsonGenerator out)
            throws IOException {
        List<CachedBlockView> blocks = dataset.blocks().stream()
                .filter(block -> block.executor().equals(executor))
                .toList();
        long memory = blocks.stream().mapToLong(CachedBlockView::memoryBytes).sum();
        long used = storage.on(executor).stream()
                .mapToLong(CachedBlockView::memoryBytes)
                .sum();
        long left = Math.max(0, storage.memoryMax().getOrDefault(executor, 0L) - used);
        out.writeStartObject();
        out.writeStringField("address", address);
        out.writeNumberField("memoryUsed", memory);
        out.writeNumberField("memoryRemaining", left);
        out.writeNumberField(
                "diskUsed",
                blocks.stream().mapToLong(CachedBlockView::diskBytes).sum());
        out.writeNumberField("onHeapMemoryUsed", memory);
        out.writeNumberField("offHeapMemoryUsed", 0);
        out.writeNumberField("onHeapMemoryRemaining", left);
        out.writeNumberField("offHeapMemoryRemaining", 0);
        out.writeEndObject();
    }

    /** Writes the storage memory of an executor. All of it is reported as on-heap memory. */
    static void memory(long used, long most, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("memoryMetrics");
        out.writeNumberField("usedOnHeapStorageMemory", used);
        out.writeNumberField("usedOffHeapStorageMemory", 0);
        out.writeNumberField("totalOnHeapStorageMemory", most);
        out.writeNumberField("totalOffHeapStorageMemory", 0);
        out.writeEndObject();
    }

    /**
     * Returns the text with which Spark displays a storage level, such as {@code Memory Deserialized 1x Replicated}.
     */
    private static String described(StorageLevel level) {
        String where = (level.usesDisk() ? "Disk " : "") + (level.usesMemory() ? "Memory " : "");
        return where + (level.asObjects() ? "Deserialized " : "Serialized ") + level.replicas() + "x Replicated";
    }
}
