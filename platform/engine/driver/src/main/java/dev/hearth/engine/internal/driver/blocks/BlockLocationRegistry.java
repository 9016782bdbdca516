package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dag.RecentNames;
import dev.hearth.engine.internal.dataset.CacheStatus;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockListener;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.monitor.CachedBlockView;
import dev.hearth.spi.monitor.CachedDatasetView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * Registry of an application's persisted datasets and of the executors that cache their blocks. The locations may be
 * slightly out of date. That suffices for planning and status pages, because tasks look up blocks themselves. Guarded
 * by its own lock. While the lock is held, the registry calls no other component except the callback {@code
 * unpersisted}.
 */
public final class BlockLocationRegistry implements CacheStatus, BlockListener {
    private static final int LOST_EXECUTORS_MAX = 10_000; // remembered ids

    private final Map<Integer, PersistedDataset> datasets = new LinkedHashMap<>();
    private final IntConsumer unpersisted;
    private final Map<String, RemoteHolder> others = new LinkedHashMap<>(); // executors in other processes
    private final RecentNames lost = new RecentNames(LOST_EXECUTORS_MAX); // ids of lost executors; ids are never reused
    private String executor = ""; // id of the executor in this process

    /**
     * One persisted dataset: its name and storage level, and the executors that cache its blocks. Guarded by the lock
     * of the registry.
     */
    private static final class PersistedDataset {
        final int partitions;
        final Map<Integer, Map<String, CachedBlockView>> blocks = new TreeMap<>(); // by partition, then by executor id
        final Map<String, PartitionSet> partitionsOn = new LinkedHashMap<>(); // by executor
        final Set<Integer> underReplicated = new LinkedHashSet<>(); // partitions with too few replicas
        String name;
        StorageLevel level;
        boolean pinned; // locally checkpointed: lost blocks cannot be computed again

        PersistedDataset(String name, int partitions, StorageLevel level) {
            this.name = name;
            this.partitions = partitions;
            this.level = level;
        }

        /**
         * Records that an executor caches a block of this dataset. Returns true if the executor did not cache the block
         * before.
         */
        boolean put(CachedBlockView block) {
            boolean isNew = blocks.computeIfAbsent(block.partition(), missing -> new TreeMap<>())
                            .put(block.executor(), block)
                    == null;
            if (isNew) {
                partitionsOn
                        .computeIfAbsent(block.executor(), missing -> new PartitionSet())
                        .add(block.partition());
                checkReplicas(block.partition());
            }
            return isNew;
        }

        /**
         * Records that an executor no longer caches a block of this dataset. Returns false if the executor did not
         * cache the block.
         */
        boolean remove(int partition, String executor) {
            PartitionSet held = partitionsOn.get(executor);
            if (held == null || !held.remove(partition)) {
                return false;
            }
            if (held.size() == 0) {
                partitionsOn.remove(executor);
            }
            removeFrom(partition, executor);
            return true;
        }

        /** Records that an executor no longer caches any block of this dataset, because the executor was lost. */
        void removeAll(String executor) {
            PartitionSet held = partitionsOn.remove(executor);
            if (held != null) {
                held.forEach(partition -> removeFrom(partition, executor));
            }
        }

        private void removeFrom(int partition, String executor) {
            Map<String, CachedBlockView> on = blocks.get(partition);
            if (on != null && on.remove(executor) != null && on.isEmpty()) {
                blocks.remove(partition);
            }
            checkReplicas(partition);
        }

        void level(StorageLevel now) {
            level = now;
            blocks.keySet().forEach(this::checkReplicas);
        }

        private void checkReplicas(int partition) {
            Map<String, CachedBlockView> on = blocks.get(partition);
            if (on != null && level.replicas() > 1 && on.size() < level.replicas()) {
                underReplicated.add(partition);
            } else {
                underReplicated.remove(partition);
            }
        }
    }

    /** An executor in another process: its memory for cached blocks, and the number of blocks that it caches. */
    private static final class RemoteHolder {
        final String id; // one string object for all blocks, because each message has its own copy
        final String host;
        long memoryMax;
        int blocks; // cached there

        RemoteHolder(String id, String host) {
            this.id = id;
            this.host = host;
        }
    }

