package dev.hearth.engine.internal.driver.executors;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.driver.blocks.BlockLocationRegistry;
import dev.hearth.engine.internal.driver.blocks.CachedBlockHints;
import dev.hearth.engine.internal.driver.blocks.ReplicationManager;
import dev.hearth.engine.internal.driver.serving.MapOutputUpdates;
import dev.hearth.engine.internal.driver.serving.SerialisedStages;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.ThreadView;
import dev.hearth.spi.rpc.Peer;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executors of one driver: admits them, sends to them, requests more, releases them and handles their loss. Each
 * way to lose an executor has one {@link Cause} and one outcome (docs/executors.md). Owned by the driver's loop; OPEN
 * until closed.
 * <p>Invariants: an executor that is given up is sent a stop, whether or not its cluster manager can end it. An
 * exception while sending to another process is a bug of the engine and charged to no executor; a network failure
 * appears as a lost peer instead.
 */
public final class ExecutorFleet {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorFleet.class);
    private static final String LOCAL_HOST = "localhost";
    /** How long the driver waits, after a connection is lost, for the cluster manager's report on the executor. */
    private static final Duration LOSS_REPORT_WAIT = Duration.ofSeconds(5);
    /**
     * Between releasing an executor and stopping it, so that the cluster manager learns of the release before the exit.
     */
    private static final Duration STOPPED_AFTER = Duration.ofSeconds(1);
    /**
     * How long losses are collected into one message to the other executors; a lost rack takes thousands of executors
     * with it.
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
    private final MapOutputUpdates locations = new MapOutputUpdates(this::blockServer);
    private final Map<ExecutorId, Link> links = new LinkedHashMap<>();
    private final Map<ExecutorId, String> lostHosts = new LinkedHashMap<>(); // of executors whose connection is lost
    private final List<ExecutorId> unreportedLosses = new ArrayList<>(); // not yet sent to the other executors
    private Set<String> excludedHosts = Set.of(); // never iterated, as its order is not fixed
    private ExecutorDemand demand;
    private @Nullable SchedulerBackend backend;
    private boolean closed;
    private boolean sendFailed; // nothing more is sent after a bug, as that would fail as well
    private volatile int cores;

    /** An executor that can be sent to. The map outputs of one in this process survive its loss. */
    private record Link(ExecutorLink orders, String host, String blockServer, boolean inProcess) {}

    /**
     * {@code attachments} are the application's attachments as of the last addition; {@code internalError} ends the
     * application after a bug of the engine.
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
        this.demand = settings::demand;
        this.copying = copying.apply(new Orders());
        this.departures = new ExecutorDecommissioner(
                loop,
                this.copying,
                settings.decommission().forceKillTimeout(),
                scheduling::isBusy,
                (executor, reason) -> giveUp(executor, Cause.DECOMMISSIONED, reason));
    }

    private final class Orders implements ReplicationManager.CopySender {
        @Override
        public void copy(ExecutorId executor, ReplicateBlock order) {
            if (cachedBlocks.isPinned(order.dataset())) { // the target may have registered after it was pinned
                send(executor, link -> link.pinCached(order.dataset()));
            }
            send(executor, link -> link.copy(order));
        }

        @Override
        public void copy(ExecutorId executor, MigrateMapOutput order) {
            send(executor, link -> link.copy(order));
        }
    }

    /** Requests executors from {@code opened} from now on, as many as {@code wanted} says. */
    public void open(SchedulerBackend opened, ExecutorDemand wanted) {
        backend = opened;
        demand = wanted;
        want();
    }

    /** Cores of all executors. Any thread may ask. */
    public int cores() {
        return cores;
    }

    /** Called after each round of scheduling: decommissioning and dynamic allocation may go on. */
    public void settled() {
        if (!closed) {
            departures.advance();
            demand.settled();
        }
    }

    /** Requests the wanted number of executors from the cluster manager. */
    void want() {
        SchedulerBackend current = backend;
        if (current != null && !closed) {
            attempt("wanting executors", () -> current.want(Map.of(ProfileId.DEFAULT, demand.demand()), excludedHosts));
        }
    }

    public void exclude(Set<String> hosts) {
        excludedHosts = hosts;
        want();
    }

    /** Admits an executor of this process. */
    void admitInProcess(ExecutorId executor, int executorCores, ExecutorLink link) {
        String refusal = admit(executor, executorCores, ExecutorRegistry.NO_PEER, new Link(link, LOCAL_HOST, "", true));
        if (!refusal.isEmpty()) {
            LOG.warn("executor {} in this process refused: {}", executor, refusal);
            link.stop(refusal);
        } else {
            cachedBlocks.executor(executor.value());
        }
    }

    /** Admits an executor of another process. Returns the reason for a refusal, or an empty text. */
    public String admit(Register message, Peer peer) {
        ExecutorId executor = message.executor();
        String host = message.host();
        String refusal = closed
                ? Registration.APPLICATION_ENDED
                : excludedHosts.contains(host)
                        ? "host " + host + " is excluded (expected: one that too little has failed on)"
                        : admit(
                                executor,
                                message.cores(),
                                peer.id(),
                                new Link(remote(executor, peer), host, message.blocks(), false));
        if (refusal.isEmpty()) {
            copying.executorUp(executor, host, message.blocks());
        } else if (closed) {
            LOG.info("executor {} on {} refused: {}", executor, host, refusal);
        } else {
            LOG.warn("executor {} on {} refused: {}", executor, host, refusal);
        }
        return refusal;
    }

    private RemoteLink remote(ExecutorId executor, Peer peer) {
        return new RemoteLink(
                executor, peer, stages, new CachedBlockHints(cachedBlocks, copying.peers()), locations, attachments);
    }

    private String admit(ExecutorId executor, int executorCores, long peer, Link link) {
        Duration took = registry.startDuration(executor, loop.ticker().nanos());
        return switch (registry.register(executor, peer, loop.ticker().nanos())) {
            case ADMITTED -> {
                links.put(executor, link);
                events.publishNow(at ->
                        new ApplicationEvent.ExecutorAdded(at, executor.value(), link.host, executorCores, Map.of()));
                scheduling.executorUp(executor, link.host, executorCores);
                cores = scheduling.cores();
                LOG.info(
                        "executor {} on {} is up with {} cores, after {} ms",
                        executor,
                        link.host,
                        executorCores,
                        took.toMillis());
                yield "";
            }
            case KNOWN -> "";
            case DUPLICATE -> "id " + executor + " is taken (expected: one executor per id)";
            case LOST -> "id " + executor + " was given up before (expected: a new id)";
            case FULL -> "there are " + settings.executorsMax() + " executors (expected: up to hearth.executor.max)";
        };
    }

    public void started(ExecutorId executor, String host, int executorCores) {
        registry.starting(executor, loop.ticker().nanos());
        LOG.info("executor {} is starting on {} with {} cores", executor, host, executorCores);
    }

    /** Handles the loss of an executor, which the cluster manager reported or the driver detected. */
    public void lost(ExecutorId executor, LostExecutor reported) {
        LostExecutor why = refined(executor, reported);
        if (why.cause() == Cause.REFUSED && links.containsKey(executor)) {
            LOG.warn("executor {}: another one of the same id is lost: {}", executor, why);
            return;
        }
        boolean wasLive = registry.lose(executor);
        departures.forget(executor);
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
        }
        lostHosts.remove(executor);
    }

    /** Reports a loss to the other executors; losses within a moment share a message. */
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
     * Corrects the reported cause: an exit status shows a refusal, and a decommissioned executor is never charged for
     * its end.
     */
    private LostExecutor refined(ExecutorId executor, LostExecutor reported) {
        boolean refused =
                reported.exitStatus().isPresent() && reported.exitStatus().getAsInt() == ExitCode.REFUSED.status();
        if (reported.cause() == Cause.FAILED && refused) {
            return reported.with(Cause.REFUSED);
        }
        return reported.cause().chargesTasks() && registry.isDecommissioning(executor)
                ? reported.with(Cause.DECOMMISSIONED)
                : reported;
    }

    /**
     * Handles a lost connection: no task is launched on the executor any more. The cluster manager usually reports the
     * cause within a moment; without a report the executor is given up.
     */
    public void disconnected(ExecutorId executor, String reason) {
        Link link = links.remove(executor);
        if (link != null) {
            lostHosts.put(executor, link.host);
        }
        scheduling.suspend(executor);
        loop.schedule(LOSS_REPORT_WAIT, () -> {
            if (registry.isLive(executor)) {
                giveUp(executor, Cause.UNREACHABLE, "connection lost: " + reason);
            }
        });
    }

    /** Gives up executors that are silent for too long or never registered, now and periodically. */
    public void expireSilent() {
        if (!closed) {
            loop.schedule(settings.heartbeatTimeout().dividedBy(4), this::expireSilent);
            long now = loop.ticker().nanos();
            registry.checked(now);
            registry.silent(now)
                    .forEach(executor ->
                            giveUp(executor, Cause.SILENT, "silent for more than " + settings.heartbeatTimeout()));
            registry.overdue(now)
                    .forEach(executor -> giveUp(
                            executor,
                            Cause.NEVER_CAME,
                            "not registered " + settings.startTimeout().toSeconds()
                                    + " s after its start (expected: within " + DriverSettings.START_TIMEOUT
                                    + "); what it wrote may say why"));
        }
    }

    /**
     * Lets an executor finish its tasks and migrate its data, then stops it. False if no such executor can be
     * decommissioned.
     */
    public boolean decommission(ExecutorId executor, String reason) {
        Link link = links.get(executor);
        if (closed || link == null || link.inProcess || !registry.decommission(executor)) {
            return false;
        }
        scheduling.decommission(executor);
        copying.decommission(executor);
        departures.begin(executor, reason);
        return true;
    }

    /** Gives idle executors back to the cluster manager. */
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
        SchedulerBackend current = backend;
        if (current != null && !closed) {
            attempt("releasing executor " + executor, () -> current.release(Set.of(executor), reason));
            want(); // the total stays the same, so that the executor is replaced if need be
        }
        if (link != null && !link.inProcess) {
            loop.schedule(
                    STOPPED_AFTER, () -> attempt("stopping executor " + executor, () -> link.orders.stop(reason)));
        }
    }

    /** Gives back an executor that is excluded from the application. */
    public void releaseExcluded(ExecutorId executor, String reason) {
        loop.execute(() -> giveUp(executor, Cause.EXCLUDED, reason));
    }

    /** Sends to an executor if it is connected. */
    public void send(ExecutorId executor, Consumer<ExecutorLink> order) {
        Link link = links.get(executor);
        if (link == null || sendFailed) {
            return;
        }
        try {
            order.accept(link.orders);
        } catch (Throwable failure) { // an Error too, such as a lack of memory: the order may be half done
            LOG.error("sending to executor {}", executor, failure);
            sendFailed = !link.inProcess;
            loop.execute(
                    () -> { // after the current step
                        if (link.inProcess) { // the executor itself failed, most likely for lack of a thread
                            giveUp(executor, Cause.FAILED, "it failed at an order: " + failure);
                        } else {
                            internalError.accept(failure);
                        }
                    });
        }
    }

    public void sendAll(Consumer<ExecutorLink> order) {
        List.copyOf(links.keySet()).forEach(each -> send(each, order));
    }

    /** The stack traces of an executor's threads; empty if it cannot be reached. */
    public CompletionStage<Optional<List<ThreadView>>> threads(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null
                ? CompletableFuture.completedStage(Optional.empty())
                : link.orders.threads().thenApply(Optional::of);
    }

    /** The replication and migration of data between the executors. */
    public ReplicationManager copying() {
        return copying;
    }

    /** The address of an executor's block server; empty if it cannot be reached. */
    private String blockServer(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? "" : link.blockServer;
    }

    /** The host and block server of an executor; empty if it cannot be reached. */
    public Optional<BlockServerAddress> holder(ExecutorId executor) {
        return Optional.ofNullable(links.get(executor))
                .filter(link -> !link.blockServer.isEmpty())
                .map(link -> new BlockServerAddress(executor, link.host, link.blockServer));
    }

    /** The host of an executor; empty if the executor is not known any more. */
    public String host(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? "" : link.host;
    }

    /** Stops all executors. From now on no executor is requested and losses are ignored. */
    public void close(String reason) {
        closed = true;
        links.forEach((executor, link) -> attempt("stopping executor " + executor, () -> link.orders.stop(reason)));
        links.keySet()
                .forEach(executor ->
                        events.publishNow(at -> new ApplicationEvent.ExecutorRemoved(at, executor.value(), reason)));
        links.clear();
    }

    private static boolean attempt(String what, Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable failure) { // an Error too: a cluster manager is a bundle, and the next steps must follow
            LOG.error("{}", what, failure);
            return false;
        }
    }
}
