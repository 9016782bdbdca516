package dev.hearth.engine.internal.driver;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.attachments.Attachment;
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
 * The executors of one driver: lets them in, sends to them, wants more, gives them back and hears of their loss, whose every way
 * has its {@link Cause} and one outcome (docs/executors.md). Owned by the driver's loop; OPEN until closed.
 * <p>Invariants: one that is given up is told to stop, whether or not its manager can end it; what fails here while something is
 * sent to another process is a mistake of ours, charged to no executor: a network that fails is a lost peer.
 */
final class ExecutorFleet {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorFleet.class);
    private static final String LOCAL_HOST = "localhost";
    /** How long a lost connection may wait for its manager's word on what became of the executor. */
    private static final Duration LOSS_REPORT_WAIT = Duration.ofSeconds(5);
    /** Between giving an executor back and stopping it: its manager hears that it is not wanted before it hears that it ended. */
    private static final Duration STOPPED_AFTER = Duration.ofSeconds(1);
    /** How long losses are gathered before the others hear of them; a rack takes thousands of executors with it. */
    private static final Duration GONE_GATHERED = Duration.ofMillis(10);

    private final EventLoop loop;
    private final DriverSettings settings;
    private final TaskScheduling scheduling;
    private final EventBus events;
    private final BlockLocationRegistry kept;
    private final ExecutorRegistry registry;
    private final SerialisedStages stages;
    private final Supplier<List<Attachment>> attachments;
    private final Consumer<Throwable> internalError;
    private final ReplicationManager copying;
    private final ExecutorDecommissioner departures;
    private final MapOutputUpdates places = new MapOutputUpdates(this::blocks);
    private final Map<ExecutorId, Link> links = new LinkedHashMap<>();
    private final Map<ExecutorId, String> lostHosts = new LinkedHashMap<>(); // of connections that are gone
    private final List<ExecutorId> untold = new ArrayList<>(); // gone, and the others are yet to hear of it
    private Set<String> excludedHosts = Set.of(); // where no executors are wanted; as given, never gone through
    private ExecutorDemand demand;
    private @Nullable SchedulerBackend backend;
    private boolean closed;
    private boolean mistaken; // nothing more is sent, for it would fail as well
    private volatile int cores;

    /** An executor that can be sent to. One in this process leaves what it wrote behind when it goes. */
    private record Link(ExecutorLink orders, String host, String blocks, boolean inProcess) {}

    /**
     * {@code attachments} are the application's attachments as of the last addition; {@code internalError} ends the application
     * after a bug of the engine.
     */
    ExecutorFleet(
            EventLoop loop,
            DriverSettings settings,
            TaskScheduling scheduling,
            EventBus events,
            BlockLocationRegistry kept,
            ExecutorRegistry registry,
            SerialisedStages stages,
            Supplier<List<Attachment>> attachments,
            Function<ReplicationManager.CopySender, ReplicationManager> copying,
            Consumer<Throwable> internalError) {
        this.loop = loop;
        this.settings = settings;
        this.scheduling = scheduling;
        this.events = events;
        this.kept = kept;
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
            if (kept.isOnly(order.dataset())) { // which one that is new here has not heard
                send(executor, link -> link.pinCached(order.dataset()));
            }
            send(executor, link -> link.copy(order));
        }

        @Override
        public void copy(ExecutorId executor, MigrateMapOutput order) {
            send(executor, link -> link.copy(order));
        }
    }

    /** There is a backend: what is wanted of it is what {@code wanted} says from now on. */
    void open(SchedulerBackend held, ExecutorDemand wanted) {
        backend = held;
        demand = wanted;
        want();
    }

    /** Cores of all executors. Any thread may ask. */
    int cores() {
        return cores;
    }

    /** Has looked at by whoever decides how many are wanted, and who may go on. */
    void settled() {
        if (!closed) {
            departures.look();
            demand.settled();
        }
    }

    void want() {
        SchedulerBackend held = backend;
        if (held != null && !closed) {
            attempt("wanting executors", () -> held.want(Map.of(ProfileId.DEFAULT, demand.demand()), excludedHosts));
        }
    }

    void exclude(Set<String> hosts) {
        excludedHosts = hosts;
        want();
    }

    /** Lets in an executor of this process. */
    void admitInProcess(ExecutorId executor, int executorCores, ExecutorLink link) {
        String refusal = admit(executor, executorCores, ExecutorRegistry.NO_PEER, new Link(link, LOCAL_HOST, "", true));
        if (!refusal.isEmpty()) {
            LOG.warn("executor {} in this process refused: {}", executor, refusal);
            link.stop(refusal);
        } else {
            kept.executor(executor.value());
        }
    }

    /** Lets in an executor of another process; returns why not, or an empty text. */
    String admit(Register asked, Peer peer) {
        ExecutorId executor = asked.executor();
        String host = asked.host();
        String refusal = closed
                ? Registration.APPLICATION_ENDED
                : excludedHosts.contains(host)
                        ? "host " + host + " is excluded (expected: one that too little has failed on)"
                        : admit(
                                executor,
                                asked.cores(),
                                peer.id(),
                                new Link(remote(executor, peer), host, asked.blocks(), false));
        if (refusal.isEmpty()) {
            copying.executorUp(executor, host, asked.blocks());
        } else if (closed) {
            LOG.info("executor {} on {} refused: {}", executor, host, refusal);
        } else {
            LOG.warn("executor {} on {} refused: {}", executor, host, refusal);
        }
        return refusal;
    }

    private RemoteLink remote(ExecutorId executor, Peer peer) {
        return new RemoteLink(executor, peer, stages, new CachedBlockHints(kept, copying.peers()), places, attachments);
    }

    private String admit(ExecutorId executor, int executorCores, long peer, Link link) {
        Duration took = registry.tookToCome(executor, loop.ticker().nanos());
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
            case GONE -> "id " + executor + " was given up before (expected: a new id)";
            case FULL -> "there are " + settings.executorsMax() + " executors (expected: up to hearth.executor.max)";
        };
    }

    void started(ExecutorId executor, String host, int executorCores) {
        registry.begin(executor, loop.ticker().nanos());
        LOG.info("executor {} is starting on {} with {} cores", executor, host, executorCores);
    }

    /** The manager's word, or what was found here. */
    void lost(ExecutorId executor, LostExecutor told) {
        LostExecutor why = judged(executor, told);
        if (why.cause() == Cause.REFUSED && links.containsKey(executor)) {
            LOG.warn("executor {}: another one that took its id is gone: {}", executor, why);
            return;
        }
        boolean was = registry.lose(executor);
        departures.forget(executor);
        Link link = links.remove(executor);
        if (closed || why.cause().isExpected()) {
            LOG.info("executor {} is gone ({}): {}", executor, why.cause(), why);
        } else {
            LOG.warn("executor {} is gone ({}): {}", executor, why.cause(), why);
        }
        if (was && !closed) {
            String host = link == null ? lostHosts.getOrDefault(executor, "") : link.host;
            events.publishNow(at -> new ApplicationEvent.ExecutorRemoved(at, executor.value(), why.toString()));
            scheduling.executorLost(executor, host, why, link != null && link.inProcess);
            List<BlockId> had = kept.blocksOn(executor.value());
            kept.executorLost(executor.value());
            copying.executorLost(executor, had);
            cores = scheduling.cores();
            tellGone(executor);
        }
        lostHosts.remove(executor);
    }

    /** Tells the others in a moment: of many that go at once in one message. */
    private void tellGone(ExecutorId executor) {
        untold.add(executor);
        if (untold.size() == 1) {
            loop.schedule(GONE_GATHERED, () -> {
                List<ExecutorId> gone = List.copyOf(untold);
                untold.clear();
                sendAll(other -> other.gone(gone));
            });
        }
    }

    /** One that was on its way out is not to blame, however it went; one that was refused says so by its exit status. */
    private LostExecutor judged(ExecutorId executor, LostExecutor told) {
        boolean refused = told.exitStatus().isPresent() && told.exitStatus().getAsInt() == ExitCode.REFUSED.status();
        if (told.cause() == Cause.FAILED && refused) {
            return told.with(Cause.REFUSED);
        }
        return told.cause().chargesTasks() && registry.isLeaving(executor) ? told.with(Cause.DECOMMISSIONED) : told;
    }

    /**
     * An executor cannot be reached any more. It gets no further tasks; why it went is known to its manager in a moment, and
     * without such word it is given up.
     */
    void disconnected(ExecutorId executor, String reason) {
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

    /** Gives up those that were silent for too long, or never came, now and ever after. */
    void expireSilent() {
        if (!closed) {
            loop.schedule(settings.heartbeatTimeout().dividedBy(4), this::expireSilent);
            long now = loop.ticker().nanos();
            registry.look(now);
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

    /** Has an executor end what it runs, move what it keeps, and go; false when there is none that could. */
    boolean decommission(ExecutorId executor, String reason) {
        Link link = links.get(executor);
        if (closed || link == null || link.inProcess || !registry.leave(executor)) {
            return false;
        }
        scheduling.leave(executor);
        copying.leaving(executor);
        departures.begin(executor, reason);
        return true;
    }

    /** Lets executors go that run nothing. */
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
        SchedulerBackend held = backend;
        if (held != null && !closed) {
            attempt("releasing executor " + executor, () -> held.release(Set.of(executor), reason));
            want(); // as many as before: this one may have to be replaced
        }
        if (link != null && !link.inProcess) {
            loop.schedule(
                    STOPPED_AFTER, () -> attempt("stopping executor " + executor, () -> link.orders.stop(reason)));
        }
    }

    /** Gives back an executor that is excluded from the application. */
    void releaseExcluded(ExecutorId executor, String reason) {
        loop.execute(() -> giveUp(executor, Cause.EXCLUDED, reason));
    }

    /** Sends to an executor, if it is there. */
    void send(ExecutorId executor, Consumer<ExecutorLink> order) {
        Link link = links.get(executor);
        if (link == null || mistaken) {
            return;
        }
        try {
            order.accept(link.orders);
        } catch (Throwable failure) { // an Error too, as when there is no memory: half of what was ordered may be done
            LOG.error("sending to executor {}", executor, failure);
            mistaken = !link.inProcess;
            loop.execute(
                    () -> { // behind what is being done right now
                        if (link.inProcess) { // it is the executor that failed, for want of a thread above all
                            giveUp(executor, Cause.FAILED, "it failed at an order: " + failure);
                        } else {
                            internalError.accept(failure);
                        }
                    });
        }
    }

    void sendAll(Consumer<ExecutorLink> order) {
        List.copyOf(links.keySet()).forEach(each -> send(each, order));
    }

    /** What the threads of an executor do; empty when it cannot be reached. */
    CompletionStage<Optional<List<ThreadView>>> threads(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null
                ? CompletableFuture.completedStage(Optional.empty())
                : link.orders.threads().thenApply(Optional::of);
    }

    /** What is copied between them. */
    ReplicationManager copying() {
        return copying;
    }

    /** Where an executor serves its blocks; empty when nobody can reach it. */
    private String blocks(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? "" : link.blocks;
    }

    /** Who reads what an executor serves, if anybody can. */
    Optional<BlockServerAddress> holder(ExecutorId executor) {
        return Optional.ofNullable(links.get(executor))
                .filter(link -> !link.blocks.isEmpty())
                .map(link -> new BlockServerAddress(executor, link.host, link.blocks));
    }

    /** Where an executor runs; empty when that is not known any more. */
    String host(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? "" : link.host;
    }

    /** Stops them all; from here on nothing is wanted and no loss matters. */
    void close(String reason) {
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
        } catch (Throwable failure) { // an Error too: a manager is a bundle, and others wait for what follows
            LOG.error("{}", what, failure);
            return false;
        }
    }
}
