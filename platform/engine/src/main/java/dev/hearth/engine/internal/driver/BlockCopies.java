package dev.hearth.engine.internal.driver;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.driver.CopyPeers.Choice;
import dev.hearth.engine.internal.driver.CopyPeers.Peer;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CopyKept;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.id.ExecutorId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which kept blocks get copies, and where: as many as their level says, where there are so many executors, and one at least of
 * what an executor has that leaves. A state machine without threads; owned by the driver's loop.
 * <p>What is noted here has effect at the next {@link #look}. A block WAITS to be looked at, is COPIED by one order at a time, and is looked at again when that has ended; it is at rest
 * otherwise. Invariant: what is under way is what peers count.
 */
final class BlockCopies {
    private static final Logger LOG = LoggerFactory.getLogger(BlockCopies.class);

    private final StorageSettings settings;
    private final KeptDatasets kept;
    private final CopyPeers peers;
    private final BiConsumer<ExecutorId, CopyKept> orders;
    private final Set<BlockId> waiting = new LinkedHashSet<>();
    private final Map<BlockId, Order> underWay = new LinkedHashMap<>();
    private final Map<BlockId, Set<ExecutorId>> refused = new LinkedHashMap<>(); // of those that wait or are copied
    private final Map<ExecutorId, Leaver> leavers = new LinkedHashMap<>();

    private record Order(Peer from, Peer to) {}

    /** One that hands over what it has. */
    private record Leaver(Set<BlockId> blocks, CompletableFuture<Void> done) {}

    BlockCopies(StorageSettings settings, KeptDatasets kept, CopyPeers peers, BiConsumer<ExecutorId, CopyKept> orders) {
        this.settings = settings;
        this.kept = kept;
        this.peers = peers;
        this.orders = orders;
    }

    /** There is another executor: what has fewer replicas than it should may get one there. */
    void executorUp() {
        if (settings.proactive()) {
            waiting.addAll(kept.lacking());
        }
    }

    /** An executor is gone that kept {@code had}. */
    void executorLost(ExecutorId executor, Collection<BlockId> had) {
        for (BlockId block : List.copyOf(underWay.keySet())) {
            Order order = underWay.get(block);
            if (order != null && order.to().id().equals(executor)) {
                end(block, order);
                waiting.add(block);
            }
        }
        if (settings.proactive()) {
            had.stream().filter(this::hasReplicas).forEach(waiting::add);
        }
        Leaver leaver = leavers.remove(executor);
        if (leaver != null) {
            leaver.done().complete(null);
        }
    }

    private boolean hasReplicas(BlockId block) {
        return kept.level(block.dataset()).replicas() > 1;
    }

    /** An executor keeps a block that it did not keep before. */
    void kept(BlockId block) {
        if (hasReplicas(block) && !underWay.containsKey(block)) { // else it is looked at when that has ended
            waiting.add(block);
        }
    }

    /** An order has ended; {@code failure} is empty when the block is kept there now. */
    void copied(ExecutorId executor, BlockId block, String failure) {
        Order order = underWay.get(block);
        if (order == null || !order.to().id().equals(executor)) {
            return; // it was given up before
        }
        end(block, order);
        boolean isThere = kept.holders(block.dataset(), block.partition()).contains(executor.value());
        if (!failure.isEmpty() || !isThere) { // word of the block comes first: it has given way to something else
            LOG.info("{}: no copy on executor {}: {}", block, executor, failure.isEmpty() ? "not kept" : failure);
            if (peers.find(order.from().id()) != null) { // else nobody can blame who was to take it
                refused.computeIfAbsent(block, missing -> new LinkedHashSet<>()).add(executor);
            }
        }
        waiting.add(block);
    }

    private void end(BlockId block, Order order) {
        underWay.remove(block);
        CopyPeers.end(order.from(), order.to());
    }

    /** Hands over what an executor has; completes once there is nothing left that could be. */
    CompletionStage<Void> empty(ExecutorId executor) {
        Leaver leaver = new Leaver(new LinkedHashSet<>(kept.blocksOn(executor.value())), new CompletableFuture<>());
        leavers.put(executor, leaver);
        waiting.addAll(leaver.blocks());
        return leaver.done();
    }

    /** Nobody wants the dataset kept any more. */
    void forget(int dataset) {
        List.copyOf(waiting).stream()
                .filter(block -> block.dataset() == dataset)
                .forEach(this::rest);
    }

    private void rest(BlockId block) {
        waiting.remove(block);
        refused.remove(block);
        leavers.values().forEach(leaver -> leaver.blocks().remove(block));
    }

    /** Gives the orders that can be given now. */
    void look() {
        for (int left = waiting.size(); left > 0 && underWay.size() < peers.capacity(); left--) {
            BlockId block = waiting.iterator().next();
            waiting.remove(block);
            if (underWay.containsKey(block) || !settle(block)) {
                waiting.add(block); // behind the others
            }
        }
        for (ExecutorId executor : List.copyOf(leavers.keySet())) {
            Leaver leaver = leavers.get(executor);
            if (leaver != null && leaver.blocks().isEmpty()) {
                leavers.remove(executor);
                leaver.done().complete(null);
            }
        }
    }

    /** Orders a copy if one is missing; false when that has to wait for others. */
    private boolean settle(BlockId block) {
        StorageLevel level = kept.level(block.dataset());
        List<Peer> holders = peers.of(kept.holders(block.dataset(), block.partition()));
        long staying = holders.stream().filter(holder -> !holder.leaving).count();
        Set<ExecutorId> failed = refused.getOrDefault(block, Set.of());
        int failuresMax = staying == 0 ? settings.moveFailuresMax() : settings.failuresMax();
        if (level == StorageLevel.NONE || staying >= level.replicas() || failed.size() > failuresMax) {
            rest(block);
            return true;
        }
        Choice to = peers.taker(holders, failed);
        Choice from = CopyPeers.giver(holders);
        Peer taker = to.peer();
        Peer giver = from.peer();
        if (taker != null && giver != null) {
            underWay.put(block, new Order(giver, taker));
            CopyPeers.begin(giver, taker);
            orders.accept(taker.id(), new CopyKept(block.dataset(), block.partition(), level, giver.holder));
            return true;
        }
        boolean later = (taker != null || to.later()) && (giver != null || from.later());
        if (!later) {
            rest(block); // there is nobody: it is looked at again when there is
        }
        return !later;
    }
}
