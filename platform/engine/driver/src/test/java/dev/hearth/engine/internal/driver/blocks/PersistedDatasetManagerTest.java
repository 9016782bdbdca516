package dev.hearth.engine.internal.driver.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.driver.serving.SharedVariables;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockWriter;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a dataset that several threads unpersist and persist again at the same time. */
@Timeout(60)
class PersistedDatasetManagerTest {
    private static final int DATASET = 1;
    private static final long MEMORY_BYTES = 64 << 20;

    private final DataPlane data = new DataPlane(
            new UserObjectSerializer(PersistedDatasetManagerTest.class.getClassLoader()),
            Settings.empty(),
            () -> new ProcessMemory(MEMORY_BYTES),
            Ticker.system(),
            true);
    private final Queue<Runnable> later = new ArrayDeque<>();
    private IntConsumer removing = dataset -> {};
    private final PersistedDatasetManager keeper = new PersistedDatasetManager(
            CleanerSettings.from(Settings.empty()),
            new SharedVariables(id -> {}),
            data,
            later::add,
            Optional::empty,
            shuffle -> {},
            dataset -> removing.accept(dataset),
            dataset -> {});

    @AfterEach
    void close() {
        data.close();
    }

    private void cacheBlock(int partition) {
        BlockWriter draft = data.kept().begin(new BlockId(DATASET, partition), StorageLevel.MEMORY_ONLY);
        draft.add("element");
        draft.finish();
        draft.publish();
    }

    private boolean isCached(int partition) {
        return data.kept()
                .read(new BlockId(DATASET, partition), StorageLevel.MEMORY_ONLY, () -> {})
                .map(elements -> {
                    elements.close();
                    return true;
                })
                .orElse(false);
    }

    /** Persists the dataset and caches a block of it during a removal by another thread. */
    private Thread wantAgain() {
        Thread wanting = new Thread(() -> {
            keeper.keep(this, DATASET, "", 2, StorageLevel.MEMORY_ONLY);
            cacheBlock(1);
        });
        wanting.start();
        while (wanting.getState() == Thread.State.RUNNABLE || wanting.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        return wanting;
    }

    private void persistsAgainDuring(Runnable removal) throws InterruptedException {
        Thread[] wanting = new Thread[1];
        removing = dataset -> wanting[0] = wantAgain();
        removal.run();
        assertNotNull(wanting[0]);
        wanting[0].join();
        assertEquals(StorageLevel.MEMORY_ONLY, keeper.level(DATASET));
        assertTrue(isCached(1), "the block of the persisted dataset is cached");
        assertTrue(keeper.areThere(DATASET, new int[] {1}));
    }

    @Test
    void removesNoBlockOfADatasetPersistedAgainAfterALateBlock() throws InterruptedException {
        cacheBlock(0); // by a task of an unpersisted dataset
        assertEquals(1, later.size());
        persistsAgainDuring(later.remove());
    }

    @Test
    void removesNoBlockOfADatasetPersistedAgainAfterUnpersist() throws InterruptedException {
        keeper.keep(this, DATASET, "", 2, StorageLevel.MEMORY_ONLY);
        cacheBlock(0);
        persistsAgainDuring(() -> keeper.giveUp(DATASET, true));
    }
}