    /**
     * Creates an empty registry. The callback {@code unpersisted} receives the id of a dataset that has a newly cached
     * block although the dataset is not persisted any more. The callback must not call this registry.
     */
    BlockLocationRegistry(IntConsumer unpersisted) {
        this.unpersisted = unpersisted;
    }

    /**
     * Registers a dataset as persisted. Returns false if it is already registered. Fails if {@code level} is
     * {@code NONE}.
     */
    synchronized boolean persist(int dataset, String name, int partitions, StorageLevel level) {
        if (level == StorageLevel.NONE) {
            throw ErrorCode.BAD_ARGUMENT.failure("persist: dataset " + dataset
                    + " at level NONE (expected: a level that caches blocks); call unpersist() to cache none");
        }
        PersistedDataset known = datasets.get(dataset);
        if (known == null) {
            datasets.put(dataset, new PersistedDataset(name, partitions, level));
            return true;
        }
        if (known.level != level) {
            throw ErrorCode.BAD_ARGUMENT.failure("persist: dataset " + dataset + " at level " + level
                    + ", but it is persisted at " + known.level + " (expected: the same level); call unpersist()"
                    + " first");
        }
        return false;
    }

    synchronized void rename(int dataset, String name) {
        PersistedDataset known = datasets.get(dataset);
        if (known != null) {
            known.name = name;
        }
    }

    /**
     * Removes the entry of a dataset, which is then no longer persisted. Returns false if it was not persisted. Fails
     * if the dataset is locally checkpointed.
     */
    synchronized boolean unpersist(int dataset) {
        PersistedDataset known = datasets.get(dataset);
        if (known != null && known.pinned) {
            throw ErrorCode.BAD_ARGUMENT.failure("unpersist: dataset " + dataset
                    + " was checkpointed locally, so its cached blocks are the only copy (expected: a dataset that can be"
                    + " computed again); drop every reference to it instead");
        }
        return forget(dataset);
    }

    /**
     * Removes the entry of a dataset that the application no longer references. Unlike {@link #unpersist}, also removes
     * that of a locally checkpointed dataset. Returns false if there is none.
     */
    synchronized boolean forget(int dataset) {
        PersistedDataset known = datasets.remove(dataset);
        if (known != null) {
            known.partitionsOn.forEach((on, partitions) -> addBlocks(on, -partitions.size()));
        }
        return known != null;
    }

    private void addBlocks(String on, int more) {
        RemoteHolder other = others.get(on);
        if (other != null) {
            other.blocks += more;
        }
    }

    /**
     * Marks a dataset as locally checkpointed. Its blocks must not be evicted, because they cannot be computed again.
     */
    synchronized void pin(int dataset) {
        PersistedDataset known = datasets.get(dataset);
        if (known != null) {
            known.pinned = true;
        }
    }

    public synchronized boolean isPinned(int dataset) {
        PersistedDataset known = datasets.get(dataset);
        return known != null && known.pinned;
    }

    /** Changes the storage level of a persisted dataset. Does nothing if the dataset is not persisted. */
    synchronized void relevel(int dataset, StorageLevel level) {
        PersistedDataset known = datasets.get(dataset);
        if (known != null) {
            known.level(level);
        }
    }

    @Override
    public synchronized StorageLevel level(int dataset) {
        PersistedDataset known = datasets.get(dataset);
        return known == null ? StorageLevel.NONE : known.level;
    }

