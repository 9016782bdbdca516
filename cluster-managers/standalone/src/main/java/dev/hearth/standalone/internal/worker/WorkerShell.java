package dev.hearth.standalone.internal.worker;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.error.ErrorCategory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.standalone.internal.client.MasterSearch;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndTaken;
import dev.hearth.standalone.internal.protocol.MasterProtocol.MasterDeposed;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import dev.hearth.standalone.internal.protocol.WorkerProtocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.EndSupervision;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaseRenewed;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.OutputRead;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.PermitRestart;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.ReadOutput;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.RegisterAgain;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the state machine {@link Worker} to its endpoint, child processes and master, and performs its effects.
 * Owned by its event loop.
 */
public final class WorkerShell {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Worker");
    private static final Duration REGISTER_TIMEOUT = Duration.ofSeconds(30);
    /** Time for which a worker searches the leader among several masters before it pauses. */
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(10);

    /** Time after which another attempt to connect to a single master begins. */
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration REPORT_PAUSE = Duration.ofSeconds(1);

    private final WorkerSpec spec;
    private final EventLoop loop;
    private final RpcEnv rpc;
    private final ProcessLauncher processes;
    private final DriverFiles files;
    private final Map<String, DriverFiles.Fetch> fetches = new LinkedHashMap<>(); // of drivers that are to start
    private final Worker worker;
    private final ServedExecutors served;
    private final Performer performer = new Performer();
    private final WorkerProcesses children;
    private final CompletableFuture<Void> registered = new CompletableFuture<>();
    private final CompletableFuture<Void> allExited = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private boolean leaves; // since it was decommissioned
    private final WorkerRoster roster;
    private volatile WorkerFigures figures;
    private final Consumer<String> onUnreachable;
    private boolean watchesLease;
    private long attempts; // to connect
    private long connecting; // the present attempt; 0 if there is none
    private boolean unreachable; // no master answered the last attempt to connect
    private @Nullable Peer master;

    public WorkerShell(WorkerSpec spec, EventLoop loop, RpcEnv rpc, ProcessLauncher processes) {
        this(spec, loop, rpc, processes, Runnable::run, DriverFiles.NONE, ServedExecutors.NONE, why -> {});
    }

    /**
     * {@code starts} runs the starts of processes, each on a thread that may wait. {@code files} brings the uploaded files of
     * drivers. {@code served} takes over map outputs of executors. {@code onUnreachable} receives the reason when masters
     * become unreachable, once until one is reached.
     */
    public WorkerShell(
            WorkerSpec spec,
            EventLoop loop,
            RpcEnv rpc,
            ProcessLauncher processes,
            Executor starts,
            DriverFiles files,
            ServedExecutors served,
            Consumer<String> onUnreachable) {
        this.served = served;
        this.files = files;
        this.spec = spec;
        this.loop = loop;
        this.rpc = rpc;
        this.processes = processes;
        this.children = new WorkerProcesses(loop, starts, performer);
        this.onUnreachable = onUnreachable;
        this.worker = new Worker(spec);
        this.roster = new WorkerRoster(spec.pages().endedDrivers(), spec.pages().endedExecutors());
        this.figures = roster.figures(spec);
    }

    /** Numbers as of the last event. Any thread may call. */
    public WorkerFigures figures() {
        return figures;
    }

    /** State of a worker for display; {@code master} is the address of its master, empty if it has none. Immutable. */
    record View(WorkerSpec spec, String scheme, String master, String state, WorkerRoster.Listing listing) {}

    /** State of this worker at present. Any thread may call. */
    CompletionStage<View> view() {
        return CompletableFuture.supplyAsync(
                () -> new View(
                        spec,
                        spec.pages().scheme(),
                        master == null ? "" : master.remote().toString(),
                        worker.isLeaving() ? "DECOMMISSIONED" : worker.state().name(),
                        roster.listing()),
                loop);
    }

