package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.dag.DagScheduler;
import dev.hearth.engine.internal.dag.DagSettings;
import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.dataset.Results;
import dev.hearth.engine.internal.executor.BroadcastValues;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.executor.ReaperSettings;
import dev.hearth.engine.internal.executor.TaskClocks;
import dev.hearth.engine.internal.executor.TaskServices;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.scheduler.PoolFile;
import dev.hearth.engine.internal.scheduler.PoolTree;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.scheduler.SchedulingMode;
import dev.hearth.engine.internal.scheduler.TaskScheduler;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.task.TaskEnd;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.PoolView;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around one application's scheduler and executor registry: feeds them from messages, timers and calls, and
 * performs their effects. Owned by its loop, which is the only one to touch its fields but the volatile ones.
 * <p>OPENING until the cluster has answered, OPEN while jobs run, then CLOSED, with the reason every later job fails for.
 */
public final class Driver implements ExecutorListener, DriverServices {
    private static final Logger LOG = LoggerFactory.getLogger(Driver.class);

    private static final int ANSWERING_THREADS_MAX = 8;
    private static final String LOCAL_HOST = "localhost";
    /** How long a lost connection may wait for its manager's word on what became of the executor. */
    private static final Duration LOSS_REPORT_WAIT = Duration.ofSeconds(5);
    /** How long a cluster may take to hear that an application has ended. */
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(10);

    private final DriverSetup setup;
    private final EngineSettings settings;
    private final EventLoop loop;
    private final UserObjects objects;
    private final ApplicationThreads threads;
    private final ApplicationThreads merging;
    private final SharedValues shared = new SharedValues();
    private final DataPlane data;
    private final Attaching attaching;
    private final DatasetKeeper keeper;
    private final Cleaner cleaner;
    private final Scheduling scheduling;
    private final Cancellations cancellations;
    private final Counting counting;
    private final Monitoring monitoring;
    private final ExecutorRegistry registry;
    private final Starvation starvation;
    private final InProcessExecutors inProcess;
    private final RemoteStages remoteStages;
    private final DriverPort port;
    private final AtomicInteger jobsMade = new AtomicInteger();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Map<ExecutorId, Link> links = new LinkedHashMap<>();
    private final Map<Integer, CompletableFuture<Void>> jobs = new ConcurrentHashMap<>(); // those that have not ended
    private @Nullable SchedulerBackend backend;
    private Set<String> excludedHosts = Set.of(); // where no executors are wanted; as given, never gone through
    private final Map<ExecutorId, String> lostHosts = new LinkedHashMap<>(); // of connections that are gone
    private volatile @Nullable HearthException closed; // written by the loop alone
    private volatile @Nullable ApplicationId application;
    private volatile int cores;

    /** An executor that can be sent to. One in this process leaves what it wrote behind when it goes. */
    private record Link(ExecutorLink orders, String host, String blocks, boolean inProcess) {}

