package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.driver.blocks.ReplicationPeers.Peer;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicates cached blocks until each has the replicas of its storage level. Also copies the blocks of a decommissioned
 * executor to other executors. A state machine without threads; owned by the driver's event loop. Calls take effect at
 * the next {@link #run}.
 * <p>A block is FRESH until its replicas are checked, QUEUED at a source executor, COPYING during one copy, and then
 * FRESH again. A block that needs no copy is not tracked. Invariant: the {@code Peer} of each executor counts exactly
 * the copies in flight from and to that executor.
 */
final class BlockReplicator {
    private static final Logger LOG = LoggerFactory.getLogger(BlockReplicator.class);

    private final ReplicationSettings settings;
    private final BlockLocationRegistry locations;
    private final ReplicationPeers peers;
    private final CopySourceQueue sources;
    private final BiConsumer<ExecutorId, ReplicateBlock> orders;
    private final Map<BlockId, Block> blocks = new LinkedHashMap<>(); // blocks that are fresh, queued or copying
    private final ArrayDeque<Block> fresh = new ArrayDeque<>();
    private final Map<ExecutorId, SourceQueue> queues = new LinkedHashMap<>(); // queues by source executor, never empty
    private final Map<ExecutorId, Set<Block>> incoming = new LinkedHashMap<>(); // blocks being copied, by target
    private final Map<ExecutorId, Migration> leavers = new LinkedHashMap<>();
    private final List<Migration> migrated = new ArrayList<>();
    private boolean targetsAdded; // executors were added since the last run
    private long steps;

    /** A block that may need a copy, with its state: fresh, queued or copying. See {@link BlockReplicator}. */
    private static final class Block {
        final BlockId id;
        final Set<ExecutorId> refused = new LinkedHashSet<>();
        final Set<Migration> leavers = new LinkedHashSet<>();
        boolean isFresh;

        @Nullable
        SourceQueue queue;

        @Nullable
        Order order;

        Block(BlockId id) {
            this.id = id;
        }
    }

    private record Order(Peer from, Peer to) {}

    /** A decommissioned executor and the blocks on it that must still be copied to other executors. */
    private static final class Migration {
        final ExecutorId executor;
        final Set<Block> blocks = new LinkedHashSet<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();

        Migration(ExecutorId executor) {
            this.executor = executor;
        }
    }

    BlockReplicator(
            ReplicationSettings settings,
            BlockLocationRegistry locations,
            ReplicationPeers peers,
            CopySourceQueue sources,
            BiConsumer<ExecutorId, ReplicateBlock> orders) {
        this.settings = settings;
        this.locations = locations;
        this.peers = peers;
        this.sources = sources;
        this.orders = orders;
    }

    /**
     * Handles the addition of an executor. If the settings ask for it, the next {@link #run} copies blocks with too few
     * replicas to it.
     */
    void executorUp() {
        targetsAdded = settings.proactive();
    }

    /**
     * Handles the loss of an executor that cached the blocks {@code had}. Abandons copies to the executor. Has lost
     * replicas replaced, if the settings ask for that.
     */
    void executorLost(ExecutorId executor, Collection<BlockId> had) {
        for (Block block : List.copyOf(incoming.getOrDefault(executor, Set.of()))) {
            end(block);
            refresh(block);
        }
        SourceQueue queue = queues.get(executor);
        if (queue != null) {
            List.copyOf(queue.blocks).forEach(this::refresh);
        }
        if (settings.proactive()) {
            had.stream().filter(this::hasReplicas).forEach(this::refresh);
        }
        Migration leaver = leavers.get(executor);
        if (leaver != null) {
            migrated(leaver);
        }
    }

    private boolean hasReplicas(BlockId block) {
        return locations.level(block.dataset()).replicas() > 1;
    }

    /** Handles the report that an executor has cached a new block, which may need replicas. */
    void blockCached(BlockId block) {
        if (hasReplicas(block)) {
            refresh(block);
        }
    }

    private void refresh(BlockId id) {
        refresh(blocks.computeIfAbsent(id, Block::new));
    }

    /**
     * Has the replicas of a block checked again at the next {@link #run}. If a copy of the block is in flight, the
     * check follows the end of that copy.
     */
    private void refresh(Block block) {
        if (block.order == null && !block.isFresh) {
            unqueue(block);
            block.isFresh = true;
            fresh.add(block);
        }
    }

    /**
     * Handles the report of {@code executor}, the target of a copy, that the copy has ended. {@code failure} is empty
     * if the target has cached the block.
     */
    void copied(ExecutorId executor, BlockId id, String failure) {
        Block block = blocks.get(id);
        Order order = block == null ? null : block.order;
        if (block == null || order == null || !order.to().id().equals(executor)) {
            return; // this copy was abandoned earlier
        }
        end(block);
        boolean isCached = locations.holders(id.dataset(), id.partition()).contains(executor.value());
        // An executor reports a cached block before the end of the copy. A block without location was therefore
        // evicted.
        if (!failure.isEmpty() || !isCached) {
            LOG.info("{}: not replicated to executor {}: {}", id, executor, failure.isEmpty() ? "evicted" : failure);
            if (peers.find(order.from().id()) != null) { // otherwise the lost source is the cause, not the target
                block.refused.add(executor);
            }
        }
        refresh(block);
    }

    private void begin(Block block, Order order) {
        unqueue(block);
        block.order = order;
        incoming.computeIfAbsent(order.to.id(), missing -> new LinkedHashSet<>())
                .add(block);
        peers.beginSend(order.from);
        peers.beginReceive(order.to);
    }

    private void end(Block block) {
        Order order = block.order;
        if (order != null) {
            block.order = null;
            incoming.computeIfPresent(
                    order.to.id(), (to, copies) -> copies.remove(block) && copies.isEmpty() ? null : copies);
            peers.endSend(order.from);
            peers.endReceive(order.to);
            SourceQueue waiting = queues.get(order.from.id());
            if (waiting != null) {
                sources.ready(waiting);
            }
        }
    }

    /**
     * Migrates the blocks of an executor that is being decommissioned. Completes once no block is left on the executor
     * that can be copied to another executor.
     */
    CompletionStage<Void> migrate(ExecutorId executor) {
        Migration leaver = new Migration(executor);
        leavers.put(executor, leaver);
        for (BlockId id : locations.blocksOn(executor.value())) {
            Block block = blocks.computeIfAbsent(id, Block::new);
            block.leavers.add(leaver);
            leaver.blocks.add(block);
            refresh(block);
        }
        if (leaver.blocks.isEmpty()) {
            migrated(leaver);
        }
        return leaver.done;
    }

    /**
     * Ends the migration of an executor that is no longer to be decommissioned, and to which blocks can be copied
     * again. Copies in flight finish; blocks that wait for their migration are checked again, and need no copy while
     * the executor holds them.
     */
    void recommission(ExecutorId executor) {
        executorUp();
        Migration leaver = leavers.get(executor);
        if (leaver != null) {
            List<Block> waiting = List.copyOf(leaver.blocks);
            migrated(leaver);
            waiting.forEach(this::refresh);
        }
    }

    /**
     * Orders no further copies of a dataset's blocks, because the dataset is not persisted any more. Copies in flight
     * continue.
     */
    void forget(int dataset) {
        blocks.values().stream()
                .filter(block -> block.id.dataset() == dataset && block.order == null)
                .toList()
                .forEach(this::remove);
    }

    private void remove(Block block) {
        unqueue(block);
        blocks.remove(block.id);
        block.isFresh = false;
        for (Migration leaver : block.leavers) {
            leaver.blocks.remove(block);
            if (leaver.blocks.isEmpty()) {
                migrated(leaver);
            }
        }
    }

    /**
     * Ends the migration of an executor's blocks. The future of the migration completes at the end of {@link #run},
     * when the replicator's state is consistent.
     */
    private void migrated(Migration leaver) {
        if (leavers.remove(leaver.executor, leaver)) {
            leaver.blocks.forEach(block -> block.leavers.remove(leaver));
            migrated.add(leaver);
        }
    }

    /**
     * Checks the replicas of all FRESH blocks and orders every copy that can start now. Then completes the migrations
     * that have ended.
     */
    void run() {
        if (targetsAdded) {
            targetsAdded = false;
            locations.underReplicated().stream()
                    .filter(id -> !blocks.containsKey(id))
                    .forEach(this::refresh);
        }
        for (Block next = fresh.poll(); next != null; next = fresh.poll()) {
            if (next.isFresh) { // otherwise the block was removed meanwhile
                next.isFresh = false;
                advance(next, null);
            }
        }
        sources.run();
        List<Migration> done = List.copyOf(migrated);
        migrated.clear();
        done.forEach(leaver -> leaver.done.complete(null));
    }

    /**
     * Advances a block by one step: removes it if it needs no copy, queues it at its source, or orders its copy.
     * {@code at} is the source queue in which the block is first, or null; a copy is ordered only from such a queue.
     * Returns false if the block stays first in that queue, because every eligible target has its maximum of copies.
     */
    private boolean advance(Block block, @Nullable SourceQueue at) {
        steps++;
        StorageLevel level = locations.level(block.id.dataset());
        List<Peer> holders = peers.of(locations.holders(block.id.dataset(), block.id.partition()));
        long staying =
                holders.stream().filter(holder -> !holder.isDecommissioning()).count();
        int failuresMax = staying == 0 ? settings.moveFailuresMax() : settings.failuresMax();
        if (level == StorageLevel.NONE || staying >= level.replicas() || block.refused.size() > failuresMax) {
            remove(block);
            return true;
        }
        Peer source = ReplicationPeers.source(holders);
        Peer target = source == null ? null : peers.target(holders, block.refused);
        if (source == null || target == null) {
            remove(block); // checked again when an executor is added
            return true;
        }
        if (at == null || !source.canSend()) {
            queue(block, leastLoaded(source, holders));
            return true;
        }
        if (!target.canReceive()) {
            at.sameHost = ReplicationPeers.sharesHost(target, holders);
            return false;
        }
        begin(block, new Order(source, target));
        orders.accept(target.id(), new ReplicateBlock(block.id.dataset(), block.id.partition(), level, source.holder));
        return true;
    }

    /**
     * The source with the fewest copies to send, among the reachable executors that cache the block. If {@code source}
     * is decommissioning, considers only decommissioning executors, and otherwise only executors that are not
     * decommissioning.
     */
    private Peer leastLoaded(Peer source, List<Peer> holders) {
        Peer best = source;
        for (Peer holder : holders) {
            boolean eligible = holder.isReachable() && holder.isDecommissioning() == source.isDecommissioning();
            best = eligible && load(holder) < load(best) ? holder : best;
        }
        return best;
    }

    private int load(Peer peer) {
        SourceQueue waiting = queues.get(peer.id());
        return peer.sending() + (waiting == null ? 0 : waiting.blocks.size());
    }

    private void queue(Block block, Peer source) {
        unqueue(block);
        SourceQueue queue = queues.computeIfAbsent(source.id(), missing -> new SourceQueue(source));
        block.queue = queue;
        queue.blocks.add(block);
        sources.ready(queue);
    }

    private void unqueue(Block block) {
        SourceQueue queue = block.queue;
        if (queue != null) {
            block.queue = null;
            queue.remove(block);
        }
    }

    /**
     * The number of times that this replicator has checked whether a block needs a copy. Tests use it to measure the
     * cost of replication.
     */
    long steps() {
        return steps;
    }

    /**
     * The blocks that wait to be copied from one source executor, in order of arrival. A queue without blocks is
     * removed.
     */
    private final class SourceQueue implements CopySourceQueue.CopySource {
        final Peer source;
        final Set<Block> blocks = new LinkedHashSet<>();
        boolean sameHost;
        private boolean copying;

        SourceQueue(Peer source) {
            this.source = source;
        }

        void remove(Block block) {
            boolean wasFirst = blocks.iterator().next() == block;
            blocks.remove(block);
            if (blocks.isEmpty()) {
                queues.remove(source.id());
                if (!copying) {
                    sources.remove(this);
                }
            } else if (wasFirst && !copying) {
                sources.firstChanged(this);
            }
        }

        @Override
        public Peer peer() {
            return source;
        }

        @Override
        public boolean allowsSameHost() {
            return sameHost;
        }

        @Override
        public CopySourceQueue.Outcome copy() {
            boolean progress = false;
            copying = true; // the queue changes below without a call of firstChanged or remove
            try {
                while (!blocks.isEmpty() && source.canSend()) {
                    if (!advance(blocks.iterator().next(), this)) {
                        return progress ? CopySourceQueue.Outcome.BLOCKED : CopySourceQueue.Outcome.STILL_BLOCKED;
                    }
                    progress = true;
                }
                return CopySourceQueue.Outcome.DONE;
            } finally {
                copying = false;
            }
        }
    }
}
