package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockReplicated;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.MapOutputMigrated;
import dev.hearth.engine.internal.protocol.DriverProtocol.Progress;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.time.Ticker;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Hands what executors in other processes say to their driver. Called on its loop; no state of its own. */
record ExecutorMessageHandler(Driver driver, ExecutorRegistry registry, Ticker ticker) implements DriverPort.Handler {
    @Override
    public Registration register(Register message, Peer peer) {
        return driver.register(message, peer);
    }

    @Override
    public CompletionStage<Record> code(CodeQuestion message) {
        return driver.code(message).thenApply(answer -> answer);
    }

    @Override
    public void ends(ExecutorId executor, Peer peer, List<TaskEnd> ends) {
        if (heard(executor, peer)) {
            driver.taskEnds(executor, peer.id(), ends);
        }
    }

    @Override
    public boolean heard(ExecutorId executor, Peer peer) {
        boolean live = registry.heard(executor, peer.id(), ticker.nanos());
        if (!live) {
            peer.endpoint(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL)
                    .send(new Stop("executor " + executor + ": its driver gave it up before (expected: to be live)"));
        }
        return live;
    }

    @Override
    public void progressed(Progress message, Peer peer) {
        if (heard(message.executor(), peer)) {
            driver.progressed(message);
        }
    }

    @Override
    public void blockChanged(BlockChanged message, long peer) {
        if (registry.heard(message.executor(), peer, ticker.nanos())) {
            boolean isNew = driver.keeper().changed(message, driver.fleet().host(message.executor()));
            if (isNew) {
                driver.fleet().copying().kept(new BlockId(message.dataset(), message.partition()));
            }
        }
    }

    @Override
    public void copied(BlockReplicated message, long peer) {
        if (registry.heard(message.executor(), peer, ticker.nanos())) {
            driver.fleet().copying().copied(message);
        }
    }

    @Override
    public void copied(MapOutputMigrated message, long peer) {
        if (registry.heard(message.executor(), peer, ticker.nanos())) {
            driver.fleet().copying().copied(message);
        }
    }

    @Override
    public void lost(long peer, String reason) {
        registry.executorOf(peer).ifPresent(executor -> driver.fleet().disconnected(executor, reason));
    }
}