    /** Part of an output of a process that this worker has started; empty if it has no files of it. Any thread may call. */
    CompletionStage<Optional<OutputBytes.Part>> output(
            LogSource source, OutputName output, OptionalLong offset, int length) {
        Path directory = worker.directory(source); // depends on what never changes
        return new OutputBytes(range -> processes.readOutput(directory, range), output, offset, length).part();
    }

    /** Starts the worker. The result completes when a master has registered the worker for the first time. */
    public CompletionStage<Void> start() {
        rpc.register(WorkerProtocol.ENDPOINT, WorkerProtocol.PROTOCOL, loop, receiver());
        loop.execute(() -> {
            worker.start();
            perform();
            if (spec.cleanup().isEnabled()) {
                cleanUp();
            }
        });
        return registered;
    }

    /**
     * Removes old work directories of drivers and executors, and the oldest of too many bytes, now and after each interval.
     * Keeps a directory if one of its processes still runs.
     */
    private void cleanUp() {
        processes
                .removeEnded(
                        spec.directory(), spec.cleanup().retained(loop.ticker().wall()))
                .whenComplete((removed, failure) -> loop.inOrder(() -> {
                    if (failure != null) {
                        LOG.warn("work directory: not cleaned up: {}", Failures.describe(failure));
                    } else if (!removed.isEmpty()) {
                        LOG.info("work directory {}: removed {}, which have ended", spec.directory(), removed);
                    }
                    loop.schedule(spec.cleanup().interval(), this::cleanUp);
                }));
    }

    /** Stops all children; completes when the last one has exited. */
    public CompletionStage<Void> stop() {
        loop.execute(() -> {
            worker.stop();
            perform();
            completeWhenAllExited();
        });
        return allExited;
    }

    /**
     * Begins to leave the cluster. The result completes when nothing is left here that must end first, or after the time
     * that the settings allow; {@link #stop} then does the rest. Any thread may call.
     */
    public CompletionStage<Void> decommission(String reason) {
        loop.execute(() -> {
            worker.leave(reason, now());
            perform();
        });
        return left;
    }

    /** Completes when this worker has been decommissioned, by {@link #decommission} or by its master. */
    public CompletionStage<Void> left() {
        return left;
    }

    private void watchDeparture() {
        if (worker.isLeaving() && !leaves) {
            leaves = true;
            LOG.info(
                    "worker {} is decommissioned; it ends when what runs here has ended: {}",
                    spec.id(),
                    children.names());
            spec.departureTimeout()
                    .ifPresent(time -> loop.schedule(time, () -> {
                        LOG.warn(
                                "worker {}: what runs after {} s, the time of hearth.worker.decommission.timeout, is ended: {}",
                                spec.id(),
                                time.toSeconds(),
                                children.names());
                        left.complete(null);
                    }));
        }
        if (worker.hasLeft()) {
            left.complete(null);
        }
    }

    /** Returns the number of running child processes. Call it on the event loop. */
    public int children() {
        return worker.children();
    }

    private Receiver receiver() {
        return Receiver.of(WorkerProtocol.ENDPOINT)
                .on(LaunchDriver.class, (order, peer) -> obeyOrder(peer, () -> launch(order)))
                .on(EndSupervision.class, (order, peer) -> obeyOrder(peer, () -> worker.endSupervision(order)))
                .on(PermitRestart.class, (order, peer) -> obeyOrder(peer, () -> worker.permit(order, now())))
                .on(LeaseRenewed.class, (message, peer) -> obey(peer, () -> worker.renewed(message.sentNanos())))
                .on(StopDriver.class, (order, peer) -> obeyOrder(peer, () -> worker.stop(order)))
                .on(LaunchExecutor.class, (order, peer) -> obeyOrder(peer, () -> launch(order)))
                .on(
                        LaunchExecutors.class,
                        (batch, peer) -> obeyOrder(peer, () -> batch.orders().forEach(this::launch)))
                .on(StopExecutor.class, (order, peer) -> obeyOrder(peer, () -> worker.stop(order)))
                .on(LeaveCluster.class, (order, peer) -> obeyOrder(peer, () -> worker.leave(order, now())))
                .on(RegisterAgain.class, (message, peer) -> obey(peer, () -> registerAgain(peer, message.reason())))
                .answerLater(ReadOutput.class, this::read)
                .onPeerLost((peer, reason) -> {
                    if (peer == master) {
                        LOG.warn(
                                "master {} is lost: {}; {} drivers and executors go on",
                                peer.remote(),
                                reason,
                                worker.children());
                        disconnected();
                    }
                })
                .build();
    }

