package dev.hearth.engine.internal.driver.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which copies are ordered, with scripted answers of the executors. */
class BlockReplicatorTest {
    private static final BlockId BLOCK = new BlockId(1, 0);
    private static final long MEMORY_BYTES = 1L << 20;

    private final BlockLocationRegistry locations = new BlockLocationRegistry(dataset -> {});
    private final ReplicationPeers peers = new ReplicationPeers();
    private final List<ExecutorId> ordered = new ArrayList<>();
    private final ReplicationSettings settings = ReplicationSettings.from(Settings.empty());
    private final BlockReplicator copies = new BlockReplicator(
            settings, locations, peers, new CopySourceQueue(peers), (executor, order) -> ordered.add(executor));

    private ExecutorId executor(String id) {
        ExecutorId executor = new ExecutorId(id);
        peers.add(executor, "host-" + id, id + ":1");
        return executor;
    }

    private void reports(ExecutorId executor, boolean cached) {
        BlockStatus status = cached ? new BlockStatus(BLOCK, 1, 100, 0) : BlockStatus.gone(BLOCK);
        locations.changed(executor.value(), "host-" + executor.value(), MEMORY_BYTES, status);
    }

    @Test
    void retriesNoCopyThatTheTargetEvictsAtOnce() {
        ExecutorId source = executor("a");
        ExecutorId full = executor("b");
        locations.persist(BLOCK.dataset(), "", 1, StorageLevel.MEMORY_ONLY_2);
        reports(source, true);
        copies.blockCached(BLOCK);
        copies.run();
        for (int i = 0; i < 100 && ordered.size() > i; i++) {
            reports(full, true);
            reports(full, false); // evicted at once
            copies.copied(full, BLOCK, "");
            copies.run();
        }
        assertEquals(List.of(full), ordered);
        executor("c");
        copies.executorUp();
        copies.run();
        assertEquals(2, ordered.size(), "copied to the added executor, or retried at the full one");
    }
}
