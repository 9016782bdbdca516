package dev.hearth.standalone.internal.master;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.master.MasterLog.Cause;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationsListed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ClearDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ContentFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DoubtExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversListed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndTaken;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorsListed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindContent;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListApplications;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.MasterDeposed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.OfferFiles;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReadLog;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.TakePiece;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WatchDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerFull;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerStops;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersDecommissioned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkersListed;
import dev.hearth.standalone.internal.protocol.MasterTerm;
import dev.hearth.standalone.internal.protocol.WorkerProtocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaseRenewed;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.RegisterAgain;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the state machine {@link Master} to its endpoint and timer, and performs its effects. Owned by its event
 * loop.
 */
public final class MasterShell {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");

    /**
     * Interval at which the master checks for silent workers. Also checks which applications may get executors again,
     * because their back-off has ended.
     */
    private static final Duration EXPIRE_INTERVAL = Duration.ofMillis(250);

    /** Number of no connection, for requests of this process. */
    private static final long NO_PEER = -1;

    private final EventLoop loop;
    private final RpcEnv rpc;
    private final Master master;
    private final Map<Long, Peer> peers = new LinkedHashMap<>(); // peers that have sent a request
    private final MasterLog log;
    private final LogRelay logs;
    private final UploadDesk uploads;
    private final Performer performer = new Performer();
    private final WriteAhead facts;
    private final Optional<MasterLedger> ledger;
    private final long startedMillis;
    private final MasterTerm term;
    private final Map<Long, CompletableFuture<?>> unanswered = new LinkedHashMap<>(); // whose facts are not durable
    private long answers;
    private Registration endpoint = () -> {};
    private boolean settles; // a settlement is queued
    private boolean resigned;
    private Consumer<String> deposed = this::resign;
    private volatile MasterFigures figures = MasterFigures.NONE;
    private volatile List<ApplicationFigures> applicationFigures = List.of();

    /** Creates a master that takes no uploads. */
    public MasterShell(MasterSettings settings, EventLoop loop, RpcEnv rpc) {
        this(settings, loop, rpc, UploadDesk.NONE);
    }

    public MasterShell(MasterSettings settings, EventLoop loop, RpcEnv rpc, UploadDesk uploads) {
        this(settings, loop, rpc, uploads, Optional.empty());
    }

    /** Facts of the masters before, the log to which this one appends, and its first fact. */
    public record Recovered(MasterLedger ledger, FactLog log, Fact.EpochBegun begun) {}

    /** Creates a master that goes on where the one before has ended, if it has left anything. */
    public MasterShell(
            MasterSettings settings, EventLoop loop, RpcEnv rpc, UploadDesk uploads, Optional<Recovered> before) {
        this.ledger = before.map(Recovered::ledger);
        this.facts = new WriteAhead(before.map(Recovered::log), loop);
        this.uploads = uploads;
        this.loop = loop;
        this.rpc = rpc;
        this.log = new MasterLog(LOG, loop.ticker());
        long now = loop.ticker().nanos();
        Instant latest =
                Instant.ofEpochMilli(ledger.map(MasterLedger::wallMillis).orElse(0L));
        Instant wall = loop.ticker().wall();
        this.startedMillis = wall.toEpochMilli();
        // a clock that was set back gives no id twice
        IdGenerator ids = new IdGenerator(settings.ids(), wall.isBefore(latest) ? latest : wall, now);
        this.master = new Master(settings, ids, uploads.ledger(), ledger, now);
        String name = rpc.address().map(RpcAddress::toString).orElse("master") + "@" + startedMillis;
        this.term = before.map(recovered -> begin(recovered, name)).orElse(new MasterTerm(name, 1));
        this.logs = new LogRelay(master, id -> Optional.ofNullable(peers.get(id)));
    }

    /** Records that this master begins to lead. The first master of a log gives it the name {@code name}. */
    private MasterTerm begin(Recovered recovered, String name) {
        String before = recovered.ledger().cluster();
        Fact.EpochBegun begun = recovered.begun().of(before.isEmpty() ? name : before);
        recovered.ledger().apply(begun);
        facts.append(List.of(begun));
        return new MasterTerm(begun.cluster(), begun.epoch());
    }

    /** Registers the endpoint at which the master receives messages. */
    public void start() {
        endpoint = rpc.register(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL, loop, receiver());
        loop.execute(this::expire);
    }

    /**
     * Ends this master, because another one leads: it decides and answers nothing more, and closes its connections, so that
     * workers and applications look for the leader. Call it on the event loop.
     */
    public void resign(String why) {
        resigned = true;
        endpoint.close();
        HearthException failure = ErrorCode.CLUSTER_UNREACHABLE.failure(
                "master: it leads no more, as " + why + " (expected: the master that leads); ask that one");
        List.copyOf(unanswered.values()).forEach(answer -> answer.completeExceptionally(failure));
        List.copyOf(peers.values()).forEach(Peer::close);
        peers.clear();
    }