    private void launch(LaunchExecutor order) {
        try {
            worker.launch(served.checked(order));
            roster.ordered(order);
        } catch (HearthException refused) {
            worker.refuse(order, Failures.describe(refused));
        }
    }

    /** Reads part of an output for the master. Whether the process runs is decided before, so that nothing is missed. */
    private CompletionStage<OutputRead> read(ReadOutput question, Peer peer) {
        if (peer != master) {
            return CompletableFuture.failedStage(ErrorCode.BAD_ARGUMENT.failure(
                    "worker " + spec.id() + ": asked for a log by " + peer.remote() + " (expected: by its master)"));
        }
        boolean hasEnded = !worker.isRunning(question.source());
        return processes
                .readOutput(worker.directory(question.source()), question.range())
                .thenApply(chunk -> new OutputRead(chunk.map(found -> new LogChunk(found, hasEnded, spec.id()))));
    }

    private void obeyOrder(Peer peer, Runnable order) {
        obey(peer, () -> {
            worker.ordered();
            order.run();
        });
    }

    private void registerAgain(Peer peer, String reason) {
        LOG.warn("master {} wants this worker to register again: {}", peer.remote(), reason);
        peer.close(); // reports the peer as lost, which connects again
    }

    private void launch(LaunchDriver order) {
        worker.launch(order, now());
        roster.ordered(order);
    }

    private void obey(Peer peer, Runnable order) {
        if (peer == master) {
            order.run();
            perform();
        }
    }

    /** Performs the effects one by one. An effect that fails is logged and does not affect the other effects. */
    private void perform() {
        for (WorkerEffect effect : worker.effects()) {
            try {
                effect.perform(performer);
            } catch (RuntimeException failure) {
                LOG.error("worker {}: {}", spec.id(), effect, failure);
            }
        }
        roster.refresh(worker::isRunning);
        figures = roster.figures(spec);
        watchDeparture();
    }

    /** Logs the first of several failed attempts to connect, so that a master that is away for long fills no log. */
    private void unreachable(String address, Throwable failure) {
        String why = Failures.describe(failure);
        String text = "master " + address + ": not reachable: "
                + (why.startsWith(address + ": ") ? why.substring(address.length() + 2) : why)
                + "; the worker keeps trying";
        if (unreachable) {
            LOG.debug(text);
        } else {
            unreachable = true;
            LOG.warn(text);
            onUnreachable.accept(text);
        }
    }

    /** Checks the lease whenever it may have expired, also without a master. */
    private void watchLease() {
        Duration next = worker.expire(now());
        perform();
        loop.schedule(next, this::watchLease);
    }

    private long now() {
        return loop.ticker().nanos();
    }

