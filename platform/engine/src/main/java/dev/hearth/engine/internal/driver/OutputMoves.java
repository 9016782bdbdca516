package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.dag.OutputId;
import dev.hearth.engine.internal.driver.CopyPeers.Peer;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CopyOutput;
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
final class OutputMoves {
    private static final Logger LOG = LoggerFactory.getLogger(OutputMoves.class);

    private final StorageSettings settings;
    private final CopyPeers peers;
    private final GivingTurns turns;
    private final BiConsumer<ExecutorId, CopyOutput> orders;
    private final Outputs outputs;
    private final Map<ExecutorId, Leaver> leavers = new LinkedHashMap<>();
    private final Map<OutputId, Leaver> underWay = new LinkedHashMap<>();
    private final Map<ExecutorId, Set<OutputId>> taken = new LinkedHashMap<>(); // what an executor is to take
    private final List<Leaver> emptied = new ArrayList<>();
    private long looks;

    /** Where outputs lie. */
    interface Outputs {
        /** Those on an executor. */
        List<OutputId> on(ExecutorId executor);

        /** One lies elsewhere from now on. */
        void moved(OutputId output, ExecutorId from, ExecutorId to, String host);
    }

    OutputMoves(
            StorageSettings settings,
            CopyPeers peers,
            GivingTurns turns,
            BiConsumer<ExecutorId, CopyOutput> orders,
            Outputs outputs) {
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
        Leaver leaver = new Leaver(peer, outputs.on(executor));
        leavers.put(executor, leaver);
        turns.due(leaver);
        return leaver.done;
    }

    /** An executor is gone: what was to go there goes elsewhere, what was to come from there does not. */
    void executorLost(ExecutorId executor) {
        Leaver gone = leavers.remove(executor);
        if (gone != null) {
            List.copyOf(gone.takers.keySet()).forEach(output -> end(gone, output));
            turns.leave(gone);
            emptied.add(gone);
        }
        for (OutputId output : List.copyOf(taken.getOrDefault(executor, Set.of()))) {
            Leaver leaver = underWay.get(output);
            if (leaver != null) {
                end(leaver, output);
                leaver.waiting.add(output);
            }
        }
    }

    /** Nobody reads the shuffle any more. */
    void forget(int shuffle) {
        for (Leaver leaver : leavers.values()) {
            if (leaver.waiting.removeIf(output -> output.shuffle() == shuffle)) {
                turns.changed(leaver);
            }
        }
    }

    /** An order has ended; {@code failure} is empty when the output lies there now. */
    void copied(ExecutorId executor, OutputId output, String failure) {
        Leaver leaver = underWay.get(output);
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

    private void begin(Leaver leaver, OutputId output, Peer to) {
        leaver.takers.put(output, to);
        underWay.put(output, leaver);
        taken.computeIfAbsent(to.id(), missing -> new LinkedHashSet<>()).add(output);
        peers.beginTaking(to);
    }

    private void end(Leaver leaver, OutputId output) {
        Peer to = Objects.requireNonNull(leaver.takers.remove(output));
        underWay.remove(output);
        taken.computeIfPresent(to.id(), (id, those) -> those.remove(output) && those.isEmpty() ? null : those);
        peers.endTaking(to);
        turns.due(leaver);
    }

    /** Gives the orders that can be given now. */
    void look() {
        turns.look();
        List<Leaver> done = List.copyOf(emptied);
        emptied.clear();
        done.forEach(leaver -> leaver.done.complete(null));
    }

    /** How often an output was looked at so far. */
    long looks() {
        return looks;
    }

    /** One that hands over what it has. Exists until that is done. */
    private final class Leaver implements GivingTurns.Giver {
        final Peer peer;
        final ArrayDeque<OutputId> waiting;
        final Map<OutputId, Peer> takers = new LinkedHashMap<>(); // of what is under way
        final Map<OutputId, Set<ExecutorId>> refused = new LinkedHashMap<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private boolean near;

        Leaver(Peer peer, List<OutputId> outputs) {
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
        public GivingTurns.Turn give() {
            boolean gave = false;
            while (!waiting.isEmpty() && takers.size() < settings.outputsAtOnce()) {
                looks++;
                OutputId output = waiting.element();
                Set<ExecutorId> those = refused.getOrDefault(output, Set.of());
                boolean isLeft = those.size() > settings.moveFailuresMax()
                        || underWay.containsKey(output); // from where it was made again, or was before
                Peer to = isLeft ? null : peers.taker(List.of(peer), those);
                if (to != null && !to.takesMore()) {
                    near = CopyPeers.isNear(to, List.of(peer));
                    return gave ? GivingTurns.Turn.WAITS : GivingTurns.Turn.WAITS_STILL;
                }
                gave = true;
                waiting.remove();
                if (to != null) { // else it is left to go
                    begin(this, output, to);
                    orders.accept(to.id(), new CopyOutput(output.shuffle(), output.map(), peer.holder));
                }
            }
            if (waiting.isEmpty() && takers.isEmpty() && leavers.remove(peer.id(), this)) {
                emptied.add(this);
            }
            return GivingTurns.Turn.OVER;
        }
    }
}
