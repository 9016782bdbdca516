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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a driver knows of blocks on several executors. */
class KeptRegistryTest {
    private final List<Integer> unwanted = new ArrayList<>();
    private final KeptDatasets kept = new KeptDatasets(unwanted::add);

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
}
