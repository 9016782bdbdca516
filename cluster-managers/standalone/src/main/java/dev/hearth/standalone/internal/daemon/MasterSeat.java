package dev.hearth.standalone.internal.daemon;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
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
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.OfferFiles;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Place of a master in a process: refuses requests while the process does not lead, and otherwise runs a master that goes on
 * where the one before has ended. Lives as long as the process, and may lead several times. Calls of the log arrive on its thread, one at a time; the
 * loop of the master does the rest.
 */
public final class MasterSeat implements LeadershipListener {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");

    private final MasterSettings settings;
    private final EventLoop loop;
    private final RpcEnv rpc;
    private final UploadDesk uploads;
    private final String address;
    private final Moves onMove;
    private final FactForm form = new FactForm();
    private final CompletableFuture<Void> decided = new CompletableFuture<>();
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private volatile MasterState state = MasterState.STANDBY;
    private volatile String leader = ""; // the address of the master that leads, if it is known
    private MasterLedger ledger; // on the thread of the log, until a master takes it over
    private long replayed;
    private Registration refusing; // this and what follows on the loop
    private Optional<MasterShell> leading = Optional.empty();

    /** Receiver of each state, with a view of the cluster, and with the master if it leads. */
    public interface Moves {
        void moved(MasterState state, ClusterView view, @Nullable MasterShell shell);
    }

    /** Takes requests at the address {@code address}. */
    public MasterSeat(
            MasterSettings settings, EventLoop loop, RpcEnv rpc, UploadDesk uploads, String address, Moves onMove) {
        this.settings = settings;
        this.loop = loop;
        this.rpc = rpc;
        this.uploads = uploads;
        this.address = address;
        this.onMove = onMove;
        this.ledger = new MasterLedger(settings.ledgerBounds());
        this.refusing = refuse();
        onMove.moved(state, state.view(() -> leader), null);
    }

    private Registration refuse() {
        return rpc.register(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL, loop, new Refusal());
    }

    /** Refuses requests while this process does not lead, and says which master does. Takes copies of files. */
    private final class Refusal implements RpcEndpoint {
        @Override
        public void receive(Record message, RpcCall call) {
            if (message instanceof FindLeader) {
                call.reply(new LeaderFound(0, state.name(), leader));
            } else if (message instanceof OfferFiles offer) {
                uploads.answer(offer).whenComplete((wanted, failure) -> {
                    if (failure == null) {
                        call.reply(wanted);
                    } else {
                        call.fail(Failures.code(failure), Failures.describe(failure));
                    }
                });
            } else {
                call.fail(ErrorCode.CLUSTER_UNREACHABLE, "master " + address + ": " + state.describe(leader));
            }
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
        loop.execute(() -> move(MasterState.ALIVE, new MasterShell(settings, loop, rpc, uploads)));
    }

    @Override
    public void following(String found) {
        LOG.info("master {}: STANDBY, as {} leads", address, found.isEmpty() ? "an unknown master" : found);
        leader = found;
        decided.complete(null);
    }

    @Override
    public void recovering() {
        ledger = new MasterLedger(settings.ledgerBounds());
        replayed = 0;
        leader = "";
        loop.execute(() -> move(MasterState.RECOVERING, null));
    }

    @Override
    public void replay(Bytes fact) {
        ledger.apply(form.read(fact));
        replayed++;
    }

    @Override
    public void leading(long epoch, FactLog log) {
        MasterLedger kept = ledger;
        Fact.EpochBegun begun = new Fact.EpochBegun(
                epoch, address, Math.max(kept.wallMillis(), loop.ticker().wall().toEpochMilli()));
        LOG.info("master {}: leads as number {}, with what {} facts say", address, epoch, replayed);
        loop.execute(() -> goOn(new MasterShell.Recovered(kept, log, begun)));
    }

    /** Leads with what the master before has left. If that is not possible, the process ends, so that another one may try. */
    private void goOn(MasterShell.Recovered before) {
        try {
            move(MasterState.ALIVE, new MasterShell(settings, loop, rpc, uploads, Optional.of(before)));
        } catch (RuntimeException mistake) {
            failed(Failures.asHearth(
                    mistake, ErrorCode.INTERNAL, "master " + address + ": what the master before has left"));
        }
    }

    @Override
    public void lost(String why) {
        leader = "";
        loop.execute(() -> {
            if (state == MasterState.STANDBY) {
                return; // it has learnt that from a worker before
            }
            LOG.warn("master {}: leads no more, as {}; it stands by", address, why);
            leading.ifPresent(shell -> {
                shell.resign(why);
                refusing = refuse();
            });
            leading = Optional.empty();
            uploads.release();
            move(MasterState.STANDBY, null);
        });
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
            leading = Optional.of(shell);
            refusing.close();
            shell.onDeposed(this::lost);
            shell.start();
        }
        onMove.moved(next, shell == null ? next.view(() -> leader) : shell.view(), shell);
        if (shell != null) {
            decided.complete(null);
        }
    }
}
