package dev.hearth.engine.internal.driver.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the registry of block locations with blocks on several executors. */
class BlockLocationRegistryTest {
    private static final List<StorageLevel> LEVELS =
            List.of(StorageLevel.MEMORY_ONLY, StorageLevel.MEMORY_ONLY_2, StorageLevel.DISK_ONLY_3);

    private final List<Integer> unpersisted = new ArrayList<>();
    private final BlockLocationRegistry registry = new BlockLocationRegistry(unpersisted::add);

    private static BlockStatus block(int dataset, int partition, long bytes) {
        return new BlockStatus(new BlockId(dataset, partition), 1, bytes, 0);
    }

    @Test
    void knowsTheLocationsOfEachPartition() {
        registry.persist(1, "", 2, StorageLevel.MEMORY_ONLY);
        assertFalse(registry.areThere(1, new int[] {0}));
        assertTrue(registry.areThere(1, new int[] {}), "no partition is missing");
        registry.changed("a", "left", 100, block(1, 0, 10));
        registry.changed("b", "right", 200, block(1, 0, 10));
        registry.changed("b", "right", 200, block(1, 1, 10));
        assertTrue(registry.areThere(1, new int[] {1, 0}));
        assertEquals(List.of("executor_left_a", "executor_right_b"), registry.places(1, 0));
        assertEquals(List.of(), registry.places(1, 7));
        assertEquals(List.of(), registry.places(2, 0));
        assertEquals(List.of(100L, 200L), List.copyOf(registry.memoryMax().values()));
        assertEquals(Set.of("a", "b"), registry.holders());
        registry.executorLost("b");
        assertEquals(List.of("executor_left_a"), registry.places(1, 0));
        assertEquals(Set.of("a"), registry.holders());
        assertFalse(registry.areThere(1, new int[] {0, 1}));
        registry.changed("a", "left", 100, BlockStatus.gone(new BlockId(1, 0)));
        assertEquals(List.of(), registry.places(1, 0));
    }

    @Test
    void ignoresLateMessagesOfALostExecutor() {
        registry.persist(1, "", 1, StorageLevel.MEMORY_ONLY);
        registry.changed("a", "left", 100, block(1, 0, 10));
        registry.executorLost("a");
        registry.executorLost("unknown before");
        registry.changed("a", "left", 100, block(1, 0, 10));
        registry.changed("unknown before", "right", 100, block(1, 0, 10));
        assertEquals(List.of(), registry.places(1, 0));
        assertFalse(registry.areThere(1, new int[] {0}));
        assertEquals(Map.of(), registry.memoryMax());
    }

    @Test
    void reportsBlocksOfDatasetsThatAreNotPersisted() {
        registry.changed(block(3, 0, 10));
        registry.changed(BlockStatus.gone(new BlockId(4, 0)));
        assertEquals(List.of(3), unpersisted);
    }

    @Test
    void givesNoLocationForBlocksInItsOwnProcess() {
        registry.persist(1, "", 1, StorageLevel.MEMORY_ONLY);
        registry.executor("driver");
        registry.changed(block(1, 0, 10));
        assertEquals(List.of(), registry.places(1, 0));
        assertEquals("driver", registry.views().get(0).blocks().get(0).executor());
    }

    @Test
    void doesNotUnpersistALocallyCheckpointedDataset() {
        registry.persist(1, "", 1, StorageLevel.MEMORY_ONLY);
        registry.relevel(1, StorageLevel.MEMORY_AND_DISK);
        registry.pin(1);
        assertEquals(StorageLevel.MEMORY_AND_DISK, registry.level(1));
        assertThrows(HearthException.class, () -> registry.unpersist(1));
        assertTrue(registry.forget(1), "once the application has dropped it");
        assertFalse(registry.forget(1));
    }

    /** The views by executor and by missing replicas agree with the view by block. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void knowsTheSameByBlockAndByExecutor(long seed) {
        Random random = new Random(seed);
        Map<BlockId, Set<String>> holders = new LinkedHashMap<>();
        Map<Integer, Integer> replicas = new TreeMap<>();
        Set<String> lost = new TreeSet<>();
        for (int step = 0; step < 2_000; step++) {
            int dataset = random.nextInt(4);
            String executor = "e" + random.nextInt(8);
            BlockId block = new BlockId(dataset, random.nextInt(12));
            switch (random.nextInt(40)) {
                case 0 -> {
                    registry.forget(dataset);
                    replicas.remove(dataset);
                    holders.keySet().removeIf(each -> each.dataset() == dataset);
                }
                case 1 -> {
                    if (lost.size() < 5) {
                        registry.executorLost(executor);
                        lost.add(executor);
                        holders.values().forEach(on -> on.remove(executor));
                    }
                }
                case 2 -> {
                    if (replicas.containsKey(dataset)) {
                        registry.relevel(dataset, LEVELS.get(step % LEVELS.size()));
                        replicas.put(dataset, LEVELS.get(step % LEVELS.size()).replicas());
                    }
                }
                case 3, 4, 5, 6, 7, 8, 9, 10 -> {
                    registry.changed(executor, "host", 100, BlockStatus.gone(block));
                    holders.getOrDefault(block, new TreeSet<>()).remove(executor);
                }
                default -> {
                    if (!replicas.containsKey(dataset)) {
                        registry.persist(dataset, "", 12, StorageLevel.MEMORY_ONLY_2);
                        replicas.put(dataset, 2);
                    }
                    Set<String> on = holders.computeIfAbsent(block, missing -> new TreeSet<>());
                    boolean isNew = !lost.contains(executor) && on.add(executor);
                    assertEquals(isNew, registry.changed(executor, "host", 100, block(dataset, block.partition(), 10)));
                }
            }
            requireSame(holders, replicas);
        }
    }

    private void requireSame(Map<BlockId, Set<String>> holders, Map<Integer, Integer> replicas) {
        Map<String, Set<BlockId>> byExecutor = new TreeMap<>();
        Set<BlockId> underReplicated = new LinkedHashSet<>();
        holders.forEach((block, on) -> {
            assertEquals(List.copyOf(on), registry.holders(block.dataset(), block.partition()));
            on.forEach(executor -> byExecutor
                    .computeIfAbsent(executor, missing -> new LinkedHashSet<>())
                    .add(block));
            if (!on.isEmpty() && on.size() < replicas.getOrDefault(block.dataset(), 0)) {
                underReplicated.add(block);
            }
        });
        assertEquals(underReplicated, new LinkedHashSet<>(registry.underReplicated()));
        assertEquals(byExecutor.keySet(), registry.holders());
        byExecutor.forEach((executor, blocks) -> {
            assertEquals(blocks, new LinkedHashSet<>(registry.blocksOn(executor)));
            assertEquals(blocks.size(), registry.blocksOn(executor).size());
        });
    }
}
