package dev.hearth.engine.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is ordered of executors that say how it went. */
class BlockReplicatorTest {
    private static final BlockId BLOCK = new BlockId(1, 0);
    private static final long MEMORY_BYTES = 1L << 20;

    private final BlockLocationRegistry kept = new BlockLocationRegistry(dataset -> {});
    private final ReplicationPeers peers = new ReplicationPeers();
    private final List<ExecutorId> ordered = new ArrayList<>();
    private final ReplicationSettings settings = ReplicationSettings.from(Settings.empty());
    private final BlockReplicator copies = new BlockReplicator(
            settings, kept, peers, new CopySourceQueue(peers), (executor, order) -> ordered.add(executor));

    private ExecutorId executor(String id) {
        ExecutorId executor = new ExecutorId(id);
        peers.add(executor, "host-" + id, id + ":1");
        return executor;
    }

    private void says(ExecutorId executor, boolean keeps) {
        BlockStatus status = keeps ? new BlockStatus(BLOCK, 1, 100, 0) : BlockStatus.gone(BLOCK);
        kept.changed(executor.value(), "host-" + executor.value(), MEMORY_BYTES, status);
    }

    @Test
    void aCopyThatGaveWayAtOnceIsNotMadeAgainAndAgain() {
        ExecutorId giver = executor("a");
        ExecutorId full = executor("b");
        kept.keep(BLOCK.dataset(), "", 1, StorageLevel.MEMORY_ONLY_2);
        says(giver, true);
        copies.blockCached(BLOCK);
        copies.look();
        for (int i = 0; i < 100 && ordered.size() > i; i++) {
            says(full, true);
            says(full, false); // its memory is wanted for something else
            copies.copied(full, BLOCK, "");
            copies.look();
        }
        assertEquals(List.of(full), ordered);
        executor("c");
        copies.executorUp();
        copies.look();
        assertEquals(2, ordered.size(), "there is somebody else, or it is tried anew");
    }
}
