package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.engine.internal.dag.MapOutputId;
import dev.hearth.engine.internal.driver.blocks.ReplicationPeers.Peer;
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
 * Migrates the map outputs of decommissioned executors to other executors. Each executor sends and receives a bounded
 * number of copies at once. A state machine without threads; owned by the driver's event loop. Calls take effect at the
 * next {@link #run}. An output is first WAITING, then COPYING to one executor, and finally migrated or abandoned.
 */
public final class MapOutputMigrator {
    private static final Logger LOG = LoggerFactory.getLogger(MapOutputMigrator.class);

    private final ReplicationSettings settings;
    private final ReplicationPeers peers;
    private final CopySourceQueue sources;
    private final BiConsumer<ExecutorId, MigrateMapOutput> orders;
    private final MapOutputs outputs;
    private final Map<ExecutorId, Migration> leavers = new LinkedHashMap<>();
    private final Map<MapOutputId, Migration> copying = new LinkedHashMap<>();
    private final Map<ExecutorId, Set<MapOutputId>> incoming = new LinkedHashMap<>(); // by target
    private final List<Migration> migrated = new ArrayList<>();
    private long steps;

    /** Reads and updates the registered locations of map outputs, on behalf of the migrator. */
    public interface MapOutputs {
        /** The map outputs that are registered on an executor, of all shuffles. */
        List<MapOutputId> on(ExecutorId executor);

        /**
         * Records that the executor {@code to}, on {@code host}, stores a map output from now on, in place of
         * {@code from}.
         */
        void moved(MapOutputId output, ExecutorId from, ExecutorId to, String host);
    }

    MapOutputMigrator(
            ReplicationSettings settings,
            ReplicationPeers peers,
            CopySourceQueue sources,
            BiConsumer<ExecutorId, MigrateMapOutput> orders,
            MapOutputs outputs) {
        this.settings = settings;
        this.peers = peers;
        this.sources = sources;
        this.orders = orders;
        this.outputs = outputs;
    }

    /**
     * Starts to copy the map outputs of a decommissioned executor to other executors. Completes once the executor has
     * no output left that can migrate.
     */
    CompletionStage<Void> migrate(ExecutorId executor) {
        Peer peer = peers.find(executor);
        if (peer == null || !peer.isReachable()) {
            return CompletableFuture.completedStage(null);
        }
        Migration leaver = leavers.computeIfAbsent(executor, absent -> new Migration(peer));
        leaver.resume(outputs.on(executor));
        sources.ready(leaver);
        return leaver.done;
    }

    /**
     * Ends the migration of an executor that is no longer to be decommissioned. Copies in flight finish, and no further
     * one starts.
     */
    void recommission(ExecutorId executor) {
        Migration leaver = leavers.get(executor);
        if (leaver != null) {
            leaver.stop();
            sources.firstChanged(leaver);
        }
    }

    /**
     * Handles the loss of an executor. Outputs that were being copied to it get another target, and the migration of
     * its own outputs is abandoned.
     */
    void executorLost(ExecutorId executor) {
        Migration lost = leavers.remove(executor);
        if (lost != null) {
            List.copyOf(lost.targets.keySet()).forEach(output -> end(lost, output));
            sources.remove(lost);
            migrated.add(lost);
        }
        for (MapOutputId output : List.copyOf(incoming.getOrDefault(executor, Set.of()))) {
            Migration leaver = copying.get(output);
            if (leaver != null) {
                end(leaver, output);
                leaver.retry(output);
            }
        }
    }

    /** Drops the waiting outputs of a shuffle from all migrations, because nothing reads the shuffle any more. */
    void forget(int shuffle) {
        for (Migration leaver : leavers.values()) {
            if (leaver.waiting.removeIf(output -> output.shuffle() == shuffle)) {
                sources.firstChanged(leaver);
            }
        }
    }

    /**
     * Handles the report of the target executor that the copy of a map output to it has ended. {@code failure} is empty
     * if the target has stored the output.
     */
    void copied(ExecutorId executor, MapOutputId output, String failure) {
        Migration leaver = copying.get(output);
        Peer to = leaver == null ? null : leaver.targets.get(output);
        if (leaver == null || to == null || !to.id().equals(executor)) {
            return; // this copy was abandoned earlier
        }
        end(leaver, output);
        if (failure.isEmpty()) {
            outputs.moved(output, leaver.peer.id(), executor, to.host());
        } else {
            LOG.info("{}: not migrated to executor {}: {}", output, executor, failure);
            leaver.refused
                    .computeIfAbsent(output, missing -> new LinkedHashSet<>())
                    .add(executor);
            leaver.retry(output);
        }
    }

    private void begin(Migration leaver, MapOutputId output, Peer to) {
        leaver.targets.put(output, to);
        copying.put(output, leaver);
        incoming.computeIfAbsent(to.id(), missing -> new LinkedHashSet<>()).add(output);
        peers.beginReceive(to);
    }

    private void end(Migration leaver, MapOutputId output) {
        Peer to = Objects.requireNonNull(leaver.targets.remove(output));
        copying.remove(output);
        incoming.computeIfPresent(to.id(), (id, copies) -> copies.remove(output) && copies.isEmpty() ? null : copies);
        peers.endReceive(to);
        sources.ready(leaver);
    }

    /**
     * Orders every copy that can start now, from any decommissioned executor, and completes the migrations that have
     * ended.
     */
    void run() {
        sources.run();
        List<Migration> done = List.copyOf(migrated);
        migrated.clear();
        done.forEach(leaver -> leaver.done.complete(null));
    }

    /**
     * The number of times that this migrator has checked whether it can copy a map output now. Tests use it to measure
     * the cost of migration.
     */
    long steps() {
        return steps;
    }

    /**
     * A decommissioned executor and its map outputs that are still to be copied to other executors. Exists until the
     * migration ends. If the executor is no longer to be decommissioned, its waiting outputs are dropped, and the
     * migration ends with the last copy in flight.
     */
    private final class Migration implements CopySourceQueue.CopySource {
        final Peer peer;
        final ArrayDeque<MapOutputId> waiting = new ArrayDeque<>();
        final Map<MapOutputId, Peer> targets = new LinkedHashMap<>(); // targets of copies in flight
        final Map<MapOutputId, Set<ExecutorId>> refused = new LinkedHashMap<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private boolean sameHost;
        private boolean stopped;

        Migration(Peer peer) {
            this.peer = peer;
        }

        /**
         * Queues {@code outputs} to be copied, except those that are being copied now. Adds nothing if some are already
         * queued.
         */
        void resume(List<MapOutputId> outputs) {
            stopped = false;
            if (waiting.isEmpty()) {
                outputs.stream().filter(output -> !targets.containsKey(output)).forEach(waiting::add);
            }
        }

        void stop() {
            stopped = true;
            waiting.clear();
        }

        /**
         * Queues an output to be copied once more, after its copy has failed. Does nothing if the migration was
         * stopped.
         */
        void retry(MapOutputId output) {
            if (!stopped) {
                waiting.add(output);
            }
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public boolean allowsSameHost() {
            return sameHost;
        }

        @Override
        public CopySourceQueue.Outcome copy() {
            boolean progress = false;
            while (!waiting.isEmpty() && targets.size() < settings.outputsAtOnce()) {
                steps++;
                MapOutputId output = waiting.element();
                Set<ExecutorId> failed = refused.getOrDefault(output, Set.of());
                boolean abandoned = failed.size() > settings.moveFailuresMax()
                        || copying.containsKey(output); // another executor recomputed the output and migrates it
                Peer to = abandoned ? null : peers.target(List.of(peer), failed);
                if (to != null && !to.canReceive()) {
                    sameHost = ReplicationPeers.sharesHost(to, List.of(peer));
                    return progress ? CopySourceQueue.Outcome.BLOCKED : CopySourceQueue.Outcome.STILL_BLOCKED;
                }
                progress = true;
                waiting.remove();
                if (to != null) { // otherwise the output is lost with its executor
                    begin(this, output, to);
                    orders.accept(to.id(), new MigrateMapOutput(output.shuffle(), output.map(), peer.holder));
                }
            }
            if (waiting.isEmpty() && targets.isEmpty() && leavers.remove(peer.id(), this)) {
                migrated.add(this);
            }
            return CopySourceQueue.Outcome.DONE;
        }
    }
}