    /** Returns the number of cores that are free on all workers together. Call it on the event loop. */
    public int coresFree() {
        return master.coresFree();
    }

    /** Returns the number of applications that are registered at this master. Call it on the event loop. */
    public int applications() {
        return master.applications();
    }

    /** Numbers as of the last settlement. Any thread may call. */
    public MasterFigures figures() {
        return figures;
    }

    /** Numbers about applications, at most as old as an interval of expiry. Any thread may call. */
    public List<ApplicationFigures> applicationFigures() {
        return applicationFigures;
    }

    /** View of the cluster that reads the state of this master. Any thread may call it. */
    public ClusterView view() {
        return new LocalView(
                loop,
                master,
                logs,
                message -> whenDurable(() -> decommission(message)),
                message -> whenDurable(() -> kill(message)));
    }

    /** Client that submits to this master. Any thread may call it. */
    public ClusterClient client() {
        return new LocalClient(this, uploads);
    }

    CompletionStage<SubmissionId> submit(SubmitDriver message) {
        return whenDurable(() -> submit(message, NO_PEER)).thenApply(MasterProtocol.DriverSubmitted::submission);
    }

    CompletionStage<List<DriverStatus>> statuses(SubmissionPattern pattern) {
        return onLoop(() -> pattern.single().isPresent()
                ? List.of(master.find(pattern.single().get()).status())
                : master.find(new FindDrivers(pattern.text())).statuses());
    }

    CompletionStage<List<DriverStatus>> kill(SubmissionPattern pattern) {
        return whenDurable(() -> settleAfter(false, new MasterProtocol.DriversFound(killed(pattern))))
                .thenApply(MasterProtocol.DriversFound::statuses);
    }

    CompletionStage<Integer> clearDrivers() {
        return whenDurable(() -> settleAfter(false, master.clearDrivers()))
                .thenApply(MasterProtocol.DriversCleared::drivers);
    }

    private List<DriverStatus> killed(SubmissionPattern pattern) {
        return pattern.single().isPresent()
                ? List.of(master.kill(pattern.single().get(), now()).status())
                : master.kill(new KillDrivers(pattern.text()), now()).statuses();
    }

    private CompletionStage<MasterProtocol.DriverSubmitted> submit(SubmitDriver message, long peer) {
        master.hindered(facts.hindrance());
        facts.requireKept(message.driver());
        MasterProtocol.DriverSubmitted answer = master.submit(message, now());
        log.info(
                Cause.DRIVER,
                "driver {} ({}) was submitted",
                answer.submission(),
                message.driver().name());
        return settleAfter(true, answer).thenApply(submitted -> {
            if (peers.containsKey(peer)) {
                master.acknowledged(message, peer);
                settle();
            }
            return submitted;
        });
    }

    private <T> CompletionStage<T> whenDurable(Supplier<CompletionStage<T>> answer) {
        return onLoop(answer).thenCompose(stage -> stage);
    }

    private <T> CompletionStage<T> onLoop(Supplier<T> answer) {
        return CompletableFuture.supplyAsync(answer, loop);
    }

    private CompletionStage<ApplicationFound> kill(KillApplication message) {
        ApplicationFound before = master.kill(message, now());
        if (!before.application().state().isFinal()) {
            log.info(Cause.APPLICATION, "application {} is killed: {}", message.application(), message.reason());
        }
        return settleAfter(false, before);
    }

    private Receiver receiver() {
        Receiver.Builder endpoint = Receiver.of(MasterProtocol.ENDPOINT);
        addWorkersAndDrivers(endpoint);
        addWorkerCare(endpoint);
        addApplications(endpoint);
        addLists(endpoint);
        return endpoint.onPeerLost((peer, reason) -> {
                    if (peers.remove(peer.id()) != null) {
                        master.peerLost(peer.id(), reason, now());
                        settle();
                    }
                })
                .build();
    }

