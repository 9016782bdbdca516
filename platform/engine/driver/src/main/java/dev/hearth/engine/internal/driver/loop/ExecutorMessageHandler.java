package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.driver.blocks.PersistedDatasetManager;
import dev.hearth.engine.internal.driver.executors.ExecutorFleet;
import dev.hearth.engine.internal.driver.executors.ExecutorRegistry;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockReplicated;
import dev.hearth.engine.internal.protocol.DriverProtocol.MapOutputMigrated;
import dev.hearth.engine.internal.protocol.DriverProtocol.Progress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.time.Ticker;
import java.util.List;

/**
 * Passes messages of executors in other processes to the components of the driver that handle them. Called on the
 * driver's event loop; stateless. Invariant: a message is handled only if it comes from a live executor over that
 * executor's own connection.
 */
record ExecutorMessageHandler(
        ExecutorRegistry registry,
        Ticker ticker,
        ExecutorFleet fleet,
        ResultFetcher results,
        SchedulerShell scheduling,
        PersistedDatasetManager keeper)
        implements DriverPort.Handler {
    @Override
    public void tasksEnded(ExecutorId executor, Peer peer, List<TaskEnd> ends) {
        if (isLive(executor, peer)) {
            results.tasksEnded(executor, ends);
        }
    }

    @Override
    public boolean isLive(ExecutorId executor, Peer peer) {
        boolean live = registry.heartbeat(executor, peer.id(), ticker.nanos());
        if (!live) {
            peer.endpoint(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL)
                    .send(new Stop("executor " + executor + ": its driver has given it up as lost (expected: a live"
                            + " executor)"));
        }
        return live;
    }

    @Override
    public void progressed(Progress message, Peer peer) {
        if (isLive(message.executor(), peer)) {
            scheduling.progressed(message.executor(), message.running());
        }
    }

    @Override
    public void blockChanged(BlockChanged message, long peer) {
        if (registry.heartbeat(message.executor(), peer, ticker.nanos())) {
            boolean isNew = keeper.changed(message, fleet.host(message.executor()));
            if (isNew) {
                fleet.copying().blockCached(new BlockId(message.dataset(), message.partition()));
            }
        }
    }

    @Override
    public void copied(BlockReplicated message, long peer) {
        if (registry.heartbeat(message.executor(), peer, ticker.nanos())) {
            fleet.copying().copied(message);
        }
    }

    @Override
    public void copied(MapOutputMigrated message, long peer) {
        if (registry.heartbeat(message.executor(), peer, ticker.nanos())) {
            fleet.copying().copied(message);
        }
    }

    @Override
    public void peerLost(long peer, String reason) {
        registry.executorOf(peer).ifPresent(executor -> fleet.disconnected(executor, reason));
    }
}