    public Driver(DriverSetup setup) {
        this.setup = setup;
        this.settings = EngineSettings.from(setup.settings());
        this.loop = setup.loop();
        this.objects = new UserObjects(setup.code().classes());
        this.threads = new ApplicationThreads("hearth-answers", setup.code().classes(), ANSWERING_THREADS_MAX);
        this.merging = new ApplicationThreads("hearth-merging", setup.code().classes(), 1);
        this.monitoring = new Monitoring(setup, shared);
        DagSettings dag = DagSettings.from(setup.settings());
        SchedulerSettings scheduling = SchedulerSettings.from(setup.settings());
        Coordination coordination = new Coordination(loop, shared, dag.barrierTimeout());
        this.scheduling = new Scheduling(
                loop,
                new TaskScheduler(scheduling, pools(scheduling)),
                new DagScheduler(dag),
                coordination,
                new Outgoing(this));
        this.remoteStages = new RemoteStages(objects);
        this.registry = new ExecutorRegistry(settings.heartbeatTimeout(), settings.executorsMax());
        this.starvation = new Starvation(loop, setup.name(), this.scheduling, registry);
        this.port = new DriverPort(
                setup,
                settings,
                remoteStages,
                new RemoteQuestions(coordination, objects, threads),
                new Arriving(this, registry, loop.ticker()));
        this.cancellations = new Cancellations(loop, this.scheduling);
        this.counting = new Counting(shared, objects, loop, merging);
        this.data = new DataPlane(objects, setup.settings(), setup.memory(), loop.ticker(), true);
        this.attaching = new Attaching(setup);
        CleanerSettings cleaning = CleanerSettings.from(setup.settings());
        this.keeper = new DatasetKeeper(
                cleaning, shared, data, threads, this::application, this::forgetShuffle, this::dropKept);
        monitoring.monitor().storage(keeper::view);
        this.cleaner = new Cleaner(loop, cleaning.collectionInterval(), threads, shared, System::gc);
        TaskServices services = new TaskServices(
                objects,
                true,
                coordination,
                new BroadcastValues(objects),
                data,
                attaching.files(),
                TaskClocks.system(),
                ReaperSettings.from(setup.settings()),
                TaskServices.Fatality.SURVIVE);
        this.inProcess = new InProcessExecutors(loop, setup.code(), setup.cores(), services, this);
    }

    /** Opens the backend and wants executors; completes when the cluster has taken the application. */
    public CompletionStage<Void> open() {
        loop.execute(() -> {
            if (closed != null) {
                settleOpening(null, closed);
                return;
            }
            try {
                ApplicationSpec spec = new ApplicationSpec(setup.name(), setup.settings());
                setup.manager()
                        .open(spec, setup.master(), this)
                        .whenComplete((held, failure) -> loop.inOrder(new Opening(this, held, failure)));
            } catch (Throwable failure) { // a manager is a bundle: it may lack a class as well as throw
                settleOpening(null, failure);
            }
            starvation.watch();
            cleaner.start();
        });
        return opened;
    }

    /** Runs one job; completes when {@code results} has them all. Any thread may call. */
    CompletableFuture<Void> run(JobSpec job, Results<?> results) {
        shared.dropUnused();
        remoteStages.add(job.plan());
        CompletableFuture<Void> done = new CompletableFuture<>();
        jobs.put(
                job.id(),
                done); // before the question whether this is closed: whoever closes it answers all that are here
        loop.execute(() -> {
            if (closed == null) {
                scheduling.submit(job, results, done);
            }
        });
        HearthException why = closed;
        if (why != null) {
            done.completeExceptionally(why);
        }
        CompletionStage<Void> ending = done.whenComplete((nothing, failure) -> {
            jobs.remove(job.id());
            remoteStages.remove(job.plan());
        });
        return ending.toCompletableFuture();
    }

    /** A number that no other job of this application has. */
    int nextJob() {
        return jobsMade.getAndIncrement();
    }

    Cancellations cancellations() {
        return cancellations;
    }

    CompletionStage<Boolean> killTask(long task, boolean interrupt, String reason) {
        CompletableFuture<Boolean> killed = new CompletableFuture<>();
        loop.execute(new EventLoop.Droppable() {
            @Override
            public void run() {
                killed.complete(closed == null && scheduling.killTask(task, interrupt, reason));
            }

            @Override
            public void dropped() {
                killed.complete(false);
            }
        });
        return killed;
    }

    /** Lets what a shuffle wrote go, once no job uses it any more. */
    void forgetShuffle(int shuffleId) {
        loop.execute(() -> {
            scheduling.forgetShuffle(shuffleId, data::removeShuffle);
            toAll(link -> link.dropShuffle(shuffleId));
        });
    }

    /** Has executors in other processes let a kept dataset go. */
    private void dropKept(int dataset) {
        loop.execute(() -> toAll(link -> link.dropKept(dataset)));
    }

