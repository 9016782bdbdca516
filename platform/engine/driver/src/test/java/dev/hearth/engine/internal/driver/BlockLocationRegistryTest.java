package dev.hearth.engine.internal.driver;

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

/** What a driver knows of blocks on several executors. */
class BlockLocationRegistryTest {
    private static final List<StorageLevel> LEVELS =
            List.of(StorageLevel.MEMORY_ONLY, StorageLevel.MEMORY_ONLY_2, StorageLevel.DISK_ONLY_3);

    private final List<Integer> unwanted = new ArrayList<>();
    private final BlockLocationRegistry kept = new BlockLocationRegistry(unwanted::add);

    private static BlockStatus block(int dataset, int partition, long bytes) {
        return new BlockStatus(new BlockId(dataset, partition), 1, bytes, 0);
    }

    @Test
    void knowsWhereEachPartitionIs() {
        kept.keep(1, "", 2, StorageLevel.MEMORY_ONLY);
        assertFalse(kept.areThere(1, new int[] {0}));
        assertTrue(kept.areThere(1, new int[] {}), "of nothing everything is there");
        kept.changed("a", "left", 100, block(1, 0, 10));
        kept.changed("b", "right", 200, block(1, 0, 10));
        kept.changed("b", "right", 200, block(1, 1, 10));
        assertTrue(kept.areThere(1, new int[] {1, 0}));
        assertEquals(List.of("executor_left_a", "executor_right_b"), kept.places(1, 0));
        assertEquals(List.of(), kept.places(1, 7));
        assertEquals(List.of(), kept.places(2, 0));
        assertEquals(List.of(100L, 200L), List.copyOf(kept.memoryMax().values()));
        assertEquals(Set.of("a", "b"), kept.keepers());
        kept.executorLost("b");
        assertEquals(List.of("executor_left_a"), kept.places(1, 0));
        assertEquals(Set.of("a"), kept.keepers());
        assertFalse(kept.areThere(1, new int[] {0, 1}));
        kept.changed("a", "left", 100, BlockStatus.gone(new BlockId(1, 0)));
        assertEquals(List.of(), kept.places(1, 0));
    }

    @Test
    void hearsNoLateWordOfAnExecutorThatIsGone() {
        kept.keep(1, "", 1, StorageLevel.MEMORY_ONLY);
        kept.changed("a", "left", 100, block(1, 0, 10));
        kept.executorLost("a");
        kept.executorLost("never heard of before");
        kept.changed("a", "left", 100, block(1, 0, 10));
        kept.changed("never heard of before", "right", 100, block(1, 0, 10));
        assertEquals(List.of(), kept.places(1, 0));
        assertFalse(kept.areThere(1, new int[] {0}));
        assertEquals(Map.of(), kept.memoryMax());
    }

    @Test
    void saysWhichBlocksNobodyWants() {
        kept.changed(block(3, 0, 10));
        kept.changed(BlockStatus.gone(new BlockId(4, 0)));
        assertEquals(List.of(3), unwanted);
    }

    @Test
    void needsNoPlaceInItsOwnProcess() {
        kept.keep(1, "", 1, StorageLevel.MEMORY_ONLY);
        kept.executor("driver");
        kept.changed(block(1, 0, 10));
        assertEquals(List.of(), kept.places(1, 0));
        assertEquals("driver", kept.views().get(0).blocks().get(0).executor());
    }

    @Test
    void holdsOnToWhatIsAllThereIs() {
        kept.keep(1, "", 1, StorageLevel.MEMORY_ONLY);
        kept.relevel(1, StorageLevel.MEMORY_AND_DISK);
        kept.makeOnly(1);
        assertEquals(StorageLevel.MEMORY_AND_DISK, kept.level(1));
        assertThrows(HearthException.class, () -> kept.giveUp(1));
        assertTrue(kept.forget(1), "when the program has dropped it");
        assertFalse(kept.forget(1));
    }

    /** What is known by executor and by what is lacking follows from what is known by block. */
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
                    kept.forget(dataset);
                    replicas.remove(dataset);
                    holders.keySet().removeIf(each -> each.dataset() == dataset);
                }
                case 1 -> {
                    if (lost.size() < 5) {
                        kept.executorLost(executor);
                        lost.add(executor);
                        holders.values().forEach(on -> on.remove(executor));
                    }
                }
                case 2 -> {
                    if (replicas.containsKey(dataset)) {
                        kept.relevel(dataset, LEVELS.get(step % LEVELS.size()));
                        replicas.put(dataset, LEVELS.get(step % LEVELS.size()).replicas());
                    }
                }
                case 3, 4, 5, 6, 7, 8, 9, 10 -> {
                    kept.changed(executor, "host", 100, BlockStatus.gone(block));
                    holders.getOrDefault(block, new TreeSet<>()).remove(executor);
                }
                default -> {
                    if (!replicas.containsKey(dataset)) {
                        kept.keep(dataset, "", 12, StorageLevel.MEMORY_ONLY_2);
                        replicas.put(dataset, 2);
                    }
                    Set<String> on = holders.computeIfAbsent(block, missing -> new TreeSet<>());
                    boolean isNew = !lost.contains(executor) && on.add(executor);
                    assertEquals(isNew, kept.changed(executor, "host", 100, block(dataset, block.partition(), 10)));
                }
            }
            requireSame(holders, replicas);
        }
    }

    private void requireSame(Map<BlockId, Set<String>> holders, Map<Integer, Integer> replicas) {
        Map<String, Set<BlockId>> byExecutor = new TreeMap<>();
        Set<BlockId> lacking = new LinkedHashSet<>();
        holders.forEach((block, on) -> {
            assertEquals(List.copyOf(on), kept.holders(block.dataset(), block.partition()));
            on.forEach(executor -> byExecutor
                    .computeIfAbsent(executor, missing -> new LinkedHashSet<>())
                    .add(block));
            if (!on.isEmpty() && on.size() < replicas.getOrDefault(block.dataset(), 0)) {
                lacking.add(block);
            }
        });
        assertEquals(lacking, new LinkedHashSet<>(kept.lacking()));
        assertEquals(byExecutor.keySet(), kept.keepers());
        byExecutor.forEach((executor, blocks) -> {
            assertEquals(blocks, new LinkedHashSet<>(kept.blocksOn(executor)));
            assertEquals(blocks.size(), kept.blocksOn(executor).size());
        });
    }
}
