package dev.hearth.engine.internal.driver;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.driver.ReplicationPeers.Peer;
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
 * Which kept blocks get copies, and where: as many as their level says, where there are so many executors, and one at least of
 * what an executor has that leaves. A state machine without threads; owned by the driver's loop. What is noted has effect at the
 * next {@link #look}. A block is NEW here, then WAITS in the queue of one that can give it, is COPIED by one order at a time, and is
 * new again when that has ended; it is at rest, and unknown here, otherwise. Invariant: what is under way is what peers count.
 */
final class BlockReplicator {
    private static final Logger LOG = LoggerFactory.getLogger(BlockReplicator.class);

    private final ReplicationSettings settings;
    private final BlockLocationRegistry kept;
    private final ReplicationPeers peers;
    private final CopySourceQueue turns;
    private final BiConsumer<ExecutorId, ReplicateBlock> orders;
    private final Map<BlockId, Block> blocks = new LinkedHashMap<>(); // that are not at rest
    private final ArrayDeque<Block> fresh = new ArrayDeque<>();
    private final Map<ExecutorId, SourceQueue> queues =
            new LinkedHashMap<>(); // of givers, as long as something waits there
    private final Map<ExecutorId, Set<Block>> taken = new LinkedHashMap<>(); // what an executor is to take
    private final Map<ExecutorId, Migration> leavers = new LinkedHashMap<>();
    private final List<Migration> emptied = new ArrayList<>();
    private boolean moreTake; // there are executors that were not there at the last look
    private long looks;

    /** A block that is not at rest: in no more than one of three places. */
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

    /** One that hands over what it has. */
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
            BlockLocationRegistry kept,
            ReplicationPeers peers,
            CopySourceQueue turns,
            BiConsumer<ExecutorId, ReplicateBlock> orders) {
        this.settings = settings;
        this.kept = kept;
        this.peers = peers;
        this.turns = turns;
        this.orders = orders;
    }

    /** There is another executor: what has fewer replicas than it should may get one there. */
    void executorUp() {
        moreTake = settings.proactive();
    }

    /** An executor is gone that kept {@code had}. */
    void executorLost(ExecutorId executor, Collection<BlockId> had) {
        for (Block block : List.copyOf(taken.getOrDefault(executor, Set.of()))) {
            end(block);
            renew(block);
        }
        SourceQueue queue = queues.get(executor);
        if (queue != null) {
            List.copyOf(queue.blocks).forEach(this::renew);
        }
        if (settings.proactive()) {
            had.stream().filter(this::hasReplicas).forEach(this::renew);
        }
        Migration leaver = leavers.get(executor);
        if (leaver != null) {
            emptied(leaver);
        }
    }

    private boolean hasReplicas(BlockId block) {
        return kept.level(block.dataset()).replicas() > 1;
    }

    /** An executor has cached a block that it did not hold before. */
    void blockCached(BlockId block) {
        if (hasReplicas(block)) {
            renew(block);
        }
    }

    private void renew(BlockId id) {
        renew(blocks.computeIfAbsent(id, Block::new));
    }

    /** Has a block looked at, unless it is copied: then it is when that has ended. */
    private void renew(Block block) {
        if (block.order == null && !block.isFresh) {
            unqueue(block);
            block.isFresh = true;
            fresh.add(block);
        }
    }

    /** An order has ended; {@code failure} is empty when the block is kept there now. */
    void copied(ExecutorId executor, BlockId id, String failure) {
        Block block = blocks.get(id);
        Order order = block == null ? null : block.order;
        if (block == null || order == null || !order.to().id().equals(executor)) {
            return; // it was given up before
        }
        end(block);
        boolean isThere = kept.holders(id.dataset(), id.partition()).contains(executor.value());
        if (!failure.isEmpty() || !isThere) { // word of the block comes first: it has given way to something else
            LOG.info("{}: no copy on executor {}: {}", id, executor, failure.isEmpty() ? "not kept" : failure);
            if (peers.find(order.from().id()) != null) { // else nobody can blame who was to take it
                block.refused.add(executor);
            }
        }
        renew(block);
    }

    private void begin(Block block, Order order) {
        unqueue(block);
        block.order = order;
        taken.computeIfAbsent(order.to.id(), missing -> new LinkedHashSet<>()).add(block);
        peers.beginGiving(order.from);
        peers.beginTaking(order.to);
    }

    private void end(Block block) {
        Order order = block.order;
        if (order != null) {
            block.order = null;
            taken.computeIfPresent(order.to.id(), (to, those) -> those.remove(block) && those.isEmpty() ? null : those);
            peers.endGiving(order.from);
            peers.endTaking(order.to);
            SourceQueue waiting = queues.get(order.from.id());
            if (waiting != null) {
                turns.due(waiting);
            }
        }
    }

    /** Hands over what an executor has; completes once there is nothing left that could be. */
    CompletionStage<Void> empty(ExecutorId executor) {
        Migration leaver = new Migration(executor);
        leavers.put(executor, leaver);
        for (BlockId id : kept.blocksOn(executor.value())) {
            Block block = blocks.computeIfAbsent(id, Block::new);
            block.leavers.add(leaver);
            leaver.blocks.add(block);
            renew(block);
        }
        if (leaver.blocks.isEmpty()) {
            emptied(leaver);
        }
        return leaver.done;
    }

    /** Nobody wants the dataset kept any more. */
    void forget(int dataset) {
        blocks.values().stream()
                .filter(block -> block.id.dataset() == dataset && block.order == null)
                .toList()
                .forEach(this::rest);
    }

    private void rest(Block block) {
        unqueue(block);
        blocks.remove(block.id);
        block.isFresh = false;
        for (Migration leaver : block.leavers) {
            leaver.blocks.remove(block);
            if (leaver.blocks.isEmpty()) {
                emptied(leaver);
            }
        }
    }

    /** It is told so at the end of the look, when all else is as it should be. */
    private void emptied(Migration leaver) {
        if (leavers.remove(leaver.executor, leaver)) {
            leaver.blocks.forEach(block -> block.leavers.remove(leaver));
            emptied.add(leaver);
        }
    }

    /** Gives the orders that can be given now. */
    void look() {
        if (moreTake) {
            moreTake = false;
            kept.lacking().stream().filter(id -> !blocks.containsKey(id)).forEach(this::renew);
        }
        for (Block next = fresh.poll(); next != null; next = fresh.poll()) {
            if (next.isFresh) { // else it came to rest meanwhile
                next.isFresh = false;
                settle(next, null);
            }
        }
        turns.look();
        List<Migration> done = List.copyOf(emptied);
        emptied.clear();
        done.forEach(leaver -> leaver.done.complete(null));
    }

    /**
     * Has a block rest that needs no copy, or wait where it can be given; orders a copy of one whose turn it is in the queue {@code at}.
     * Tells whether it is where it should not be any more: false when it has to wait for somebody to take it.
     */
    private boolean settle(Block block, @Nullable SourceQueue at) {
        looks++;
        StorageLevel level = kept.level(block.id.dataset());
        List<Peer> holders = peers.of(kept.holders(block.id.dataset(), block.id.partition()));
        long staying = holders.stream().filter(holder -> !holder.isLeaving()).count();
        int failuresMax = staying == 0 ? settings.moveFailuresMax() : settings.failuresMax();
        if (level == StorageLevel.NONE || staying >= level.replicas() || block.refused.size() > failuresMax) {
            rest(block);
            return true;
        }
        Peer giver = ReplicationPeers.giver(holders);
        Peer taker = giver == null ? null : peers.taker(holders, block.refused);
        if (giver == null || taker == null) {
            rest(block); // there is nobody: it is looked at again when there is
            return true;
        }
        if (at == null || !giver.givesMore()) {
            queue(block, leastToDo(giver, holders));
            return true;
        }
        if (!taker.takesMore()) {
            at.near = ReplicationPeers.isNear(taker, holders);
            return false;
        }
        begin(block, new Order(giver, taker));
        orders.accept(taker.id(), new ReplicateBlock(block.id.dataset(), block.id.partition(), level, giver.holder));
        return true;
    }

    /** Of those that give as well as {@code giver} the one that has least to give. */
    private Peer leastToDo(Peer giver, List<Peer> holders) {
        Peer best = giver;
        for (Peer holder : holders) {
            boolean gives = holder.isReachable() && holder.isLeaving() == giver.isLeaving();
            best = gives && toGive(holder) < toGive(best) ? holder : best;
        }
        return best;
    }

    private int toGive(Peer peer) {
        SourceQueue waiting = queues.get(peer.id());
        return peer.giving() + (waiting == null ? 0 : waiting.blocks.size());
    }

    private void queue(Block block, Peer giver) {
        unqueue(block);
        SourceQueue queue = queues.computeIfAbsent(giver.id(), missing -> new SourceQueue(giver));
        block.queue = queue;
        queue.blocks.add(block);
        turns.due(queue);
    }

    private void unqueue(Block block) {
        SourceQueue queue = block.queue;
        if (queue != null) {
            block.queue = null;
            queue.remove(block);
        }
    }

    /** How often a block was looked at so far. */
    long looks() {
        return looks;
    }

    /** What waits to be given by one peer, in the order it came. Exists while there is something. */
    private final class SourceQueue implements CopySourceQueue.CopySource {
        final Peer giver;
        final Set<Block> blocks = new LinkedHashSet<>();
        boolean near;
        private boolean giving;

        SourceQueue(Peer giver) {
            this.giver = giver;
        }

        void remove(Block block) {
            boolean wasFirst = blocks.iterator().next() == block;
            blocks.remove(block);
            if (blocks.isEmpty()) {
                queues.remove(giver.id());
                if (!giving) {
                    turns.leave(this);
                }
            } else if (wasFirst && !giving) {
                turns.changed(this);
            }
        }

        @Override
        public Peer peer() {
            return giver;
        }

        @Override
        public boolean givesNear() {
            return near;
        }

        @Override
        public CopySourceQueue.Outcome give() {
            boolean gave = false;
            giving = true; // and changes by itself
            try {
                while (!blocks.isEmpty() && giver.givesMore()) {
                    if (!settle(blocks.iterator().next(), this)) {
                        return gave ? CopySourceQueue.Outcome.WAITS : CopySourceQueue.Outcome.WAITS_STILL;
                    }
                    gave = true;
                }
                return CopySourceQueue.Outcome.OVER;
            } finally {
                giving = false;
            }
        }
    }
}