    private void addWorkersAndDrivers(Receiver.Builder endpoint) {
        endpoint.answerLater(RegisterWorker.class, this::register)
                .on(WorkerHeartbeat.class, this::heartbeat)
                .on(MasterDeposed.class, (message, peer) -> isFollowedBy(message.later()))
                .on(WorkerStops.class, (message, peer) -> master.workerStops(message.worker(), peer.id()))
                .answerLater(SubmitDriver.class, (message, peer) -> submit(message, remember(peer)))
                .answerLater(OfferFiles.class, (message, peer) -> uploads.answer(message))
                .answerLater(
                        FindContent.class,
                        (message, peer) -> uploads.held(message.content()).thenApply(ContentFound::new))
                .answerLater(
                        TakePiece.class,
                        (message, peer) -> uploads.take(piece(message)).thenApply(ContentFound::new))
                .answerLater(ClearDrivers.class, (message, peer) -> settleAfter(false, master.clearDrivers()))
                .answer(WatchDriver.class, (message, peer) -> master.watch(message, remember(peer)))
                .answer(FindLeader.class, (message, peer) -> leader())
                .answer(FindDriver.class, (message, peer) -> master.find(message.submission()))
                .answerLater(
                        KillDriver.class,
                        (message, peer) -> settleAfter(false, master.kill(message.submission(), now())))
                .answer(FindDrivers.class, (message, peer) -> master.find(message))
                .answerLater(ReadLog.class, (message, peer) -> logs.read(message))
                .answerLater(KillDrivers.class, (message, peer) -> settleAfter(false, master.kill(message, now())))
                .answerLater(DriverEnded.class, (message, peer) -> {
                    master.driverEnded(message, peer.id(), now());
                    return settleAfter(true, new EndTaken());
                })
                .on(DriverRestarts.class, (message, peer) -> {
                    master.driverRestarts(message, peer.id(), now());
                    settle();
                })
                .on(DriverStarted.class, (message, peer) -> {
                    master.driverStarted(message, peer.id(), now());
                    settle();
                })
                .on(DriverReturned.class, (message, peer) -> {
                    master.driverReturned(message, peer.id(), now());
                    settle();
                });
    }

    private void addWorkerCare(Receiver.Builder endpoint) {
        endpoint.on(WorkerLeaves.class, (message, peer) -> {
                    master.workerLeaves(message, peer.id(), now());
                    settle();
                })
                .on(WorkerFull.class, (message, peer) -> {
                    master.workerFull(message, peer.id(), now());
                    settle();
                })
                .answerLater(DecommissionWorkers.class, (message, peer) -> decommission(message));
    }

    private CompletionStage<WorkersDecommissioned> decommission(DecommissionWorkers message) {
        return settleAfter(false, master.decommission(message));
    }

    private LeaderFound leader() {
        return new LeaderFound(startedMillis, facts.isUncertain() ? LeaderFound.UNCERTAIN : LeaderFound.ALIVE, "");
    }

    private static ContentPiece piece(TakePiece message) {
        return new ContentPiece(message.content(), message.total(), message.first(), message.bytes());
    }

    private CompletionStage<MasterProtocol.WorkerRegistered> register(RegisterWorker message, Peer peer) {
        requireLatest(message.session().served());
        MasterProtocol.WorkerRegistered answer = master.registerWorker(message, remember(peer), now());
        MasterNotes.registered(log, message, answer);
        return settleAfter(
                false,
                new MasterProtocol.WorkerRegistered(
                        answer.refusal(), answer.heartbeatMillis(), answer.leaseMillis(), term, facts.isUncertain()));
    }

    /** Sets what ends the lead of this master when it learns that another one has followed it. */
    public void onDeposed(Consumer<String> action) {
        deposed = action;
    }

    /** Whether a master with the term {@code other} has followed this one, which then leads no more. */
    private boolean isFollowedBy(MasterTerm other) {
        boolean isFollowed = term.isBefore(other);
        if (isFollowed && !resigned) {
            deposed.accept("a master of " + other + " has followed its " + term);
        }
        return isFollowed;
    }

