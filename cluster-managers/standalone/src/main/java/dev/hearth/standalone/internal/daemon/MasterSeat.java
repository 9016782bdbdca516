package dev.hearth.standalone.internal.daemon;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.FactForm;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Place of a master in a process: refuses all requests until the process leads, and then runs a master that goes on where
 * the one before has ended. Lives as long as the process. Calls of the log arrive on its thread, one at a time; the
 * loop of the master does the rest.
 */
final class MasterSeat implements LeadershipListener {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");

    private final MasterSettings settings;
    private final EventLoop loop;
    private final RpcEnv rpc;
    private final UploadDesk uploads;
    private final String address;
    private final BiConsumer<MasterState, @Nullable MasterShell> onMove;
    private final FactForm form = new FactForm();
    private final MasterLedger ledger;
    private final CompletableFuture<Void> decided = new CompletableFuture<>();
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private final Registration refusing;
    private volatile MasterState state = MasterState.STANDBY;
    private long replayed;

    /** Takes requests at the address {@code address}. {@code onMove} receives each state, with the master once it leads. */
    MasterSeat(
            MasterSettings settings,
            EventLoop loop,
            RpcEnv rpc,
            UploadDesk uploads,
            String address,
            BiConsumer<MasterState, @Nullable MasterShell> onMove) {
        this.settings = settings;
        this.loop = loop;
        this.rpc = rpc;
        this.uploads = uploads;
        this.address = address;
        this.onMove = onMove;
        this.ledger = new MasterLedger(settings.ledgerBounds());
        this.refusing = rpc.register(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL, loop, new Refusal());
        onMove.accept(state, null);
    }

    /** Refuses all requests while this process does not lead. */
    private final class Refusal implements RpcEndpoint {
        @Override
        public void receive(Record message, RpcCall call) {
            call.fail(ErrorCode.CLUSTER_UNREACHABLE, "master " + address + ": " + state.describe());
        }

        @Override
        public void peerLost(Peer peer, String reason) {
            // nothing is known of it
        }
    }

    MasterState state() {
        return state;
    }

    /** Completes when this process leads or knows who does; fails if it can do neither. */
    CompletableFuture<Void> decided() {
        return decided;
    }

    /** Fails when this process cannot lead, and never completes otherwise. */
    CompletableFuture<Void> failed() {
        return failed;
    }

    /** Leads without a log. */
    void lead() {
        move(MasterState.ALIVE, new MasterShell(settings, loop, rpc, uploads));
    }

    @Override
    public void following(String leader) {
        LOG.info("master {}: STANDBY, as {} leads", address, leader);
        decided.complete(null);
    }

    @Override
    public void recovering() {
        move(MasterState.RECOVERING, null);
    }

    @Override
    public void replay(Bytes fact) {
        ledger.apply(form.read(fact));
        replayed++;
    }

    @Override
    public void leading(long epoch, FactLog log) {
        Fact.EpochBegun begun = new Fact.EpochBegun(
                epoch,
                address,
                Math.max(ledger.wallMillis(), loop.ticker().wall().toEpochMilli()));
        LOG.info("master {}: leads as number {}, with what {} facts say", address, epoch, replayed);
        loop.execute(() -> move(
                MasterState.ALIVE,
                new MasterShell(
                        settings, loop, rpc, uploads, Optional.of(new MasterShell.Recovered(ledger, log, begun)))));
    }

    @Override
    public void failed(HearthException why) {
        decided.completeExceptionally(why);
        failed.completeExceptionally(why);
    }

    private void move(MasterState next, @Nullable MasterShell shell) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("master " + address + ": from " + state + " to " + next);
        }
        state = next;
        if (shell != null) {
            refusing.close();
            shell.start();
        }
        onMove.accept(next, shell);
        if (shell != null) {
            decided.complete(null);
        }
    }
}
