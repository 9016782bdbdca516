package dev.hearth.hazookeeper.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.loop.EventLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Standing of one process for leadership in an ensemble, over as many sessions as it takes. The process that has created the
 * node {@code leader} leads; the others watch that node. Owned by its loop, on which the listener is called.
 */
final class EnsembleCandidacy implements Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    private static final Duration REOPEN = Duration.ofSeconds(1);
    /** Time without a connection after which the process is a standby that knows no leader. */
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private static final long END_MILLIS_MAX = 5_000;

    private final Ensemble ensemble;
    private final ZnodePaths paths;
    private final String name;
    private final EventLoop loop;
    private final EnsembleFactLog.Bounds bounds;
    private final MasterProbe.Reach reach;
    private final LeadershipListener listener;
    private final AtomicBoolean closed = new AtomicBoolean(); // any thread
    private State state = State.CONNECTING;
    private Optional<Session> session = Optional.empty();
    private String followed = ""; // the leader that the listener knows of

    /** Stands with the name {@code name}. Its loop is closed with it. */
    EnsembleCandidacy(
            Ensemble ensemble,
            ZnodePaths paths,
            String name,
            EventLoop loop,
            EnsembleFactLog.Bounds bounds,
            MasterProbe.Reach reach,
            LeadershipListener listener) {
        this.ensemble = ensemble;
        this.paths = paths;
        this.name = name;
        this.loop = loop;
        this.bounds = bounds;
        this.reach = reach;
        this.listener = listener;
    }

    /** State of a candidacy. */
    private enum State {
        CONNECTING,
        FOLLOWING,
        RECOVERING,
        LEADING,
        CLOSED;

        boolean leadsTo(State next) {
            return successors().contains(next);
        }

        private Set<State> successors() {
            return switch (this) {
                case CONNECTING -> EnumSet.of(FOLLOWING, RECOVERING, CLOSED);
                case FOLLOWING -> EnumSet.of(CONNECTING, RECOVERING, CLOSED);
                case RECOVERING -> EnumSet.of(CONNECTING, LEADING, CLOSED);
                case LEADING -> EnumSet.of(CONNECTING, CLOSED);
                case CLOSED -> EnumSet.noneOf(State.class);
            };
        }
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("candidacy of " + name + ": from " + state + " to " + next);
        }
        state = next;
    }

    @Override
    public String toString() {
        return name + " " + state;
    }

    void start() {
        loop.execute(this::open);
        loop.schedule(SILENCE, () -> {
            if (state == State.CONNECTING) {
                LOG.warn(
                        "ZooKeeper at {} does not answer (expected: a connection); this master stands by until it does",
                        ensemble.place());
                listener.following("");
            }
        });
    }

    private void open() {
        if (state != State.CONNECTING) {
            return;
        }
        try {
            session = Optional.of(new Session());
        } catch (IOException | RuntimeException failure) {
            LOG.warn("ZooKeeper at {}: {}; tried again", ensemble.place(), Failures.describe(failure));
            loop.schedule(REOPEN, this::open);
        }
    }

    private void fail(HearthException why) {
        move(State.CLOSED);
        session.ifPresent(Session::end);
        session = Optional.empty();
        listener.failed(why);
    }

    /** Begins with another session after {@code ended} has ended. */
    private void begin(Session ended, String why) {
        if (!isPresent(ended)) {
            return;
        }
        boolean led = state == State.RECOVERING || state == State.LEADING;
        session = Optional.empty();
        followed = "";
        ended.probe.ifPresent(MasterProbe::stop);
        ended.log.ifPresent(log -> log.end(why));
        if (state != State.CONNECTING) {
            move(State.CONNECTING);
        }
        if (led) {
            LOG.warn("this master leads no more: {}", why);
            listener.lost(why);
        }
        open();
    }

    /**
     * Begins with another session when a server answers. Clients of ZooKeeper end a session by themselves when no server has
     * answered for longer than it lasts; a leader then goes on without knowing whether it leads, so that it answers questions.
     */
    private void awaitServer(Session ended, String why) {
        ended.log.ifPresent(EnsembleFactLog::disconnected);
        ServerProbe asks = new ServerProbe(ended, why);
        try {
            asks.session = Optional.of(ensemble.open(asks));
        } catch (IOException | RuntimeException failure) {
            LOG.warn("ZooKeeper at {}: {}", ensemble.place(), Failures.describe(failure));
            begin(ended, why);
        }
    }

    /** Session that only says that a server answers. */
    private final class ServerProbe implements ZnodeSession.Listener {
        private final Session ended;
        private final String why;
        private Optional<ZnodeSession> session = Optional.empty();

        ServerProbe(Session ended, String why) {
            this.ended = ended;
            this.why = why;
        }

        private void answered() {
            loop.execute(() -> {
                session.ifPresent(ZnodeSession::end);
                session = Optional.empty();
                begin(ended, why);
            });
        }

        @Override
        public void connected() {
            answered();
        }

        @Override
        public void disconnected() {
            // it connects again by itself
        }

        @Override
        public void expired() {
            answered();
        }

        @Override
        public void forbidden() {
            answered();
        }

        @Override
        public void changed(String path) {
            // it watches nothing
        }
    }

    private boolean isPresent(Session asked) {
        return session.filter(asked::equals).isPresent() && state != State.CLOSED;
    }

    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        CompletableFuture<Void> ended = new CompletableFuture<>();
        loop.execute(() -> end(ended));
        if (loop.inLoop()) {
            return;
        }
        try {
            ended.get(END_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            LOG.warn(
                    "ZooKeeper at {}: the session is not ended; another master leads when it has timed out",
                    ensemble.place());
        }
        loop.close();
    }

    private void end(CompletableFuture<Void> ended) {
        if (state == State.CLOSED || session.isEmpty()) {
            state = State.CLOSED;
            ended.complete(null);
            return;
        }
        Session last = session.get();
        last.drain()
                .whenComplete((drained, failure) -> loop.inOrder(() -> {
                    state = State.CLOSED;
                    session = Optional.empty();
                    last.probe.ifPresent(MasterProbe::stop);
                    last.log.ifPresent(log -> log.end("this master stops"));
                    last.end().whenComplete((done, why) -> ended.complete(null));
                }));
    }

    /** One session, and the steps from its begin to leading. */
    private final class Session implements ZnodeSession.Listener {
        private final PatientSession nodes;
        private Optional<EnsembleFactLog> log = Optional.empty();
        private Optional<MasterProbe> probe = Optional.empty();
        private boolean prepares; // a step towards following or leading is under way

        Session() throws IOException {
            nodes = new PatientSession(ensemble.open(this), loop);
        }

        @Override
        public void connected() {
            inOrder(() -> {
                log.ifPresent(EnsembleFactLog::connected);
                if (state == State.LEADING) {
                    LOG.info("ZooKeeper at {} answers again; this master still leads", ensemble.place());
                } else if (!prepares && state != State.RECOVERING) {
                    prepares = true;
                    prepare(new ArrayDeque<>(paths.skeleton()));
                }
            });
        }

        @Override
        public void disconnected() {
            inOrder(() -> {
                log.ifPresent(EnsembleFactLog::disconnected);
                if (state == State.LEADING) {
                    LOG.warn(
                            "ZooKeeper at {} does not answer; this master takes on nothing new until it does",
                            ensemble.place());
                }
            });
        }

        @Override
        public void expired() {
            inOrder(() -> {
                nodes.ended();
                String why = "its session with ZooKeeper at " + ensemble.place() + " has ended";
                if (state == State.LEADING) {
                    awaitServer(this, why);
                } else {
                    begin(this, why);
                }
            });
        }

        @Override
        public void forbidden() {
            inOrder(() -> fail(forbiddenTo("the password of this master was refused")));
        }

        @Override
        public void changed(String path) {
            inOrder(() -> {
                if (!prepares && state == State.FOLLOWING) {
                    prepares = true;
                    campaign();
                } else if (state == State.LEADING) {
                    watch();
                }
            });
        }

        private void inOrder(Runnable action) {
            loop.execute(() -> {
                if (isPresent(this)) {
                    guarded(action);
                }
            });
        }

        /** Runs a step; a mistake of the listener ends the candidacy, as nothing would go on without a word otherwise. */
        private void guarded(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException mistake) {
                fail(Failures.asHearth(mistake, ErrorCode.INTERNAL, "facts in ZooKeeper at " + ensemble.place()));
            }
        }

        private CompletionStage<Void> drain() {
            return log.filter(open -> !open.isUncertain())
                    .map(EnsembleFactLog::close)
                    .orElseGet(() -> CompletableFuture.completedStage(null));
        }

        private CompletionStage<Void> end() {
            return nodes.end();
        }

        private HearthException forbiddenTo(String what) {
            return ErrorCode.BAD_SETTING.failure("hearth.deploy.recoveryMode: ZOOKEEPER: " + paths.directory() + " at "
                    + ensemble.place() + ": " + what
                    + " (expected: nodes that a master with the same hearth.authenticate.secret has created)");
        }

        /** Handles the result of a step, unless this session is over: {@code then} if it succeeded, or one of the failures. */
        private void next(@Nullable Throwable failure, Set<ZnodeRefused.Why> handled, Runnable then) {
            if (!isPresent(this)) {
                return;
            }
            ZnodeRefused.Why why = failure == null ? null : ZnodeRefused.of(failure);
            if (why == null || handled.contains(why)) {
                guarded(then);
            } else if (why == ZnodeRefused.Why.FORBIDDEN) {
                fail(forbiddenTo("not permitted"));
            } else if (why != ZnodeRefused.Why.EXPIRED) { // whose event comes
                LOG.warn("ZooKeeper at {}: {}; tried again", ensemble.place(), Failures.describe(failure));
                loop.schedule(REOPEN, () -> {
                    nodes.end();
                    begin(this, Failures.describe(failure));
                });
            }
        }

        private void prepare(Deque<ZnodeChange> missing) {
            if (missing.isEmpty()) {
                campaign();
                return;
            }
            nodes.change(missing.remove())
                    .whenComplete((made, failure) ->
                            next(failure, EnumSet.of(ZnodeRefused.Why.EXISTS), () -> prepare(missing)));
        }

        /** Claims to lead: creates the node {@code leader} and rewrites the epoch, so that no leader before can write. */
        private void campaign() {
            nodes.read(paths.epoch(), false)
                    .whenComplete((found, failure) ->
                            next(failure, EnumSet.noneOf(ZnodeRefused.Why.class), () -> claim(found.version())));
        }

        private void claim(int epochBefore) {
            byte[] self = name.getBytes(StandardCharsets.UTF_8);
            List<ZnodeChange> claim = List.of(
                    new ZnodeChange.Create(paths.leader(), self, true),
                    new ZnodeChange.Write(paths.epoch(), self, epochBefore));
            nodes.change(claim)
                    .whenComplete((made, failure) ->
                            next(failure, EnumSet.of(ZnodeRefused.Why.EXISTS, ZnodeRefused.Why.VERSION), () -> {
                                if (failure == null) {
                                    recover(epochBefore + 1);
                                } else if (ZnodeRefused.of(failure) == ZnodeRefused.Why.VERSION) {
                                    campaign(); // another leader has come and gone
                                } else {
                                    follow(epochBefore);
                                }
                            }));
        }

        /** Follows the leader, unless that is this process, whose claim was answered over a lost connection. */
        private void follow(int epochSeen) {
            nodes.read(paths.leader(), true)
                    .whenComplete((leader, failure) -> next(failure, EnumSet.of(ZnodeRefused.Why.MISSING), () -> {
                        if (failure != null) {
                            campaign();
                        } else if (nodes.owns(leader)) {
                            recoverAsOwner();
                        } else {
                            prepares = false;
                            follow(new String(leader.content(), StandardCharsets.UTF_8), epochSeen);
                        }
                    }));
        }

        /** Recovers with the present epoch, which only the owner of the node {@code leader} has written. */
        private void recoverAsOwner() {
            nodes.read(paths.epoch(), false)
                    .whenComplete((found, failure) ->
                            next(failure, EnumSet.noneOf(ZnodeRefused.Why.class), () -> recover(found.version())));
        }

        private void follow(String leader, int epochSeen) {
            if (state == State.CONNECTING) {
                move(State.FOLLOWING);
            }
            probe.ifPresent(MasterProbe::stop);
            probe = Optional.of(new MasterProbe(reach, loop, leader, () -> depose(leader, epochSeen)));
            if (!leader.equals(followed)) {
                followed = leader;
                listener.following(leader);
            }
        }

        /** Deletes the node of a leader whose process has ended, unless another one leads meanwhile. */
        private void depose(String leader, int epochSeen) {
            if (!isPresent(this) || state != State.FOLLOWING) {
                return;
            }
            LOG.warn("master {} is gone, as its port is closed; its session with ZooKeeper is not awaited", leader);
            nodes.change(List.of(
                            new ZnodeChange.Check(paths.epoch(), epochSeen), new ZnodeChange.Delete(paths.leader())))
                    .whenComplete((deleted, failure) -> {
                        if (failure != null) { // another one has led since, or does so soon
                            LOG.debug("master {}: not replaced: {}", leader, failure.toString());
                        }
                    });
        }

        private void recover(int epoch) {
            prepares = false;
            followed = "";
            probe.ifPresent(MasterProbe::stop);
            move(State.RECOVERING);
            listener.recovering();
            replay(epoch);
        }

        private void replay(int epoch) {
            new FactReplay(nodes, paths, ensemble.place(), listener::replay)
                    .read()
                    .thenCompose(end -> new ZnodeCleanup(nodes, paths, epoch)
                            .delete(List.copyOf(end.incomplete()))
                            .thenApply(done -> end))
                    .whenComplete((end, failure) -> {
                        if (failure != null && Failures.unwrap(failure) instanceof HearthException damaged) {
                            failIfStillElected(epoch, damaged);
                        } else {
                            next(failure, EnumSet.noneOf(ZnodeRefused.Why.class), () -> lead(epoch, end));
                        }
                    });
        }

        /** Fails for {@code damaged}, unless another leader has begun meanwhile and deletes nodes that this one reads. */
        private void failIfStillElected(int epoch, HearthException damaged) {
            nodes.read(paths.epoch(), false)
                    .whenComplete((found, failure) -> next(failure, EnumSet.noneOf(ZnodeRefused.Why.class), () -> {
                        if (found.version() == epoch) {
                            fail(damaged);
                        } else {
                            deposed("another master leads by " + ensemble.place());
                        }
                    }));
        }

        private void lead(int epoch, FactReplay.End end) {
            EnsembleFactLog opened = new EnsembleFactLog(
                    nodes, loop, paths, ensemble.place(), bounds, epoch, end, why -> loop.execute(() -> deposed(why)));
            log = Optional.of(opened);
            move(State.LEADING);
            watch();
            listener.leading(epoch, opened);
        }

        /** Stands by when the node of this leader is gone, which an operator may have deleted. */
        private void watch() {
            nodes.read(paths.leader(), true)
                    .whenComplete((leader, failure) -> next(failure, EnumSet.of(ZnodeRefused.Why.MISSING), () -> {
                        if (failure != null || !nodes.owns(leader)) {
                            deposed("its node " + paths.leader() + " in ZooKeeper at " + ensemble.place() + " is gone");
                        }
                    }));
        }

        private void deposed(String why) {
            if (isPresent(this)) {
                nodes.end();
                begin(this, why);
            }
        }
    }
}