    private void requireLatest(MasterTerm other) {
        if (isFollowedBy(other)) {
            throw ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "master: another one leads, of " + other + " (expected: the master that leads); ask that one");
        }
    }

    private void heartbeat(WorkerHeartbeat message, Peer peer) {
        EndpointRef worker = peer.endpoint(WorkerProtocol.ENDPOINT, WorkerProtocol.PROTOCOL);
        switch (master.workerHeartbeat(message, peer.id(), now())) {
            case RENEW_LEASE -> {
                if (!facts.isUncertain()) { // another master may lead by now, and start supervised drivers elsewhere
                    worker.send(new LeaseRenewed(message.sentNanos()));
                }
            }
            case REGISTER_AGAIN -> {
                LOG.warn(
                        "worker {} is to register again, as it runs something else than the master knows",
                        message.worker());
                worker.send(new RegisterAgain("its processes are not those that the master knows"));
            }
            case NONE -> {}
        }
    }

    private void addApplications(Receiver.Builder endpoint) {
        endpoint.answerLater(RegisterApplication.class, (message, peer) -> {
                    requireLatest(message.session().served());
                    master.hindered(facts.hindrance());
                    MasterProtocol.ApplicationRegistered answer =
                            master.registerApplication(message, remember(peer), now());
                    boolean isBack = message.session().resumes().isPresent();
                    log.info(
                            Cause.APPLICATION,
                            "application {} ({}) is registered{}{}",
                            answer.application(),
                            message.name(),
                            isBack ? " again, with " + message.session().holds().size() + " executors" : "",
                            message.user().isEmpty() ? "" : ", submitted by " + message.user());
                    return settleAfter(!isBack, new MasterProtocol.ApplicationRegistered(answer.application(), term));
                })
                .on(WantExecutors.class, (message, peer) -> {
                    master.want(message, peer.id());
                    settle();
                })
                .on(DoubtExecutor.class, (message, peer) -> {
                    master.doubt(message, peer.id(), now());
                    settle();
                })
                .on(ReleaseExecutors.class, (message, peer) -> {
                    master.release(message, peer.id());
                    settle();
                })
                .answerLater(
                        EndApplication.class,
                        (message, peer) -> settleAfter(false, master.end(message, peer.id(), now())))
                .answerLater(ExecutorEnded.class, (message, peer) -> {
                    master.executorEnded(message, peer.id(), now());
                    return settleAfter(true, new EndTaken());
                });
    }

    private void addLists(Receiver.Builder endpoint) {
        endpoint.answer(ListWorkers.class, (message, peer) -> new WorkersListed(master.workerEntries(now())))
                .answer(
                        ListApplications.class,
                        (message, peer) -> new ApplicationsListed(master.applicationEntries(now())))
                .answer(
                        ListExecutors.class,
                        (message, peer) -> new ExecutorsListed(master.executorEntries(message.application())))
                .answer(ListDrivers.class, (message, peer) -> new DriversListed(master.driverEntries()))
                .answerLater(KillApplication.class, (message, peer) -> kill(message));
    }

    private long remember(Peer peer) {
        peers.putIfAbsent(peer.id(), peer);
        return peer.id();
    }

    /**
     * Returns {@code answer}, the answer to a request, when the facts for it are durable, and has the master settle
     * later. The sender thus receives an id in the answer before it receives messages about that id. {@code strict} says
     * that the answer acknowledges something new.
     */
    private <R> CompletionStage<R> settleAfter(boolean strict, R answer) {
        facts.append(master.facts());
        CompletableFuture<R> answered = new CompletableFuture<>();
        long number = ++answers;
        unanswered.put(number, answered);
        facts.after(strict, () -> {
            unanswered.remove(number);
            answered.complete(answer);
        });
        settle();
        return answered;
    }

    /** Has the master settle after the messages that are queued already, once for all of them. */
    private void settle() {
        if (!settles) {
            settles = true;
            loop.execute(this::settleNow);
        }
    }

    /** Performs all effects that the master has decided on, when the facts before them are durable. */
    private void settleNow() {
        settles = false;
        if (resigned) {
            return;
        }
        master.hindered(facts.hindrance());
        List<MasterEffect> effects = facts.isUncertain() ? master.settleWithoutPlacing(now()) : master.settle(now());
        facts.append(master.facts());
        figures = master.figures();
        if (!effects.isEmpty()) {
            facts.after(effects.stream().anyMatch(MasterEffect::startsDriver), () -> perform(effects));
        }
    }

    /** Performs effects. If one fails, logs the failure and continues with the next one. */
    private void perform(List<MasterEffect> effects) {
        for (MasterEffect effect : effects) {
            try {
                effect.perform(performer);
            } catch (RuntimeException failure) {
                LOG.error("master: an action failed: {}", effect, failure);
            }
        }
    }

    private void expire() {
        if (resigned) {
            return;
        }
        loop.schedule(EXPIRE_INTERVAL, this::expire);
        master.expire(now());
        applicationFigures = master.applicationFigures();
        facts.overtake();
        facts.append(master.facts());
        ledger.ifPresent(facts::snapshot);
        settle();
    }

    private long now() {
        return loop.ticker().nanos();
    }

    private final class Performer implements MasterEffect.Handler {
        @Override
        public void onSend(MasterEffect.Send effect) {
            Peer peer = peers.get(effect.peer());
            if (peer != null) {
                peer.endpoint(effect.endpoint(), effect.protocol()).send(effect.message());
            }
        }

        @Override
        public void onNote(MasterEffect.Note effect) {
            if (effect.warning()) {
                log.warn(effect.cause(), effect.text());
            } else {
                log.info(effect.cause(), effect.text());
            }
        }

        @Override
        public void onDisconnect(MasterEffect.Disconnect effect) {
            Peer peer = peers.get(effect.peer());
            if (peer != null) {
                peer.close();
            }
        }
    }
}
