package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.dag.OutputId;
import dev.hearth.engine.internal.driver.CopyPeers.Peer;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CopyOutput;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
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
 * The map outputs of executors that leave, on their way to others, so many of each at once as is set. A state machine without
 * threads; owned by the driver's loop. What is noted here has effect at the next {@link #look}. Each output WAITS, is UNDER WAY to one executor, and then is there or left to go.
 */
final class OutputMoves {
    private static final Logger LOG = LoggerFactory.getLogger(OutputMoves.class);

    private final StorageSettings settings;
    private final CopyPeers peers;
    private final BiConsumer<ExecutorId, CopyOutput> orders;
    private final Outputs outputs;
    private final Map<ExecutorId, Leaver> leavers = new LinkedHashMap<>();

    /** Where outputs lie. */
    interface Outputs {
        /** Those on an executor. */
        List<OutputId> on(ExecutorId executor);

        /** One lies elsewhere from now on. */
        void moved(OutputId output, ExecutorId from, ExecutorId to, String host);
    }

    private static final class Leaver {
        final Peer peer;
        final ArrayDeque<OutputId> waiting;
        final Map<OutputId, Peer> underWay = new LinkedHashMap<>(); // and to whom
        final Map<OutputId, Set<ExecutorId>> refused = new LinkedHashMap<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();

        Leaver(Peer peer, List<OutputId> outputs) {
            this.peer = peer;
            this.waiting = new ArrayDeque<>(outputs);
        }
    }

    OutputMoves(StorageSettings settings, CopyPeers peers, BiConsumer<ExecutorId, CopyOutput> orders, Outputs outputs) {
        this.settings = settings;
        this.peers = peers;
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
        return leaver.done;
    }

    /** An executor is gone: what was to go there goes elsewhere, what was to come from there does not. */
    void executorLost(ExecutorId executor) {
        Leaver gone = leavers.remove(executor);
        if (gone != null) {
            gone.underWay.values().forEach(to -> to.taking--);
            gone.done.complete(null);
        }
        for (Leaver leaver : List.copyOf(leavers.values())) {
            for (OutputId output : List.copyOf(leaver.underWay.keySet())) {
                Peer to = leaver.underWay.get(output);
                if (to != null && to.id().equals(executor)) {
                    leaver.underWay.remove(output);
                    leaver.waiting.add(output);
                }
            }
        }
    }

    /** Nobody reads the shuffle any more. */
    void forget(int shuffle) {
        for (Leaver leaver : List.copyOf(leavers.values())) {
            leaver.waiting.removeIf(output -> output.shuffle() == shuffle);
        }
    }

    /** An order has ended; {@code failure} is empty when the output lies there now. */
    void copied(ExecutorId executor, OutputId output, String failure) {
        for (Leaver leaver : List.copyOf(leavers.values())) {
            Peer to = leaver.underWay.get(output);
            if (to != null && to.id().equals(executor)) {
                leaver.underWay.remove(output);
                to.taking--;
                if (failure.isEmpty()) {
                    outputs.moved(output, leaver.peer.id(), executor, to.holder.host());
                } else {
                    LOG.info("{}: not moved to executor {}: {}", output, executor, failure);
                    leaver.refused
                            .computeIfAbsent(output, missing -> new LinkedHashSet<>())
                            .add(executor);
                    leaver.waiting.add(output);
                }
            }
        }
    }

    /** Gives the orders that can be given now. */
    void look() {
        List.copyOf(leavers.values()).forEach(this::look);
    }

    private void look(Leaver leaver) {
        int left = leaver.waiting.size(); // each once
        while (left-- > 0 && leaver.underWay.size() < settings.outputsAtOnce()) {
            OutputId output = leaver.waiting.remove();
            Set<ExecutorId> refused = leaver.refused.getOrDefault(output, Set.of());
            CopyPeers.Choice choice = peers.taker(List.of(leaver.peer), refused);
            Peer to = choice.peer();
            if (refused.size() <= settings.moveFailuresMax() && to != null) {
                leaver.underWay.put(output, to);
                to.taking++;
                to.given++;
                orders.accept(to.id(), new CopyOutput(output.shuffle(), output.map(), leaver.peer.holder));
            } else if (refused.size() <= settings.moveFailuresMax() && choice.later()) {
                leaver.waiting.add(output);
            }
        }
        if (leaver.waiting.isEmpty() && leaver.underWay.isEmpty() && leavers.remove(leaver.peer.id(), leaver)) {
            leaver.done.complete(null);
        }
    }
}
