package dev.hearth.engine.internal.driver;

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
 * Which datasets of an application are kept and how, and what is known of their blocks: a moment old, and good for planning and
 * for screens, while tasks look for themselves. Guarded by its own lock, under which nothing else is called but {@code unwanted}.
 */
final class BlockLocationRegistry implements CacheStatus, BlockListener {
    private static final int LOST_EXECUTORS_MAX = 10_000; // ids of them that are remembered

    private final Map<Integer, PersistedDataset> datasets = new LinkedHashMap<>();
    private final IntConsumer unwanted;
    private final Map<String, RemoteHolder> others = new LinkedHashMap<>();
    private final RecentNames lost = new RecentNames(LOST_EXECUTORS_MAX); // their ids never come back
    private String executor = ""; // in this process

    /** One dataset; guarded by the lock. */
    private static final class PersistedDataset {
        final int partitions;
        final Map<Integer, Map<String, CachedBlockView>> blocks = new TreeMap<>(); // by partition and executor
        final Map<String, PartitionSet> partitionsOn = new LinkedHashMap<>(); // by executor, as far as it keeps any
        final Set<Integer> lacking = new LinkedHashSet<>(); // kept by fewer executors than the level says
        String name;
        StorageLevel level;
        boolean only; // there is nothing else it could be made of

        PersistedDataset(String name, int partitions, StorageLevel level) {
            this.name = name;
            this.partitions = partitions;
            this.level = level;
        }

        /** Tells whether it was not there before. */
        boolean put(CachedBlockView block) {
            boolean isNew = blocks.computeIfAbsent(block.partition(), missing -> new TreeMap<>())
                            .put(block.executor(), block)
                    == null;
            if (isNew) {
                partitionsOn
                        .computeIfAbsent(block.executor(), missing -> new PartitionSet())
                        .add(block.partition());
                count(block.partition());
            }
            return isNew;
        }

        /** Tells whether it was there. */
        boolean remove(int partition, String executor) {
            PartitionSet there = partitionsOn.get(executor);
            if (there == null || !there.remove(partition)) {
                return false;
            }
            if (there.size() == 0) {
                partitionsOn.remove(executor);
            }
            removeFrom(partition, executor);
            return true;
        }

        /** All that an executor kept. */
        void removeAll(String executor) {
            PartitionSet there = partitionsOn.remove(executor);
            if (there != null) {
                there.forEach(partition -> removeFrom(partition, executor));
            }
        }

        private void removeFrom(int partition, String executor) {
            Map<String, CachedBlockView> on = blocks.get(partition);
            if (on != null && on.remove(executor) != null && on.isEmpty()) {
                blocks.remove(partition);
            }
            count(partition);
        }

        void level(StorageLevel now) {
            level = now;
            blocks.keySet().forEach(this::count);
        }

        private void count(int partition) {
            Map<String, CachedBlockView> on = blocks.get(partition);
            if (on != null && level.replicas() > 1 && on.size() < level.replicas()) {
                lacking.add(partition);
            } else {
                lacking.remove(partition);
            }
        }
    }

    /** An executor in another process. */
    private static final class RemoteHolder {
        final String id; // the one that is kept of all that messages name it by
        final String host;
        long memoryMax;
        int blocks; // that it keeps

        RemoteHolder(String id, String host) {
            this.id = id;
            this.host = host;
        }
    }

    /** {@code unwanted} hears of datasets whose blocks are kept and should not be; it must not call back. */
    BlockLocationRegistry(IntConsumer unwanted) {
        this.unwanted = unwanted;
    }

