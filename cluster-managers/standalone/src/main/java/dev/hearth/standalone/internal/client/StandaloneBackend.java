package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorLeaves;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.ApplicationSession;
import dev.hearth.standalone.internal.protocol.ApplicationSession.HeldExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationRegistered;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DoubtExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.MasterDeposed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ProfileDemand;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterTerm;
import dev.hearth.standalone.internal.protocol.OutputLinks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Backend of an application on a standalone cluster, with one connection to its master. Owned by the application's
 * event loop.
 * <p>CONNECTING until the master has registered the application, then OPEN until the backend is closed. While the master is
 * lost, the backend is AWAY: executors go on, wishes are remembered, and it registers again with the next master that
 * leads, under the same id.
 */
final class StandaloneBackend implements SchedulerBackend {
    private static final Duration REGISTER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration END_TIMEOUT = Duration.ofSeconds(5);

    private final ApplicationSpec spec;
    private final List<RpcAddress> masters;
    private final DriverServices driver;
    private final EventLoop loop;
    private final String endpoint;
    private final LeavingExecutors leaving;
    private final String session = UUID.randomUUID().toString();
    private final MasterReturn returns;
    private final Duration awayMax;
    private final Map<ExecutorId, HeldExecutor> holds = new LinkedHashMap<>();
    private final Map<ExecutorId, String> releases = new LinkedHashMap<>(); // while away, with the reasons
    private MasterTerm served = MasterTerm.NONE;
    private Optional<WantExecutors> wants = Optional.empty();
    private @Nullable ExecutorRequest request;
    private @Nullable MasterConnection connection;
    private @Nullable ApplicationId application;
    private boolean closed;

    StandaloneBackend(ApplicationSpec spec, MasterUrl master, DriverServices driver) {
        this.spec = spec;
        this.masters = MasterAddresses.parse(master);
        this.driver = driver;
        this.loop = driver.loop();
        this.endpoint = "application-of-" + driver.driverEndpoint().endpoint();
        this.leaving = new LeavingExecutors(driver::listener, loop.ticker());
        SettingsReader in = new SettingsReader(spec.settings());
        this.awayMax = in.read(StandaloneManager.AWAY_MAX);
        in.finish();
        this.returns = new MasterReturn(driver.driverEndpoint().toString());
    }

    CompletionStage<SchedulerBackend> open() {
        request = ExecutorRequest.from(spec, driver.profile(ProfileId.DEFAULT));
        CompletableFuture<SchedulerBackend> opened = new CompletableFuture<>();
        MasterConnection opening =
                new MasterConnection(driver.rpc().register(endpoint, ApplicationProtocol.PROTOCOL, loop, receiver()));
        connection = opening;
        new SubmissionAttempts<>(
                        loop,
                        masters,
                        MasterSearch.timeout(spec.settings()),
                        () -> MasterSearch.once(driver.rpc(), loop, masters)
                                .thenCompose(master -> register(opening, master.peer())))
                .run()
                .whenComplete((answer, failure) -> loop.inOrder(() -> {
                    if (failure == null) {
                        opened.complete(this);
                    } else {
                        opening.close();
                        opened.completeExceptionally(failure);
                    }
                }));
        return opened;
    }

    @Override
    public ApplicationId application() {
        if (application == null) {
            throw new IllegalStateException("backend of " + spec.name() + ": not open yet (expected: open)");
        }
        return application;
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        Demand demand = demands.getOrDefault(ProfileId.DEFAULT, Demand.NONE);
        List<ProfileDemand> others = demands.entrySet().stream()
                .filter(wanted -> !wanted.getKey().equals(ProfileId.DEFAULT))
                .map(wanted -> demand(driver.profile(wanted.getKey()), wanted.getValue()))
                .toList();
        WantExecutors message = new WantExecutors(
                application(), demand.executors(), List.copyOf(excludedHosts), demand.tasksByHost(), others);
        wants = Optional.of(message);
        send(message);
    }

    private static ProfileDemand demand(ExecutorProfile profile, Demand wanted) {
        return new ProfileDemand(
                profile.id().value(),
                profile.cores(),
                profile.memory().heapMebibytes(),
                ResourceRequest.amounts(profile.resources()),
                wanted.executors(),
                wanted.tasksByHost());
    }

