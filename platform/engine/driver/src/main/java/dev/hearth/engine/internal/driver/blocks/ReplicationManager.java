package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.engine.internal.dag.MapOutputId;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockReplicated;
import dev.hearth.engine.internal.protocol.DriverProtocol.MapOutputMigrated;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Manages copies between executors: replicas of cached blocks, and the migration of blocks and map outputs from
 * decommissioned executors. Runs {@link BlockReplicator} and {@link MapOutputMigrator}, which decide on the copies, and
 * sends their orders. Owned by the driver's event loop.
 */
public final class ReplicationManager implements DataMigrator {
    /** The maximum duration of the migration of one executor's data. After it, the remaining data is abandoned. */
    private static final Duration MIGRATION_MAX = Duration.ofMinutes(10);

    private final EventLoop loop;
    private final ReplicationSettings settings;
    private final ReplicationPeers peers = new ReplicationPeers();
    private final BlockReplicator blocks;
    private final MapOutputMigrator outputs;

    /** Sends an executor the order to fetch a copy of a block or of a map output. */
    public interface CopySender {
        void copy(ExecutorId executor, ReplicateBlock order);

        void copy(ExecutorId executor, MigrateMapOutput order);
    }

    public ReplicationManager(
            EventLoop loop,
            ReplicationSettings settings,
            BlockLocationRegistry locations,
            MapOutputMigrator.MapOutputs outputs,
            CopySender orders) {
        this.loop = loop;
        this.settings = settings;
        CopySourceQueue sources = new CopySourceQueue(peers);
        this.blocks = new BlockReplicator(settings, locations, peers, sources, orders::copy);
        this.outputs = new MapOutputMigrator(settings, peers, sources, orders::copy, outputs);
    }

    public ReplicationPeers peers() {
        return peers;
    }

    /**
     * Adds an executor that runs in another process as a source and target of copies. The block server of that executor
     * is at {@code address}.
     */
    public void executorUp(ExecutorId executor, String host, String address) {
        peers.add(executor, host, address);
        blocks.executorUp();
        loop.execute(this::run); // posted, because the answer to the registration must be sent first
    }

    /** Excludes a decommissioned executor from being the target of further copies. It remains a source. */
    public void decommission(ExecutorId executor) {
        peers.decommission(executor);
    }

    /**
     * Admits an executor as a target of copies again and ends its migration, because it is no longer to be
     * decommissioned.
     */
    public void recommission(ExecutorId executor) {
        peers.recommission(executor);
        blocks.recommission(executor);
        outputs.recommission(executor);
        run();
    }

    /**
     * Handles the loss of an executor that cached the blocks {@code had}: replaces lost replicas and abandons copies
     * from and to the executor.
     */
    public void executorLost(ExecutorId executor, Collection<BlockId> had) {
        peers.remove(executor);
        blocks.executorLost(executor, had);
        outputs.executorLost(executor);
        run();
    }

    /** Handles the report that an executor has cached a new block, which may need replicas. */
    public void blockCached(BlockId block) {
        blocks.blockCached(block);
        run();
    }

    public void copied(BlockReplicated message) {
        blocks.copied(message.executor(), new BlockId(message.dataset(), message.partition()), message.failure());
        run();
    }

    public void copied(MapOutputMigrated message) {
        outputs.copied(message.executor(), new MapOutputId(message.shuffle(), message.map()), message.failure());
        run();
    }

    public void forgetDataset(int dataset) {
        blocks.forget(dataset);
        run();
    }

    public void forgetShuffle(int shuffle) {
        outputs.forget(shuffle);
        run();
    }

    /**
     * Runs the block replicator and the map-output migrator together, because one limit per executor applies to the
     * copies of both.
     */
    private void run() {
        blocks.run();
        outputs.run();
    }

    @Override
    public CompletionStage<Void> migrate(ExecutorId executor) {
        CompletableFuture<Void> migrated = new CompletableFuture<>();
        if (!settings.moves()) {
            migrated.complete(null);
            return migrated;
        }
        decommission(executor);
        CompletionStage<Void> ofBlocks =
                settings.movesBlocks() ? blocks.migrate(executor) : CompletableFuture.completedStage(null);
        CompletionStage<Void> ofOutputs =
                settings.movesOutputs() ? outputs.migrate(executor) : CompletableFuture.completedStage(null);
        ofOutputs.thenCompose(nothing -> ofBlocks).whenComplete((nothing, failure) -> migrated.complete(null));
        loop.schedule(MIGRATION_MAX, () -> migrated.complete(null));
        run();
        return migrated;
    }
}
