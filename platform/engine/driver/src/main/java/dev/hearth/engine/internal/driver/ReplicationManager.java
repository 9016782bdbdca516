package dev.hearth.engine.internal.driver;

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
 * What is copied from executor to executor: replicas of kept blocks, and all that is of use on an executor that leaves. Feeds {@link
 * BlockReplicator} and {@link MapOutputMigrator} and sends their orders. Owned by the driver's loop.
 */
final class ReplicationManager implements DataMigrator {
    /** How long an executor that leaves may take to hand over what it has. */
    private static final Duration EMPTYING_MAX = Duration.ofMinutes(10);

    private final EventLoop loop;
    private final ReplicationSettings settings;
    private final ReplicationPeers peers = new ReplicationPeers();
    private final BlockReplicator blocks;
    private final MapOutputMigrator outputs;

    /** Takes orders to executors. */
    interface CopySender {
        void copy(ExecutorId executor, ReplicateBlock order);

        void copy(ExecutorId executor, MigrateMapOutput order);
    }

    ReplicationManager(
            EventLoop loop,
            ReplicationSettings settings,
            BlockLocationRegistry kept,
            MapOutputMigrator.MapOutputs outputs,
            CopySender orders) {
        this.loop = loop;
        this.settings = settings;
        CopySourceQueue turns = new CopySourceQueue(peers);
        this.blocks = new BlockReplicator(settings, kept, peers, turns, orders::copy);
        this.outputs = new MapOutputMigrator(settings, peers, turns, orders::copy, outputs);
    }

    ReplicationPeers peers() {
        return peers;
    }

    /** There is an executor in another process, which serves what it has at {@code address}. */
    void executorUp(ExecutorId executor, String host, String address) {
        peers.add(executor, host, address);
        blocks.executorUp();
        loop.execute(this::look); // behind the answer that lets it in: no order may come before that
    }

    /** It gets nothing more. */
    void leaving(ExecutorId executor) {
        peers.leaving(executor);
    }

    /** An executor is gone that kept {@code had}. */
    void executorLost(ExecutorId executor, Collection<BlockId> had) {
        peers.remove(executor);
        blocks.executorLost(executor, had);
        outputs.executorLost(executor);
        look();
    }

    /** An executor has cached a block that it did not hold before. */
    void blockCached(BlockId block) {
        blocks.blockCached(block);
        look();
    }

    void copied(BlockReplicated message) {
        blocks.copied(message.executor(), new BlockId(message.dataset(), message.partition()), message.failure());
        look();
    }

    void copied(MapOutputMigrated message) {
        outputs.copied(message.executor(), new MapOutputId(message.shuffle(), message.map()), message.failure());
        look();
    }

    void forgetDataset(int dataset) {
        blocks.forget(dataset);
        look();
    }

    void forgetShuffle(int shuffle) {
        outputs.forget(shuffle);
        look();
    }

    /** Either may have waited for what the other one has ended. */
    private void look() {
        blocks.look();
        outputs.look();
    }

    @Override
    public CompletionStage<Void> empty(ExecutorId executor) {
        CompletableFuture<Void> emptied = new CompletableFuture<>();
        if (!settings.moves()) {
            emptied.complete(null);
            return emptied;
        }
        leaving(executor);
        CompletionStage<Void> ofBlocks =
                settings.movesBlocks() ? blocks.empty(executor) : CompletableFuture.completedStage(null);
        CompletionStage<Void> ofOutputs =
                settings.movesOutputs() ? outputs.empty(executor) : CompletableFuture.completedStage(null);
        ofOutputs.thenCompose(nothing -> ofBlocks).whenComplete((nothing, failure) -> emptied.complete(null));
        loop.schedule(EMPTYING_MAX, () -> emptied.complete(null));
        look();
        return emptied;
    }
}