    @Override
    public void registered(ExecutorId executor) {
        loop.execute(() -> leaving.registered(executor));
    }

    @Override
    public void doubted(ExecutorId executor) {
        send(new DoubtExecutor(application(), executor));
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        if (isAway()) {
            executors.forEach(executor -> releases.put(executor, reason));
        } else {
            send(new ReleaseExecutors(application(), List.copyOf(executors), reason));
        }
    }

    private boolean isAway() {
        return connection == null || connection.master().isEmpty();
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        MasterConnection open = connection;
        EndpointRef master = open == null || closed ? null : open.master().orElse(null);
        closed = true;
        if (open == null || master == null) {
            if (open != null) {
                open.close();
            }
            return CompletableFuture.completedStage(null); // the master ends the application after its grace
        }
        CompletableFuture<Void> ended = new CompletableFuture<>();
        master.ask(new EndApplication(application(), result.name()), ApplicationEnded.class, END_TIMEOUT)
                .whenComplete((answer, failure) -> loop.inOrder(() -> {
                    // Closed even without an answer, because the master releases all executors when the connection
                    // ends.
                    open.close();
                    ended.complete(null);
                }));
        return ended;
    }

    private Receiver receiver() {
        return Receiver.of(endpoint)
                .on(ExecutorGranted.class, (message, peer) -> driver.listener().started(started(message)))
                .on(ExecutorGone.class, (message, peer) -> gone(message))
                .on(ExecutorLeaves.class, (message, peer) -> leaving.leaves(message))
                .on(ExecutorsUnplaceable.class, (message, peer) -> hindered(message))
                .on(
                        ApplicationRemoved.class,
                        (message, peer) -> clusterLost(
                                message.killed() ? ErrorCode.APPLICATION_KILLED : ErrorCode.EXECUTORS_FAILED,
                                message.reason()))
                .onPeerLost((peer, reason) -> {
                    if (connection != null && connection.isConnectedTo(peer)) {
                        connection.lost();
                        away("master " + peer.remote() + " is lost: " + reason);
                    }
                })
                .build();
    }

    private void gone(ExecutorGone message) {
        leaving.gone(message.executor());
        holds.remove(message.executor());
        releases.remove(message.executor());
        driver.listener()
                .lost(
                        message.executor(),
                        new LostExecutor(message.cause(), message.reason(), message.exitStatus(), message.logs()));
    }

    private void hindered(ExecutorsUnplaceable message) {
        if (message.reason().isEmpty()) {
            driver.listener().hindered(message.hindrance());
        } else {
            driver.listener().unplaceable(message.reason());
        }
    }

    @Override
    public boolean offersShuffleServices() {
        return true;
    }

    private ExecutorStart started(ExecutorGranted message) {
        holds.put(
                message.executor(),
                new HeldExecutor(message.executor(), message.worker(), message.cores(), message.profile()));
        ExecutorStart start = ExecutorStart.of(message.executor(), message.host(), message.cores())
                .with(new ProfileId(message.profile()))
                .withAttributes(Map.of(
                        "APP_ID", application().value(),
                        "EXECUTOR_ID", message.executor().value(),
                        "HOST", message.host(),
                        "WORKER_ID", message.worker()));
        return message.directory().isEmpty()
                ? start
                : start.withLogs(OutputLinks.of(
                        LogSource.ofExecutor(application(), message.executor()),
                        message.pages(),
                        message.host(),
                        message.directory()));
    }

    private CompletionStage<ApplicationRegistered> register(MasterConnection opening, Peer peer) {
        CompletableFuture<ApplicationRegistered> registered = new CompletableFuture<>();
        ask(peer, Optional.empty())
                .whenComplete((answer, failure) -> loop.inOrder(() -> {
                    if (failure == null) {
                        opening.connected(peer); // before the loss of this peer can be reported
                        application = answer.application();
                        served = answer.term();
                        registered.complete(answer);
                    } else {
                        peer.close();
                        registered.completeExceptionally(failure);
                    }
                }));
        return registered;
    }