    /** Has a dataset kept from now on; false when it is already. */
    synchronized boolean keep(int dataset, String name, int partitions, StorageLevel level) {
        if (level == StorageLevel.NONE) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "persist: dataset " + dataset + " at level NONE (expected: a level that"
                            + " keeps something); unpersist() has it no longer kept");
        }
        PersistedDataset known = datasets.get(dataset);
        if (known == null) {
            datasets.put(dataset, new PersistedDataset(name, partitions, level));
            return true;
        }
        if (known.level != level) {
            throw ErrorCode.BAD_ARGUMENT.failure("persist: dataset " + dataset + " at level " + level
                    + ", it is kept at " + known.level + " (expected: one level); unpersist() it first");
        }
        return false;
    }

    synchronized void rename(int dataset, String name) {
        PersistedDataset known = datasets.get(dataset);
        if (known != null) {
            known.name = name;
        }
    }

    /** Gives a dataset up; false when it was not kept. */
    synchronized boolean giveUp(int dataset) {
        PersistedDataset known = datasets.get(dataset);
        if (known != null && known.only) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "unpersist: dataset " + dataset + " was checkpointed locally, what is kept"
                            + " of it is all there is (expected: a dataset that can be made again); let go of it instead");
        }
        return forget(dataset);
    }

    /** As {@link #giveUp}, of a dataset that nothing can read any more. */
    synchronized boolean forget(int dataset) {
        PersistedDataset known = datasets.remove(dataset);
        if (known != null) {
            known.partitionsOn.forEach((on, partitions) -> counted(on, -partitions.size()));
        }
        return known != null;
    }

    private void counted(String on, int more) {
        RemoteHolder other = others.get(on);
        if (other != null) {
            other.blocks += more;
        }
    }

    /** From now on there is nothing else that a dataset could be made of. */
    synchronized void makeOnly(int dataset) {
        PersistedDataset known = datasets.get(dataset);
        if (known != null) {
            known.only = true;
        }
    }

    /** Whether that is so. */
    synchronized boolean isOnly(int dataset) {
        PersistedDataset known = datasets.get(dataset);
        return known != null && known.only;
    }

    /** Has a dataset kept at another level. */
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
     * As the other one, on an executor in another process, which keeps so many bytes at most; tells whether it did not keep the
     * block before. Late word of a lost one says nothing.
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
            if (status.isKept()) { // by a task that was planned before it was given up
                unwanted.accept(dataset);
            }
        } else if (status.isKept()) {
            CachedBlockView now = new CachedBlockView(partition, on, status.memoryBytes(), status.diskBytes());
            boolean isNew = known.put(now);
            counted(on, isNew ? 1 : 0);
            return isNew;
        } else {
            counted(on, known.remove(partition, on) ? -1 : 0);
        }
        return false;
    }

    /** Which executors in other processes keep a partition. */
    synchronized List<String> holders(int dataset, int partition) {
        PersistedDataset known = datasets.get(dataset);
        return known == null
                ? List.of()
                : known.blocks.getOrDefault(partition, Map.of()).keySet().stream()
                        .filter(others::containsKey)
                        .toList();
    }

    /** What an executor keeps. */
    synchronized List<BlockId> blocksOn(String on) {
        List<BlockId> found = new ArrayList<>();
        datasets.forEach((dataset, known) -> {
            PartitionSet there = known.partitionsOn.get(on);
            if (there != null) {
                there.forEach(partition -> found.add(new BlockId(dataset, partition)));
            }
        });
        return found;
    }

    /** What is kept by fewer executors than its level says. */
    synchronized List<BlockId> lacking() {
        List<BlockId> found = new ArrayList<>();
        datasets.forEach(
                (dataset, known) -> known.lacking.forEach(partition -> found.add(new BlockId(dataset, partition))));
        return found;
    }

    /** What an executor in another process kept is gone with it. */
    synchronized void executorLost(String executorLost) {
        lost.add(executorLost);
        if (others.remove(executorLost) != null) {
            datasets.values().forEach(known -> known.removeAll(executorLost));
        }
    }

    /** The executors in other processes that keep anything. */
    synchronized Set<String> keepers() {
        Set<String> keepers = new TreeSet<>();
        others.forEach((id, other) -> {
            if (other.blocks > 0) {
                keepers.add(id);
            }
        });
        return keepers;
    }

    /** What executors in other processes may keep at most, as far as they have said it. */
    synchronized Map<String, Long> memoryMax() {
        Map<String, Long> most = new TreeMap<>();
        others.forEach((id, other) -> most.put(id, other.memoryMax));
        return most;
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

    /** What there is by now. */
    synchronized List<CachedDatasetView> views() {
        List<CachedDatasetView> views = new ArrayList<>();
        datasets.forEach((id, kept) -> views.add(new CachedDatasetView(
                id,
                kept.name,
                kept.level,
                kept.partitions,
                kept.blocks.values().stream()
                        .flatMap(on -> on.values().stream())
                        .toList())));
        return views;
    }

    /** The executor in this process, which keeps what this hears of. */
    synchronized void executor(String id) {
        executor = id;
    }

    synchronized String executor() {
        return executor;
    }
}