    @Override
    public synchronized boolean areThere(int dataset, int[] partitions) {
        PersistedDataset known = datasets.get(dataset);
        if (known == null || known.blocks.size() < Math.min(partitions.length, 1)) {
            return false;
        }
        for (int partition : partitions) {
            if (!known.blocks.containsKey(partition)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public synchronized void changed(BlockStatus status) {
        changed(executor, status);
    }

    /**
     * Records a change of a block on the executor {@code other} in another process. That executor caches at most
     * {@code memoryMax} bytes in memory. Returns true if the block is new there. Late messages of a lost executor are
     * ignored.
     */
    synchronized boolean changed(String other, String host, long memoryMax, BlockStatus status) {
        if (lost.contains(other)) {
            return false;
        }
        RemoteHolder known = others.computeIfAbsent(other, id -> new RemoteHolder(id, host));
        known.memoryMax = memoryMax;
        return changed(known.id, status);
    }

    private boolean changed(String on, BlockStatus status) {
        int dataset = status.block().dataset();
        int partition = status.block().partition();
        PersistedDataset known = datasets.get(dataset);
        if (known == null) {
            if (status.isKept()) { // cached by a task that was launched before its dataset was unpersisted
                unpersisted.accept(dataset);
            }
        } else if (status.isKept()) {
            CachedBlockView now = new CachedBlockView(partition, on, status.memoryBytes(), status.diskBytes());
            boolean isNew = known.put(now);
            addBlocks(on, isNew ? 1 : 0);
            return isNew;
        } else {
            addBlocks(on, known.remove(partition, on) ? -1 : 0);
        }
        return false;
    }

    /** The ids of the executors in other processes that cache the given partition of a dataset. */
    public synchronized List<String> holders(int dataset, int partition) {
        PersistedDataset known = datasets.get(dataset);
        return known == null
                ? List.of()
                : known.blocks.getOrDefault(partition, Map.of()).keySet().stream()
                        .filter(others::containsKey)
                        .toList();
    }

    /** All blocks that the executor with the id {@code on} caches, of all persisted datasets. */
    public synchronized List<BlockId> blocksOn(String on) {
        List<BlockId> found = new ArrayList<>();
        datasets.forEach((dataset, known) -> {
            PartitionSet held = known.partitionsOn.get(on);
            if (held != null) {
                held.forEach(partition -> found.add(new BlockId(dataset, partition)));
            }
        });
        return found;
    }

    /** The cached blocks, of all persisted datasets, that have fewer replicas than their storage level requires. */
    synchronized List<BlockId> underReplicated() {
        List<BlockId> found = new ArrayList<>();
        datasets.forEach((dataset, known) ->
                known.underReplicated.forEach(partition -> found.add(new BlockId(dataset, partition))));
        return found;
    }

    /**
     * Removes the locations of all blocks on a lost executor that ran in another process. Its later reports are
     * ignored.
     */
    public synchronized void executorLost(String executorLost) {
        lost.add(executorLost);
        if (others.remove(executorLost) != null) {
            datasets.values().forEach(known -> known.removeAll(executorLost));
        }
    }

    /** The ids of the executors in other processes that cache at least one block each. */
    public synchronized Set<String> holders() {
        Set<String> holders = new TreeSet<>();
        others.forEach((id, other) -> {
            if (other.blocks > 0) {
                holders.add(id);
            }
        });
        return holders;
    }

    /**
     * The maximum number of bytes that each executor in another process may cache in memory, by executor id. Executors
     * that have never reported a cached block are missing.
     */
    synchronized Map<String, Long> memoryMax() {
        Map<String, Long> memoryMax = new TreeMap<>();
        others.forEach((id, other) -> memoryMax.put(id, other.memoryMax));
        return memoryMax;
    }

    @Override
    public synchronized List<String> places(int dataset, int partition) {
        PersistedDataset known = datasets.get(dataset);
        Map<String, CachedBlockView> on = known == null ? Map.of() : known.blocks.getOrDefault(partition, Map.of());
        return on.keySet().stream()
                .filter(others::containsKey)
                .map(id -> "executor_" + others.get(id).host + "_" + id)
                .toList();
    }

    /** A snapshot of all persisted datasets with their cached blocks, for status pages. */
    synchronized List<CachedDatasetView> views() {
        List<CachedDatasetView> views = new ArrayList<>();
        datasets.forEach((id, known) -> views.add(new CachedDatasetView(
                id,
                known.name,
                known.level,
                known.partitions,
                known.blocks.values().stream()
                        .flatMap(on -> on.values().stream())
                        .toList())));
        return views;
    }

    /**
     * Sets the id of the executor in this process. Block changes that are reported without an executor id, as to
     * {@link #changed(BlockStatus)}, belong to this executor.
     */
    public synchronized void executor(String id) {
        executor = id;
    }

    public synchronized String executor() {
        return executor;
    }
}