    /** Registers the application, again if it has got the id {@code known}. */
    private CompletionStage<ApplicationRegistered> ask(Peer peer, Optional<ApplicationId> known) {
        ExecutorRequest executors = Objects.requireNonNull(request);
        RegisterApplication message = new RegisterApplication(
                spec.name(),
                endpoint,
                driver.driverEndpoint().toString(),
                executors.coresMax(),
                executors.profile().cores(),
                executors.profile().memory().heapMebibytes(),
                driver.executorSettings().values(),
                ResourceRequest.amounts(executors.profile().resources()),
                System.getProperty("user.name", ""),
                executors.submission(),
                executors.attempt(),
                new ApplicationSession(session, served, known, List.copyOf(holds.values()), wants));
        return MasterConnection.endpointOf(peer)
                .ask(message, ApplicationRegistered.class, RpcTimes.ask(spec.settings(), REGISTER_TIMEOUT));
    }

    private void away(String reason) {
        if (closed) {
            return;
        }
        if (served.isNone()) { // of an older release, which has released all executors
            clusterLost(ErrorCode.CLUSTER_LOST, reason);
            return;
        }
        driver.listener().clusterAway(reason);
        returns.lost(reason, loop.ticker().nanos());
        loop.schedule(returns.first(), this::connectAgain);
    }

    private void connectAgain() {
        if (closed) {
            return;
        }
        if (!awayMax.isZero() && returns.awayNanos(loop.ticker().nanos()) >= awayMax.toNanos()) {
            clusterLost(
                    ErrorCode.CLUSTER_LOST,
                    returns.reason() + "; no master for " + awayMax.toSeconds() + " s (hearth.cluster.awayMax)");
            return;
        }
        long attempt = returns.begin();
        if (masters.size() == 1) {
            loop.schedule(MasterReturn.PATIENCE, () -> {
                if (returns.ends(attempt)) { // packets may be dropped, and another attempt may succeed at once
                    loop.schedule(returns.next(), this::connectAgain);
                }
            });
        }
        MasterSearch.once(driver.rpc(), loop, masters)
                .whenComplete((master, failure) -> loop.inOrder(() -> {
                    boolean isPresent = returns.ends(attempt);
                    if (failure == null && isPresent && !closed) {
                        registerAgain(master.peer());
                    } else if (failure == null) {
                        master.peer().close();
                    } else if (isPresent) {
                        loop.schedule(returns.next(), this::connectAgain);
                    }
                }));
    }

    private void registerAgain(Peer peer) {
        ask(peer, Optional.of(application()))
                .whenComplete((answer, failure) -> loop.inOrder(() -> {
                    if (failure == null && !closed && !answer.term().isBefore(served)) {
                        back(peer, answer);
                        return;
                    }
                    if (failure == null && answer.term().isBefore(served)) {
                        MasterConnection.endpointOf(peer).send(new MasterDeposed(served));
                    }
                    peer.close();
                    if (failure != null && isFinal(Failures.code(failure))) {
                        clusterLost(Failures.code(failure), Failures.describe(failure));
                    } else {
                        loop.schedule(returns.next(), this::connectAgain);
                    }
                }));
    }

    private static boolean isFinal(ErrorCode code) {
        return code == ErrorCode.APPLICATION_KILLED || code == ErrorCode.SUBMISSION_REFUSED;
    }

    /** The application is registered again. The master learns of what was wanted and released meanwhile. */
    private void back(Peer peer, ApplicationRegistered answer) {
        served = answer.term();
        Objects.requireNonNull(connection).connected(peer);
        driver.listener().clusterBack();
        wants.ifPresent(this::send);
        releases.forEach((executor, reason) -> send(new ReleaseExecutors(application(), List.of(executor), reason)));
        releases.clear();
    }

    private void clusterLost(ErrorCode code, String reason) {
        if (!closed) {
            driver.listener().clusterLost(code.failure("application " + spec.name() + ": " + reason));
        }
    }

    private void send(Record message) {
        if (connection != null) {
            connection.master().ifPresent(master -> master.send(message));
        }
    }
}