    private void connected(MasterSearch.Found found, long searchedNanos) {
        unreachable = false;
        Peer peer = found.peer();
        master = peer;
        long askedNanos = found.isAlone() ? searchedNanos : now();
        RegisterWorker message = worker.registration();
        peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL)
                .ask(message, WorkerRegistered.class, REGISTER_TIMEOUT)
                .whenComplete((answer, failure) ->
                        loop.inOrder(() -> answered(peer, found.isAlone(), askedNanos, answer, failure)));
    }

    private void answered(
            Peer peer,
            boolean isAlone,
            long askedNanos,
            @Nullable WorkerRegistered answer,
            @Nullable Throwable failure) {
        if (peer != master || worker.state() != Worker.State.CONNECTING) {
            return; // nothing to do: the connection was lost or the worker was stopped, and both are handled elsewhere
        }
        if (answer == null || !answer.refusal().isEmpty() || worker.hasServedLater(answer.term())) {
            refused(peer, answer, failure);
            return;
        }
        LOG.info("worker {} is registered with master {}", spec.id(), peer.remote());
        Duration lease = Duration.ofMillis(answer.leaseMillis());
        if (answer.uncertain() && !isAlone) {
            worker.registeredInDoubt(answer.term(), lease, askedNanos, now());
        } else {
            worker.registered(answer.term(), lease, askedNanos, now());
        }
        perform();
        if (answer.leaseMillis() > 0 && !watchesLease) {
            watchesLease = true;
            watchLease();
        }
        heartbeatEvery(Duration.ofMillis(answer.heartbeatMillis()), peer);
        registered.complete(null);
    }

    private void refused(Peer peer, @Nullable WorkerRegistered answer, @Nullable Throwable failure) {
        if (answer != null && answer.refusal().isEmpty()) {
            LOG.warn(
                    "master {} leads no more: its term is {}, after {}", peer.remote(), answer.term(), worker.served());
            peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL).send(new MasterDeposed(worker.served()));
        } else {
            String why = answer == null ? Failures.describe(Objects.requireNonNull(failure)) : answer.refusal();
            LOG.warn("master {} refused this worker: {}", peer.remote(), why);
        }
        peer.close();
        disconnected(); // now, as a connection that has ended before is not reported as lost again
    }

    private void disconnected() {
        master = null;
        worker.masterLost();
        perform();
    }

    private void heartbeatEvery(Duration interval, Peer peer) {
        if (peer == master) {
            peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL).send(worker.heartbeat(now()));
            loop.schedule(interval, () -> heartbeatEvery(interval, peer));
        }
    }

    private void exited(String child, ChildExit end) {
        roster.exited(child, end);
        worker.childEnded(child, end, now());
    }

    private void completeWhenAllExited() {
        if (worker.state() == Worker.State.STOPPED && children.isEmpty() && fetches.isEmpty()) {
            allExited.complete(null);
        }
    }

    /** Connects to the one master, or to the one of several that leads. */
    private CompletionStage<MasterSearch.Found> reach(RpcAddress next) {
        return spec.masters().size() == 1
                ? rpc.connect(next).thenApply(peer -> new MasterSearch.Found(next, peer))
                : MasterSearch.until(rpc, loop, spec.masters(), SEARCH_TIMEOUT);
    }

    private final class Performer implements WorkerEffect.Handler, WorkerProcesses.Ends {
        @Override
        public void onStart(WorkerEffect.Start effect) {
            String name = effect.child();
            ChildSpec child = limited(name, effect.spec());
            Optional<LaunchExecutor> executor = worker.executor(name);
            children.start(
                    name,
                    child,
                    () -> processes.start(executor.map(order -> served.prepared(child, order, spec.children()))
                            .orElse(child)));
        }

        @Override
        public void ended(String name, ChildExit end, boolean ordered) {
            if (ordered) {
                LOG.info("{} has ended as ordered", name);
            } else {
                LOG.info("{} has ended: {}", name, end.describe());
            }
            exited(name, end);
            WorkerShell.this.perform();
            completeWhenAllExited();
        }

        /** Tells the worker, which reports the failure to the master; that decides how to proceed. */
        @Override
        public void notStarted(String name, Throwable failure) {
            DiskShortage.report(spec.id(), failure).ifPresent(full -> onSend(new WorkerEffect.Send(full)));
            exited(name, ChildExit.notStarted(failure));
            WorkerShell.this.perform();
            completeWhenAllExited();
        }

        /** The child with as many processors as it has cores, if the settings of this worker say so. */
        private ChildSpec limited(String name, ChildSpec child) {
            return spec.limitsProcessors()
                    ? roster.cores(name)
                            .map(cores -> child.withOption("-XX:ActiveProcessorCount=" + cores))
                            .orElse(child)
                    : child;
        }

        @Override
        public void onStop(WorkerEffect.Stop effect) {
            children.stop(effect.child());
        }

        @Override
        public void onFetch(WorkerEffect.Fetch effect) {
            String name = effect.child();
            DriverFiles.Fetch fetch = files.fetch(effect.request());
            fetches.put(name, fetch);
            fetch.done()
                    .whenComplete((places, failure) -> loop.execute(() -> {
                        fetches.remove(name);
                        if (failure == null) {
                            worker.fetched(name, places, now());
                        } else {
                            LOG.warn("{} is not started: {}", name, Failures.describe(failure));
                            ChildExit end = ChildExit.notStarted(failure);
                            roster.exited(name, end);
                            worker.fetchFailed(
                                    name, end, Failures.code(failure).category() == ErrorCategory.EXTERNAL, now());
                        }
                        perform();
                        completeWhenAllExited();
                    }));
        }

        @Override
        public void onCancelFetch(WorkerEffect.CancelFetch effect) {
            DriverFiles.Fetch fetch = fetches.get(effect.child());
            if (fetch != null) {
                fetch.cancel();
            }
        }

        @Override
        public void onRemoveFiles(WorkerEffect.RemoveFiles effect) {
            files.remove(effect.request());
        }

        @Override
        public void onWake(WorkerEffect.Wake effect) {
            loop.schedule(effect.after(), () -> {
                worker.restart(effect.child(), effect.attempt(), now());
                perform();
            });
        }

        @Override
        public void onDisconnect(WorkerEffect.Disconnect effect) {
            if (master != null) {
                LOG.warn("master {} is given up: {}", master.remote(), effect.reason());
                master.close(); // reports the peer as lost, which connects again
            }
        }

        @Override
        public void onSend(WorkerEffect.Send effect) {
            if (master != null) {
                master.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL)
                        .send(effect.message());
            }
        }

        @Override
        public void onReport(WorkerEffect.Report effect) {
            Peer peer = master;
            if (peer == null) {
                return; // the next registration repeats it
            }
            peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL)
                    .ask(effect.message(), EndTaken.class, REPORT_TIMEOUT)
                    .whenComplete((taken, failure) -> loop.inOrder(() -> {
                        if (failure == null) {
                            worker.taken(effect.child());
                            WorkerShell.this.perform();
                        } else if (peer == master) {
                            LOG.warn("{}: its end is not taken yet: {}", effect.child(), Failures.describe(failure));
                            loop.schedule(REPORT_PAUSE, () -> repeat(peer, effect.child()));
                        }
                    }));
        }

        private void repeat(Peer peer, String child) {
            if (peer == master) {
                worker.repeat(child);
                WorkerShell.this.perform();
            }
        }

        @Override
        public void onConnect(WorkerEffect.Connect effect) {
            loop.schedule(effect.after(), () -> connect(effect.master()));
        }

        private void connect(RpcAddress next) {
            long begunNanos = now();
            long attempt = ++attempts;
            connecting = attempt;
            loop.schedule(spec.masters().size() == 1 ? CONNECT_PATIENCE : SEARCH_TIMEOUT.multipliedBy(2), () -> {
                if (connecting == attempt) { // packets may be dropped, and another attempt may succeed at once
                    connecting = 0;
                    worker.connectFailed();
                    WorkerShell.this.perform();
                }
            });
            reach(next)
                    .whenComplete((found, failure) -> loop.inOrder(() -> {
                        boolean isPresent = connecting == attempt;
                        connecting = isPresent ? 0 : connecting;
                        if (failure == null && isPresent && worker.state() == Worker.State.CONNECTING) {
                            worker.found(found.address());
                            connected(found, begunNanos);
                        } else if (failure == null) {
                            found.peer().close();
                        } else if (isPresent) {
                            unreachable(next.toString(), failure);
                            worker.connectFailed();
                            WorkerShell.this.perform();
                        }
                    }));
        }
    }
}