    private void toAll(Consumer<ExecutorLink> order) {
        List.copyOf(links.keySet()).forEach(each -> send(each, order));
    }

    DataPlane data() {
        return data;
    }

    Attaching attaching() {
        return attaching;
    }

    DatasetKeeper keeper() {
        return keeper;
    }

    UserObjects objects() {
        return objects;
    }

    SharedValues shared() {
        return shared;
    }

    ApplicationThreads threads() {
        return threads;
    }

    Monitoring monitoring() {
        return monitoring;
    }

    Counting counting() {
        return counting;
    }

    private static PoolTree pools(SchedulerSettings scheduling) {
        return scheduling.mode() == SchedulingMode.FIFO
                ? PoolTree.fifo()
                : PoolTree.fair(
                        scheduling.poolFile().map(Path::of).map(PoolFile::read).orElseGet(List::of));
    }

    /** Ends everything: jobs fail, executors stop, the cluster is told. Completes when it was; further calls join the first. */
    public CompletionStage<Void> close(ApplicationResult result) {
        loop.execute(
                () -> closeNow(ErrorCode.CONTEXT_CLOSED.failure("context of " + setup.name() + ": closed"), result));
        return ended;
    }

    /** Which driver of this process this is. */
    int number() {
        return setup.number();
    }

    String name() {
        return setup.name();
    }

    /** Whether executors may be in other processes. */
    boolean hasPort() {
        return remoteStages.messageBytesMax() != MessageBounds.NONE;
    }

    /** How tasks share executors, as of the last change. */
    List<PoolView> pools() {
        return scheduling.pools();
    }

    Optional<ApplicationId> application() {
        return Optional.ofNullable(application);
    }

