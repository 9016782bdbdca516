package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.dag.MapOutputId;
import dev.hearth.engine.internal.driver.ReplicationPeers.Peer;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The map outputs of executors that leave, on their way to others, so many of each at once as is set. A state machine without
 * threads; owned by the driver's loop. What is noted here has effect at the next {@link #look}. Each output WAITS, is UNDER WAY to
 * one executor, and then is there or left to go.
 */
final class MapOutputMigrator {
    private static final Logger LOG = LoggerFactory.getLogger(MapOutputMigrator.class);

    private final ReplicationSettings settings;
    private final ReplicationPeers peers;
    private final CopySourceQueue turns;
    private final BiConsumer<ExecutorId, MigrateMapOutput> orders;
    private final MapOutputs outputs;
    private final Map<ExecutorId, Migration> leavers = new LinkedHashMap<>();
    private final Map<MapOutputId, Migration> underWay = new LinkedHashMap<>();
    private final Map<ExecutorId, Set<MapOutputId>> taken = new LinkedHashMap<>(); // what an executor is to take
    private final List<Migration> emptied = new ArrayList<>();
    private long looks;

    /** Where outputs lie. */
    interface MapOutputs {
        /** Those on an executor. */
        List<MapOutputId> on(ExecutorId executor);

        /** One lies elsewhere from now on. */
        void moved(MapOutputId output, ExecutorId from, ExecutorId to, String host);
    }

    MapOutputMigrator(
            ReplicationSettings settings,
            ReplicationPeers peers,
            CopySourceQueue turns,
            BiConsumer<ExecutorId, MigrateMapOutput> orders,
            MapOutputs outputs) {
        this.settings = settings;
        this.peers = peers;
        this.turns = turns;
        this.orders = orders;
        this.outputs = outputs;
    }

    /** Hands over the outputs of an executor; completes once there is none left that could be. */
    CompletionStage<Void> empty(ExecutorId executor) {
        Peer peer = peers.find(executor);
        if (peer == null || !peer.isReachable()) {
            return CompletableFuture.completedStage(null);
        }
        Migration leaver = new Migration(peer, outputs.on(executor));
        leavers.put(executor, leaver);
        turns.due(leaver);
        return leaver.done;
    }

    /** An executor is gone: what was to go there goes elsewhere, what was to come from there does not. */
    void executorLost(ExecutorId executor) {
        Migration gone = leavers.remove(executor);
        if (gone != null) {
            List.copyOf(gone.takers.keySet()).forEach(output -> end(gone, output));
            turns.leave(gone);
            emptied.add(gone);
        }
        for (MapOutputId output : List.copyOf(taken.getOrDefault(executor, Set.of()))) {
            Migration leaver = underWay.get(output);
            if (leaver != null) {
                end(leaver, output);
                leaver.waiting.add(output);
            }
        }
    }

    /** Nobody reads the shuffle any more. */
    void forget(int shuffle) {
        for (Migration leaver : leavers.values()) {
            if (leaver.waiting.removeIf(output -> output.shuffle() == shuffle)) {
                turns.changed(leaver);
            }
        }
    }

    /** An order has ended; {@code failure} is empty when the output lies there now. */
    void copied(ExecutorId executor, MapOutputId output, String failure) {
        Migration leaver = underWay.get(output);
        Peer to = leaver == null ? null : leaver.takers.get(output);
        if (leaver == null || to == null || !to.id().equals(executor)) {
            return; // it was given up before
        }
        end(leaver, output);
        if (failure.isEmpty()) {
            outputs.moved(output, leaver.peer.id(), executor, to.host());
        } else {
            LOG.info("{}: not moved to executor {}: {}", output, executor, failure);
            leaver.refused
                    .computeIfAbsent(output, missing -> new LinkedHashSet<>())
                    .add(executor);
            leaver.waiting.add(output);
        }
    }

    private void begin(Migration leaver, MapOutputId output, Peer to) {
        leaver.takers.put(output, to);
        underWay.put(output, leaver);
        taken.computeIfAbsent(to.id(), missing -> new LinkedHashSet<>()).add(output);
        peers.beginTaking(to);
    }

    private void end(Migration leaver, MapOutputId output) {
        Peer to = Objects.requireNonNull(leaver.takers.remove(output));
        underWay.remove(output);
        taken.computeIfPresent(to.id(), (id, those) -> those.remove(output) && those.isEmpty() ? null : those);
        peers.endTaking(to);
        turns.due(leaver);
    }

    /** Gives the orders that can be given now. */
    void look() {
        turns.look();
        List<Migration> done = List.copyOf(emptied);
        emptied.clear();
        done.forEach(leaver -> leaver.done.complete(null));
    }

    /** How often an output was looked at so far. */
    long looks() {
        return looks;
    }

    /** One that hands over what it has. Exists until that is done. */
    private final class Migration implements CopySourceQueue.CopySource {
        final Peer peer;
        final ArrayDeque<MapOutputId> waiting;
        final Map<MapOutputId, Peer> takers = new LinkedHashMap<>(); // of what is under way
        final Map<MapOutputId, Set<ExecutorId>> refused = new LinkedHashMap<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private boolean near;

        Migration(Peer peer, List<MapOutputId> outputs) {
            this.peer = peer;
            this.waiting = new ArrayDeque<>(outputs);
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public boolean givesNear() {
            return near;
        }

        @Override
        public CopySourceQueue.Outcome give() {
            boolean gave = false;
            while (!waiting.isEmpty() && takers.size() < settings.outputsAtOnce()) {
                looks++;
                MapOutputId output = waiting.element();
                Set<ExecutorId> those = refused.getOrDefault(output, Set.of());
                boolean isLeft = those.size() > settings.moveFailuresMax()
                        || underWay.containsKey(output); // from where it was made again, or was before
                Peer to = isLeft ? null : peers.taker(List.of(peer), those);
                if (to != null && !to.takesMore()) {
                    near = ReplicationPeers.isNear(to, List.of(peer));
                    return gave ? CopySourceQueue.Outcome.WAITS : CopySourceQueue.Outcome.WAITS_STILL;
                }
                gave = true;
                waiting.remove();
                if (to != null) { // else it is left to go
                    begin(this, output, to);
                    orders.accept(to.id(), new MigrateMapOutput(output.shuffle(), output.map(), peer.holder));
                }
            }
            if (waiting.isEmpty() && takers.isEmpty() && leavers.remove(peer.id(), this)) {
                emptied.add(this);
            }
            return CopySourceQueue.Outcome.OVER;
        }
    }
}
