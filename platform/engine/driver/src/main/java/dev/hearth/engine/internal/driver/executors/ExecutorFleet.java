package dev.hearth.engine.internal.driver.executors;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.driver.blocks.BlockLocationRegistry;
import dev.hearth.engine.internal.driver.blocks.CachedBlockHints;
import dev.hearth.engine.internal.driver.blocks.ReplicationManager;
import dev.hearth.engine.internal.driver.executors.ExecutorDecommissioner.Origin;
import dev.hearth.engine.internal.driver.serving.MapOutputUpdates;
import dev.hearth.engine.internal.driver.serving.SerialisedStages;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.ThreadView;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.status.events.EventBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executors of one driver: admits and releases them, sends messages to them, requests more and handles losses. The
 * page docs/executors.md lists the outcome of each {@link Cause} of a loss. Owned by the driver's event loop.
 * <p>Invariants: an executor that is given up is ordered to stop, even if its cluster manager can also end it. An
 * exception while sending to another process is a bug of the engine and does not count as a failure of that executor. A
 * network failure causes no exception, but is reported as a lost connection.
 */
public final class ExecutorFleet {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorFleet.class);
    private static final String LOCAL_HOST = "localhost";
    /**
     * Time between releasing an executor and stopping it. The cluster manager must know of the release before the
     * executor exits, because an unexpected exit would look like a failure.
     */
    private static final Duration STOPPED_AFTER = Duration.ofSeconds(1);
    /**
     * Time for which losses are collected before one message reports them to the other executors. A batch is needed
     * because thousands of executors may be lost at once, for example with a rack.
     */
    private static final Duration LOSS_BATCH_WAIT = Duration.ofMillis(10);

    private final EventLoop loop;
    private final DriverSettings settings;
    private final TaskScheduling scheduling;
    private final EventBus events;
    private final BlockLocationRegistry cachedBlocks;
    private final ExecutorRegistry registry;
    private final SerialisedStages stages;
    private final Supplier<List<Attachment>> attachments;
    private final Consumer<Throwable> internalError;
    private final ReplicationManager copying;
    private final ExecutorDecommissioner departures;
    private final RegistrationGate gate;
    private final BackendCalls backend = new BackendCalls();
    private final AmendableLosses losses = new AmendableLosses();
    private final ExecutorStarts starts;
    private final MapOutputUpdates locations = new MapOutputUpdates(this::blockServer);
    private final ShuffleServiceLinks services;
    private final Map<ExecutorId, Link> links = new LinkedHashMap<>();
    private final Map<ExecutorId, String> lostHosts = new LinkedHashMap<>(); // of executors with a lost connection
    private final List<ExecutorId> unreportedLosses = new ArrayList<>(); // not yet reported to other executors
    private Set<String> excludedHosts = Set.of(); // never iterated, because its order is not fixed
    private ExecutorDemand demand;
    private boolean closed;
    private boolean sendFailed; // after a bug, nothing more is sent, as it would fail too
    private volatile int cores;

    /**
     * A connected executor: the connection for its orders, its host, and the address of its block server. If it runs in
     * this process, its map outputs survive its loss.
     */
    private record Link(ExecutorLink orders, String host, String blockServer, boolean inProcess) {}

    /**
     * {@code attachments} supplies the application's current attachments; {@code internalError} ends the application
     * after a bug of the engine.
     */
    public ExecutorFleet(
            EventLoop loop,
            DriverSettings settings,
            TaskScheduling scheduling,
            EventBus events,
            BlockLocationRegistry cachedBlocks,
            ExecutorRegistry registry,
            SerialisedStages stages,
            Supplier<List<Attachment>> attachments,
            Function<ReplicationManager.CopySender, ReplicationManager> copying,
            ShuffleServiceUse service,
            Function<String, RpcScope> serviceScopes,
            Consumer<Throwable> internalError) {
        this.loop = loop;
        this.settings = settings;
        this.scheduling = scheduling;
        this.events = events;
        this.cachedBlocks = cachedBlocks;
        this.registry = registry;
        this.stages = stages;
        this.attachments = attachments;
        this.internalError = internalError;
        this.services = new ShuffleServiceLinks(loop, service, serviceScopes, this::serviceLost);
        this.demand = settings::demands;
        this.starts = new ExecutorStarts(events);
        this.copying = copying.apply(new CopyOrders(cachedBlocks, this::send));
        this.departures = new ExecutorDecommissioner(
                loop,
                this.copying,
                settings.decommission().forceKillTimeout(),
                scheduling::isBusy,
                (executor, reason) -> giveUp(executor, Cause.DECOMMISSIONED, reason));
        this.gate = new RegistrationGate(
                loop, settings.registration(), registry::liveCount, scheduling::cores, scheduling::hold);
    }

    /**
     * Starts to request executors from {@code opened}, the cluster's backend: always as many as {@code wanted}
     * computes. {@code remote} says whether the executors run in other processes, so that the first tasks may have to
     * wait for them.
     */
    public void open(SchedulerBackend opened, ExecutorDemand wanted, boolean remote) {
        backend.open(opened);
        services.opened(opened);
        demand = wanted;
        if (remote) {
            gate.start(() -> Demand.of(wanted.executors()));
        }
        want();
    }

    /**
     * Logs once that the first tasks wait, if too few executors have registered. Called before each job is scheduled.
     */
    public void jobSubmitted() {
        gate.jobSubmitted();
    }

    /** Cores of all executors. Thread-safe. */
    public int cores() {
        return cores;
    }

    /** Called after each round of scheduling: advances decommissioning and dynamic allocation. */
    public void settled() {
        if (!closed) {
            departures.advance();
            demand.settled();
        }
    }

    /** Requests from the cluster manager the number of executors that the driver currently needs. */
    void want() {
        if (backend.isOpen()) {
            backend.want(demand::demands, excludedHosts);
            gate.check();
        }
    }

    public void exclude(Set<String> hosts) {
        excludedHosts = hosts;
        want();
    }

    /** Admits an executor that runs in this process. */
    void admitInProcess(
            ExecutorId executor, int executorCores, Map<String, ResourceInformation> resources, ExecutorLink link) {
        String refusal = admit(
                executor, executorCores, resources, ExecutorRegistry.NO_PEER, new Link(link, LOCAL_HOST, "", true));
        if (!refusal.isEmpty()) {
            LOG.warn("executor {} in this process: the driver refused its registration: {}", executor, refusal);
            link.stop(refusal);
        } else {
            cachedBlocks.executor(executor.value());
        }
    }

    /**
     * Admits an executor that runs in another process. Returns the reason if it is refused, or an empty string if it is
     * admitted.
     */
    public String admit(Register message, Peer peer) {
        ExecutorId executor = message.executor();
        String host = message.host();
        String refusal = closed
                ? Registration.APPLICATION_ENDED
                : excludedHosts.contains(host)
                        ? "host " + host + " is excluded, because too many tasks failed on it (expected: another host)"
                        : admit(
                                executor,
                                message.cores(),
                                ResourceInformation.byName(message.resources()),
                                peer.id(),
                                new Link(remote(executor, peer), host, message.blocks(), false));
        if (refusal.isEmpty()) {
            services.serve(executor, host, message.service()).ifPresent(by -> scheduling.servedBy(executor, by));
            copying.executorUp(executor, host, message.blocks());
        } else if (closed) {
            LOG.info("executor {} on {}: the driver refused its registration: {}", executor, host, refusal);
        } else {
            LOG.warn("executor {} on {}: the driver refused its registration: {}", executor, host, refusal);
        }
        return refusal;
    }

    private RemoteLink remote(ExecutorId executor, Peer peer) {
        return new RemoteLink(
                executor, peer, stages, new CachedBlockHints(cachedBlocks, copying.peers()), locations, attachments);
    }

    private String admit(
            ExecutorId executor, int executorCores, Map<String, ResourceInformation> resources, long peer, Link link) {
        Duration took = registry.startDuration(executor, loop.ticker().nanos());
        return switch (registry.register(executor, peer, loop.ticker().nanos())) {
            case ADMITTED -> {
                links.put(executor, link);
                ProfileId profile = profile(executor);
                int slots = scheduling.slots(profile, executorCores, resources);
                starts.registered(executor, link.host, executorCores, slots, resources);
                scheduling.executorUp(executor, link.host, executorCores, resources, profile);
                cores = scheduling.cores();
                LOG.info(
                        "executor {} on {} is up with {}, after {} ms",
                        executor,
                        link.host,
                        Quantity.of(executorCores, "core"),
                        took.toMillis());
                gate.check();
                loop.execute(() -> registered(executor)); // backends are called in actions of their own
                yield "";
            }
            case KNOWN -> "";
            case DUPLICATE -> "id " + executor + " is taken by another executor (expected: one executor per id)";
            case LOST ->
                "id " + executor + " belongs to an executor that the driver has given up as lost (expected: a new id)";
            case FULL ->
                settings.executorsMax() + " executors are registered already (expected: at most that many,"
                        + " from hearth.executor.max)";
        };
    }

    /** The profile of an executor that has not registered yet, as its cluster manager has reported it. */
    public ProfileId profile(ExecutorId executor) {
        return starts.profile(executor);
    }

    private void registered(ExecutorId executor) {
        if (registry.isLive(executor)) {
            backend.registered(executor);
        }
    }

    /** Handles the report that an executor starts, or that more is known about one that has started. */
    public void started(ExecutorStart start) {
        ExecutorId executor = start.executor();
        if (registry.isLive(executor) && starts.contradicts(start)) {
            giveUp(
                    executor,
                    Cause.RELEASED,
                    "it is of resource profile " + start.profile().value()
                            + ", which its cluster manager said only after it had registered");
        } else if (registry.isLive(executor)) {
            starts.described(start);
        } else if (registry.starting(executor, loop.ticker().nanos())) {
            starts.starting(start);
            LOG.info(
                    "executor {} is starting on {} with {}",
                    executor,
                    start.host(),
                    Quantity.of(start.cores(), "core"));
        }
    }

    /** Handles the loss of an executor, which the cluster manager reported or the driver itself detected. */
    public void lost(ExecutorId executor, LostExecutor reported) {
        LostExecutor why = refined(executor, reported);
        if (why.cause() == Cause.REFUSED && links.containsKey(executor)) {
            LOG.warn("executor {}: another process with the same id is lost: {}", executor, why);
            return;
        }
        if (losses.amend(executor, why)) {
            explained(executor, why.toString());
            return;
        }
        boolean wasLive = registry.lose(executor);
        starts.lost(executor);
        departures.forget(executor);
        services.executorLost(executor);
        Link link = links.remove(executor);
        if (closed || why.cause().isExpected()) {
            LOG.info("executor {} is lost ({}): {}", executor, why.cause(), why);
        } else {
            LOG.warn("executor {} is lost ({}): {}", executor, why.cause(), why);
        }
        if (wasLive && !closed) {
            String host = link == null ? lostHosts.getOrDefault(executor, "") : link.host;
            events.publishNow(at -> new ApplicationEvent.ExecutorRemoved(at, executor.value(), why.toString()));
            scheduling.executorLost(executor, host, why, link != null && link.inProcess);
            List<BlockId> had = cachedBlocks.blocksOn(executor.value());
            cachedBlocks.executorLost(executor.value());
            copying.executorLost(executor, had);
            cores = scheduling.cores();
            reportLoss(executor);
            losses.lost(executor, why);
        }
        lostHosts.remove(executor);
    }

    /**
     * Handles a later report of the cluster manager, which gives another reason for a loss that was already handled.
     */
    private void explained(ExecutorId executor, String reason) {
        if (!closed) {
            LOG.warn("executor {}, which is lost: its cluster now gives this reason: {}", executor, reason);
            events.publishNow(at -> new ApplicationEvent.ExecutorLossExplained(at, executor.value(), reason));
            scheduling.explainLoss(executor, reason);
        }
    }

    private void serviceLost(ExecutorId service, String host, Set<ExecutorId> executors, String reason) {
        scheduling.serviceLost(service, host);
        reportLoss(service);
        executors.forEach(each -> giveUp(each, Cause.HOST_LOST, "shuffle service of its worker lost: " + reason));
    }

    /** Reports a loss to the other executors. Losses within {@link #LOSS_BATCH_WAIT} share one message. */
    private void reportLoss(ExecutorId executor) {
        unreportedLosses.add(executor);
        if (unreportedLosses.size() == 1) {
            loop.schedule(LOSS_BATCH_WAIT, () -> {
                List<ExecutorId> lost = List.copyOf(unreportedLosses);
                unreportedLosses.clear();
                sendAll(other -> other.executorsLost(lost));
            });
        }
    }

    /**
     * Corrects the reported cause of a loss. The exit status may show that the driver had refused to register the
     * executor, or that the executor ran out of memory. The end of a decommissioned executor never counts as a failure
     * of its tasks.
     */
    private LostExecutor refined(ExecutorId executor, LostExecutor reported) {
        int status = reported.cause() == Cause.FAILED ? reported.exitStatus().orElse(0) : 0;
        if (status == ExitCode.REFUSED.status()) {
            return reported.with(Cause.REFUSED);
        }
        if (reported.cause().chargesTasks() && registry.isDecommissioning(executor)) {
            return reported.with(Cause.DECOMMISSIONED);
        }
        return status == ExitCode.OUT_OF_MEMORY.status() ? reported.with(Cause.OUT_OF_MEMORY) : reported;
    }

    /**
     * Handles a lost connection: launches no more tasks on the executor. The cluster manager usually reports the cause
     * within a moment; if it does not, the executor is given up.
     */
    public void disconnected(ExecutorId executor, String reason) {
        Link link = links.remove(executor);
        if (link != null) {
            lostHosts.put(executor, link.host);
        }
        scheduling.suspend(executor);
        doubt(executor);
        loop.schedule(backend.lossReportWait(), () -> {
            if (registry.isLive(executor)) {
                giveUp(executor, Cause.UNREACHABLE, "connection lost: " + reason);
            }
        });
    }

    /** Asks the cluster manager about an executor that may no longer run, unless it was asked for the same reason. */
    private void doubt(ExecutorId executor) {
        if (backend.isOpen() && registry.doubt(executor)) {
            backend.doubted(executor);
        }
    }

    /**
     * Gives up executors that sent no heartbeat for too long, and executors that never registered. Repeats itself
     * periodically.
     */
    public void expireSilent() {
        if (!closed) {
            loop.schedule(settings.heartbeatTimeout().dividedBy(4), this::expireSilent);
            long now = loop.ticker().nanos();
            registry.checked(now);
            registry.doubtful(now).forEach(this::doubt);
            registry.silent(now)
                    .forEach(executor -> giveUp(
                            executor,
                            Cause.SILENT,
                            "no message from the executor for more than "
                                    + settings.heartbeatTimeout().toSeconds() + " s"));
            registry.overdue(now)
                    .forEach(executor -> giveUp(
                            executor,
                            Cause.NEVER_CAME,
                            "not registered " + settings.startTimeout().toSeconds()
                                    + " s after its start (expected: within " + DriverSettings.START_TIMEOUT
                                    + "); see the log of the executor"));
        }
    }

    /**
     * Lets an executor finish its tasks and migrate its data, then stops it. Returns false if the executor is unknown,
     * runs in this process, or is already decommissioning.
     */
    public boolean decommission(ExecutorId executor, String reason) {
        return decommission(executor, Origin.DRIVER, reason, Optional.empty());
    }

    /**
     * Decommissions an executor that the cluster will take away. {@code within} is the time until then; empty if
     * unknown.
     */
    public void leaving(ExecutorId executor, String reason, Optional<Duration> within) {
        decommission(executor, Origin.CLUSTER, reason, within);
    }

    private boolean decommission(ExecutorId executor, Origin origin, String reason, Optional<Duration> within) {
        Link link = links.get(executor);
        if (closed || link == null || link.inProcess) {
            return false;
        }
        boolean begins = registry.decommission(executor);
        if (begins) {
            scheduling.decommission(executor);
            copying.decommission(executor);
            loop.execute(() -> backend.decommissioned(executor));
        }
        departures.begin(executor, origin, reason, within);
        return begins;
    }

    /**
     * Handles the cluster's report that it does not take an executor away after all. Keeps the executor, unless the
     * driver decommissions it too.
     */
    public void staying(ExecutorId executor) {
        if (!closed && departures.withdraw(executor) && registry.recommission(executor)) {
            copying.recommission(executor);
            scheduling.recommission(executor);
        }
    }

    /** Releases idle executors to the cluster manager. They are decommissioned first if that is enabled. */
    void release(Set<ExecutorId> idle, String reason) {
        for (ExecutorId executor : idle) {
            if (settings.decommission().enabled()) {
                decommission(executor, reason);
            } else {
                giveUp(executor, Cause.RELEASED, reason);
            }
        }
    }

    private void giveUp(ExecutorId executor, Cause cause, String reason) {
        Link link = links.get(executor);
        lost(executor, LostExecutor.of(cause, reason));
        backend.release(executor, reason);
        want(); // requests a replacement if one is still needed
        if (link != null && !link.inProcess) {
            loop.schedule(
                    STOPPED_AFTER, () -> attempt("stopping executor " + executor, () -> link.orders.stop(reason)));
        }
    }

    /** Releases an executor to the cluster manager, because it is excluded from the whole application. */
    public void releaseExcluded(ExecutorId executor, String reason) {
        loop.execute(() -> giveUp(executor, Cause.EXCLUDED, reason));
    }

    /** Sends an order to an executor. Does nothing if the executor is not connected. */
    public void send(ExecutorId executor, Consumer<ExecutorLink> order) {
        Link link = links.get(executor);
        if (link == null || sendFailed) {
            return;
        }
        try {
            order.accept(link.orders);
        } catch (Throwable failure) { // catches Errors too, such as a lack of memory: the order may be half executed
            LOG.error("executor {}: a message could not be sent to the executor", executor, failure);
            sendFailed = !link.inProcess;
            loop.execute(
                    () -> { // runs after the current step
                        if (link.inProcess) { // an executor in this process threw, most likely for lack of a thread
                            giveUp(
                                    executor,
                                    Cause.FAILED,
                                    "the executor could not carry out a command of the driver: " + failure);
                        } else {
                            internalError.accept(failure);
                        }
                    });
        }
    }

    /** Lets executors and shuffle services remove the map outputs of a shuffle. */
    public void dropShuffle(int shuffle) {
        sendAll(link -> link.dropShuffle(shuffle));
        services.dropShuffle(shuffle);
        copying.forgetShuffle(shuffle);
    }

    public void sendAll(Consumer<ExecutorLink> order) {
        List.copyOf(links.keySet()).forEach(each -> send(each, order));
    }

    /** The stack traces of an executor's threads. Empty if the executor cannot be reached. */
    public CompletionStage<Optional<List<ThreadView>>> threads(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null
                ? CompletableFuture.completedStage(Optional.empty())
                : link.orders.threads().thenApply(Optional::of);
    }

    /**
     * The manager of copies between the application's executors: of replicas, and of migrations from decommissioned
     * executors.
     */
    public ReplicationManager copying() {
        return copying;
    }

    /** The address of an executor's block server, or of a shuffle service. Empty if it cannot be reached. */
    private String blockServer(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? services.address(executor) : link.blockServer;
    }

    /** The host and block server of an executor. Empty if the executor cannot be reached. */
    public Optional<BlockServerAddress> holder(ExecutorId executor) {
        return Optional.ofNullable(links.get(executor))
                .filter(link -> !link.blockServer.isEmpty())
                .map(link -> new BlockServerAddress(executor, link.host, link.blockServer));
    }

    /** The host of an executor. Empty if the executor is not known any more. */
    public String host(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? "" : link.host;
    }

    /** The host name or IP address at which peers reach an executor. Its host if it serves none. */
    public String address(ExecutorId executor) {
        return RpcAddress.parse(blockServer(executor)).map(RpcAddress::host).orElseGet(() -> host(executor));
    }

    /** Stops all executors. From now on, no executor is requested and losses are ignored. */
    public void close(String reason) {
        closed = true;
        backend.close();
        services.close();
        gate.stop();
        links.forEach((executor, link) -> attempt("stopping executor " + executor, () -> link.orders.stop(reason)));
        links.keySet()
                .forEach(executor ->
                        events.publishNow(at -> new ApplicationEvent.ExecutorRemoved(at, executor.value(), reason)));
        links.clear();
    }

    private static void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) { // catches Errors too, such as a lack of memory: the others are stopped too
            LOG.error("{}", what, failure);
        }
    }
}