    /** Known cores, or what was set; at least two, so that a default cut never makes one partition. */
    int defaultParallelism() {
        return settings.parallelism().orElse(Math.max(2, cores));
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public ExecutorListener listener() {
        return this;
    }

    @Override
    public ExecutorHost executorHost() {
        return inProcess;
    }

    /** Whether it has opened a port; on the loop. */
    boolean listens() {
        return port.isOpen();
    }

    @Override
    public RpcEnv rpc() {
        loop.requireInLoop();
        if (!port.isOpen()) {
            port.open();
            expireSilent();
        }
        return port.env();
    }

    @Override
    public EndpointUri driverEndpoint() {
        rpc();
        return port.uri();
    }

    @Override
    public Settings executorSettings() {
        rpc();
        return port.executorSettings();
    }

    @Override
    public void started(ExecutorId executor, String host, int executorCores) {
        loop.requireInLoop();
        registry.begin(executor, loop.ticker().nanos());
        LOG.info("executor {} is starting on {} with {} cores", executor, host, executorCores);
    }

    @Override
    public void lost(ExecutorId executor, LostExecutor why) {
        loop.requireInLoop();
        boolean was = registry.lose(executor);
        Link link = links.remove(executor);
        if (why.cause() == LostExecutor.Cause.RELEASED) {
            LOG.info("executor {} is gone: {}", executor, why);
        } else {
            LOG.warn("executor {} is gone: {}", executor, why);
        }
        if (was && closed == null) {
            String host = link == null ? lostHosts.getOrDefault(executor, "") : link.host;
            monitoring.tell(at -> new ApplicationEvent.ExecutorRemoved(at, executor.value(), why.toString()));
            scheduling.executorLost(executor, host, why, link != null && link.inProcess);
            keeper.datasets().executorLost(executor.value());
            cores = scheduling.cores();
            toAll(other -> other.gone(executor));
        }
        lostHosts.remove(executor);
    }

    @Override
    public void clusterLost(HearthException why) {
        loop.requireInLoop();
        LOG.warn("application {}: {}", setup.name(), why.getMessage());
        closeNow(why, ApplicationResult.FAILED);
    }

    void admitInProcess(ExecutorId executor, int executorCores, ExecutorLink link) {
        String refusal = admit(executor, executorCores, ExecutorRegistry.NO_PEER, new Link(link, LOCAL_HOST, "", true));
        if (!refusal.isEmpty()) {
            LOG.warn("executor {} in this process refused: {}", executor, refusal);
            link.stop(refusal);
        } else {
            keeper.datasets().executor(executor.value());
        }
    }

    void taskEnds(ExecutorId executor, long peer, List<TaskEnd> ends) {
        if (closed == null && registry.heard(executor, peer, loop.ticker().nanos())) {
            scheduling.updated(executor, ends);
        }
    }

    /** The cluster has answered, or will not: from here on there is a backend, or a reason why there is none. */
    void settleOpening(@Nullable SchedulerBackend held, @Nullable Throwable failure) {
        if (held == null) {
            Throwable why = failure == null ? new IllegalStateException("no backend") : Failures.unwrap(failure);
            HearthException reason = Failures.asHearth(why, ErrorCode.CLUSTER_UNREACHABLE, "master " + setup.master());
            opened.completeExceptionally(reason);
            closeNow(reason, ApplicationResult.FAILED);
        } else if (closed != null) { // closed while the cluster was still answering
            attempt("closing the backend", () -> held.close(ApplicationResult.FAILED));
        } else {
            backend = held;
            try {
                ApplicationId id = held.application();
                application = id;
                LOG.info("application {} ({}) is open on {}", id, setup.name(), setup.master());
                monitoring.opened(id, this);
            } catch (Throwable refused) { // a listener that was asked for and cannot be had, or a backend without an id
                closeNow(
                        Failures.asHearth(refused, ErrorCode.CLUSTER_UNREACHABLE, "master " + setup.master()),
                        ApplicationResult.FAILED);
                return;
            }
            want(held);
            opened.complete(null);
        }
    }

    private void want(SchedulerBackend held) {
        attempt("wanting executors", () -> held.want(Map.of(ProfileId.DEFAULT, settings.demand()), excludedHosts));
    }

    Registration register(Register message, Peer peer) {
        String refusal = closed != null
                ? "the application has ended"
                : admit(
                        message.executor(),
                        message.cores(),
                        peer.id(),
                        new Link(
                                new RemoteLink(peer, remoteStages, this::blocks),
                                message.host(),
                                message.blocks(),
                                false));
        if (!refusal.isEmpty()) {
            LOG.warn("executor {} on {} refused: {}", message.executor(), message.host(), refusal);
            return new Registration(refusal, "", List.of(), Map.of(), 0);
        }
        return new Registration(
                "",
                application().map(ApplicationId::value).orElse(setup.name()),
                setup.code().jars().stream().map(Path::toString).toList(),
                setup.settings().values(),
                settings.heartbeatInterval().toMillis());
    }

    /** Lets an executor in; returns why not, or an empty text. */
    private String admit(ExecutorId executor, int executorCores, long peer, Link link) {
        return switch (registry.register(executor, peer, loop.ticker().nanos())) {
            case ADMITTED -> {
                links.put(executor, link);
                monitoring.tell(at ->
                        new ApplicationEvent.ExecutorAdded(at, executor.value(), link.host, executorCores, Map.of()));
                scheduling.executorUp(executor, link.host, executorCores);
                cores = scheduling.cores();
                LOG.info(
                        "executor {} on {} is up with {} cores, after {} ms",
                        executor,
                        link.host,
                        executorCores,
                        registry.tookToCome(executor, loop.ticker().nanos()).toMillis());
                yield "";
            }
            case KNOWN -> "";
            case DUPLICATE -> "id " + executor + " is taken (expected: one executor per id)";
            case GONE -> "id " + executor + " was given up before (expected: a new id)";
            case FULL -> "there are " + settings.executorsMax() + " executors (expected: up to hearth.executor.max)";
        };
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
                giveUp(executor, "connection lost: " + reason);
            }
        });
    }

    private void giveUp(ExecutorId executor, String reason) {
        lost(executor, LostExecutor.because(reason));
        if (backend != null) {
            SchedulerBackend held = backend;
            attempt("releasing executor " + executor, () -> held.release(Set.of(executor), reason));
            want(held); // as many as before: this one is to be replaced
        }
    }

    private void expireSilent() {
        if (closed == null) {
            loop.schedule(settings.heartbeatTimeout().dividedBy(4), this::expireSilent);
            registry.silent(loop.ticker().nanos())
                    .forEach(executor -> giveUp(executor, "silent for more than " + settings.heartbeatTimeout()));
        }
    }

    /** Each step by itself: whatever one of them throws, the others follow and {@code ended} completes. */
    private void closeNow(HearthException why, ApplicationResult result) {
        if (closed != null) {
            return;
        }
        closed = why;
        opened.completeExceptionally(why);
        cleaner.stop();
        starvation.stop();
        attempt("ending jobs", () -> scheduling.close(why));
        jobs.values().forEach(job -> job.completeExceptionally(why));
        links.forEach((executor, link) ->
                attempt("stopping executor " + executor, () -> link.orders.stop(String.valueOf(why.getMessage()))));
        links.keySet()
                .forEach(executor -> monitoring.tell(at ->
                        new ApplicationEvent.ExecutorRemoved(at, executor.value(), String.valueOf(why.getMessage()))));
        links.clear();
        CompletableFuture<Void> told = new CompletableFuture<>();
        SchedulerBackend held = backend;
        if (held == null) {
            told.complete(null);
        } else if (!attempt(
                "closing the backend",
                () -> held.close(result).whenComplete((nothing, failure) -> told.complete(null)))) {
            told.complete(null);
        }
        loop.schedule(CLOSE_BOUND, () -> told.complete(null));
        CompletionStage<Void> answered = told;
        answered.whenComplete((nothing, failure) -> loop.inOrder(this::closePort));
    }

    private void closePort() {
        attempt("closing the port", port::close);
        threads.stop();
        merging.stop();
        attempt("freeing memory and files", data::close);
        attempt("removing attached files", attaching::close);
        shared.clear();
        attempt("telling listeners", monitoring::close);
        ended.complete(null);
    }

    /** Does one thing that may fail without harm to what follows; tells whether it went well. */
    private boolean attempt(String what, Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable failure) { // an Error too: others wait for what follows
            LOG.error("application {}: {}", setup.name(), what, failure);
            return false;
        }
    }

    /** Sends to an executor; one that cannot even be sent to is given up, so that its tasks run elsewhere. */
    void send(ExecutorId executor, Consumer<ExecutorLink> order) {
        Link link = links.get(executor);
        if (link != null && !attempt("sending to executor " + executor, () -> order.accept(link.orders))) {
            giveUpLater(executor, "it could not be sent to");
        }
    }

    private String blocks(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? "" : link.blocks;
    }

    /** Where an executor runs; empty when that is not known any more. */
    String host(ExecutorId executor) {
        Link link = links.get(executor);
        return link == null ? "" : link.host;
    }

    void exclude(Set<String> hosts) {
        excludedHosts = hosts;
        SchedulerBackend held = backend;
        if (held != null) {
            want(held);
        }
    }

    void giveUpLater(ExecutorId executor, String reason) {
        loop.execute(() -> giveUp(executor, reason));
    }

    /** Scheduling has failed by a mistake of ours. */
    void broken(Throwable failure) {
        LOG.error("application {}: scheduling", setup.name(), failure);
        String what = "scheduling of " + setup.name() + ": " + failure
                + " (expected: no failure, this is a mistake of the engine); report it with the log";
        closeNow(ErrorCode.INTERNAL.failure(what, failure), ApplicationResult.FAILED);
    }
}
