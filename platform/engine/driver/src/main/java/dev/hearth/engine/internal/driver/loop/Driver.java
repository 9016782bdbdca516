package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.dag.DagScheduler;
import dev.hearth.engine.internal.dag.DagSettings;
import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.dataset.ResultCollector;
import dev.hearth.engine.internal.driver.blocks.CleanerSettings;
import dev.hearth.engine.internal.driver.blocks.ContextCleaner;
import dev.hearth.engine.internal.driver.blocks.PersistedDatasetManager;
import dev.hearth.engine.internal.driver.blocks.ReplicationManager;
import dev.hearth.engine.internal.driver.blocks.ReplicationSettings;
import dev.hearth.engine.internal.driver.executors.AskedDemand;
import dev.hearth.engine.internal.driver.executors.DriverSettings;
import dev.hearth.engine.internal.driver.executors.ExecutorDemand;
import dev.hearth.engine.internal.driver.executors.ExecutorFleet;
import dev.hearth.engine.internal.driver.executors.ExecutorRegistry;
import dev.hearth.engine.internal.driver.executors.InProcessExecutors;
import dev.hearth.engine.internal.driver.executors.OwnResources;
import dev.hearth.engine.internal.driver.executors.RequestedExecutors;
import dev.hearth.engine.internal.driver.executors.ShuffleServiceUse;
import dev.hearth.engine.internal.driver.racks.HostRacks;
import dev.hearth.engine.internal.driver.racks.RackSettings;
import dev.hearth.engine.internal.driver.serving.BroadcastServer;
import dev.hearth.engine.internal.driver.serving.DriverAttachments;
import dev.hearth.engine.internal.driver.serving.RemoteTaskCalls;
import dev.hearth.engine.internal.driver.serving.SerialisedStages;
import dev.hearth.engine.internal.driver.serving.ServedBundles;
import dev.hearth.engine.internal.driver.serving.ServedFiles;
import dev.hearth.engine.internal.driver.serving.ServedJars;
import dev.hearth.engine.internal.driver.serving.SharedVariables;
import dev.hearth.engine.internal.encryption.EncryptionSettings;
import dev.hearth.engine.internal.executor.ApplicationThreads;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.executor.Lazy;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.scheduler.TaskScheduler;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.Streams;
import dev.hearth.status.events.EventBus;
import dev.hearth.status.monitor.ApplicationMonitor;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver of one application: creates its components, opens and closes them, and connects them with the cluster
 * manager. Owned by its event loop, which alone uses its fields except the volatile ones.
 * <p>The driver is OPENING until the cluster manager has answered, OPEN while jobs can run, and then CLOSED. It keeps
 * the reason for closing, and every later job fails with that reason.
 */
public final class Driver implements DriverServices {
    private static final Logger LOG = LoggerFactory.getLogger(Driver.class);

    /** Maximum time that the cluster manager may take to confirm the end of the application. */
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(10);

    private final DriverSetup setup;
    private final Settings executorSettings; // includes the encryption key, if the application encrypts its files
    private final DriverSettings settings;
    private final ProfileRegistry profiles;
    private final RequestedExecutors requested;
    private final EventLoop loop;
    private final UserObjectSerializer objects;
    private final ApplicationThreads threads;
    private final ApplicationThreads merging;
    private final SharedVariables shared = new SharedVariables(this::dropBroadcast);
    private final ServedFiles served;
    private final DataPlane data;
    private final PersistedDatasetManager keeper;
    private final ContextCleaner cleaner;
    private final SchedulerShell scheduling;
    private final JobCanceller cancellations;
    private final ApplicationMonitor monitor;
    private final Monitoring monitoring;
    private final ExecutorFleet fleet;
    private final AskedDemand asked;
    private final StarvationMonitor starvation;
    private final ClusterReports reports;
    private final InProcessExecutors inProcess;
    private final SerialisedStages remoteStages;
    private final DriverPort port;
    private final ResultFetcher results;
    private final AtomicInteger jobIds = new AtomicInteger();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Map<Integer, CompletableFuture<Void>> jobs = new ConcurrentHashMap<>(); // jobs that have not ended
    private @Nullable SchedulerBackend backend;
    private volatile @Nullable HearthException closed; // written on the event loop alone
    private volatile @Nullable ApplicationId application;

    public Driver(DriverSetup setup) {
        this.setup = setup;
        this.executorSettings = EncryptionSettings.withNewKey(setup.settings());
        this.settings = DriverSettings.from(setup.settings());
        this.loop = setup.loop();
        ClassLoader classes = setup.code().classes();
        this.objects = new UserObjectSerializer(classes);
        this.threads = DriverThreads.answering(setup);
        HostRacks racks = new HostRacks(
                loop, threads, RackSettings.from(setup.settings()).resolver(setup.racks()), this::racksFound);
        this.merging = new ApplicationThreads("hearth-merging", classes, 1);
        this.data = new DataPlane(
                objects, executorSettings, setup.memory(), loop.ticker(), true, null, null, setup.stores());
        this.served = served();
        this.monitor = new ApplicationMonitor(setup.name(), setup.settings(), classes, loop.ticker());
        this.monitoring = new Monitoring(setup, shared, monitor);
        this.remoteStages = new SerialisedStages(objects);
        DagSettings dag = DagSettings.from(setup.settings());
        SchedulerSettings tasks = SchedulerSettings.from(setup.settings());
        CommitsAndBarriers coordination = new CommitsAndBarriers(loop, dag.barrierTimeout());
        TaskScheduler scheduler = new TaskScheduler(tasks, PoolFile.tree(tasks, setup.stores()), racks);
        this.profiles =
                new ProfileRegistry(setup.settings(), tasks.needs(), tasks.executorsFixed(), monitoring::profileAdded);
        DagScheduler stages = new DagScheduler(dag);
        this.requested = new RequestedExecutors(settings, profiles, new SchedulerWorkload(scheduler, stages));
        this.scheduling = new SchedulerShell(loop, scheduler, stages, profiles, coordination, callbacks());
        this.cancellations = new JobCanceller(loop, scheduling);
        ExecutorRegistry registry =
                new ExecutorRegistry(settings.heartbeatTimeout(), settings.startTimeout(), settings.executorsMax());
        this.asked = new AskedDemand(profiles::executors);
        monitor.asked(asked::asked);
        this.starvation = starvation(registry, scheduler, tasks.needs());
        CleanerSettings cleaning = CleanerSettings.from(setup.settings());
        this.keeper = keeper(cleaning);
        this.cleaner = new ContextCleaner(loop, cleaning.collectionInterval(), threads, shared, System::gc);
        monitor.storage(keeper::view);
        this.fleet = fleet(registry);
        this.reports = new ClusterReports(
                setup.name(),
                loop,
                fleet,
                racks,
                starvation,
                monitor.bus(),
                settings.unplaceableTimeout(),
                why -> closeNow(why, ApplicationResult.FAILED));
        this.results = new ResultFetcher(loop, this::streams, tasks.resultBytesMax(), resultOutlets(registry));
        this.port = port(registry, coordination);
        this.inProcess = inProcess(registry, coordination, tasks.needs());
    }

    private InProcessExecutors inProcess(ExecutorRegistry registry, CommitsAndBarriers coordination, TaskNeeds needs) {
        return new InProcessExecutors(
                loop,
                setup.code(),
                setup.cores(),
                DriverThreads.services(setup, objects, coordination, shared, data, served, needs),
                registry,
                fleet,
                results::tasksEnded,
                new OwnResources(
                        settings.profile().resources(),
                        needs,
                        threads,
                        why -> closeNow(why, ApplicationResult.FAILED)));
    }

    private SchedulerCallbacks callbacks() {
        return new SchedulerCallbacks(
                this::fleet,
                new AccumulatorMerger(shared, objects, loop, merging),
                monitor.bus(),
                monitoring,
                remoteStages,
                this::internalError);
    }

    private StarvationMonitor starvation(ExecutorRegistry registry, TaskScheduler scheduler, TaskNeeds needs) {
        return new StarvationMonitor(
                loop,
                settings.starvationTimeout(),
                scheduling::isStarving,
                hindrance -> LOG.warn(StarvationMonitor.warning(
                        setup.name(),
                        registry.live().size(),
                        scheduling.cores(),
                        asked.asked(),
                        scheduler.slots(TaskProfile.DEFAULT) > 0 ? "" : needs.describe(),
                        hindrance)));
    }

    private PersistedDatasetManager keeper(CleanerSettings cleaning) {
        return new PersistedDatasetManager(
                cleaning,
                shared,
                data,
                threads,
                this::application,
                this::forgetShuffle,
                this::dropCached,
                this::pinCached);
    }

    private ServedFiles served() {
        return new ServedFiles(
                new Lazy<>(this::broadcasts),
                new ServedJars(setup.code().jars(), threads),
                new ServedBundles(setup.code()),
                new DriverAttachments(setup.settings(), setup.code().classes(), setup.stores()));
    }

    private BroadcastServer broadcasts() {
        return new BroadcastServer(
                objects, data::files, settings.broadcastChunkBytes(), threads, id -> fleet().holder(id));
    }

    private ExecutorFleet fleet(ExecutorRegistry registry) {
        ReplicationSettings storage = ReplicationSettings.from(setup.settings());
        return new ExecutorFleet(
                loop,
                settings,
                scheduling,
                monitor.bus(),
                keeper.datasets(),
                registry,
                remoteStages,
                served.attaching()::latest,
                orders -> new ReplicationManager(loop, storage, keeper.datasets(), scheduling, orders),
                ShuffleServiceUse.from(setup.settings()),
                name -> port.scope(name),
                this::internalError);
    }

    private ResultFetchCallbacks resultOutlets(ExecutorRegistry registry) {
        return ResultFetchCallbacks.of(fleet, registry, scheduling, executorSettings, threads);
    }

    private DriverPort port(ExecutorRegistry registry, CommitsAndBarriers coordination) {
        return new DriverPort(
                setup,
                settings,
                remoteStages,
                served,
                new RemoteTaskCalls(coordination, shared, served),
                new ExecutorAdmission(
                        setup,
                        executorSettings,
                        profiles,
                        settings.heartbeatInterval(),
                        served,
                        this::application,
                        fleet),
                new ExecutorMessageHandler(registry, loop.ticker(), fleet, results, scheduling, keeper));
    }

    private Streams streams() {
        return port.streams();
    }

    /**
     * Opens the scheduler backend of the cluster and requests executors. Completes when the cluster has accepted the
     * application.
     */
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
                        .whenComplete((answer, failure) ->
                                loop.inOrder(new BackendOpened(setup.name(), this::settleOpening, answer, failure)));
            } catch (Throwable failure) { // catches Errors too: the cluster manager's bundle may lack a class
                settleOpening(null, failure);
            }
            starvation.watch();
            cleaner.start();
        });
        return opened;
    }

    /** Runs a job. The future completes once {@code results} has the results of all its partitions. Thread-safe. */
    public CompletableFuture<Void> run(JobSpec job, ResultCollector<?> results) {
        shared.dropUnused();
        remoteStages.add(job.plan());
        CompletableFuture<Void> done = new CompletableFuture<>();
        jobs.put(job.id(), done); // before the check below, because closing fails every job in the map
        loop.execute(() -> {
            if (closed == null) {
                fleet.jobSubmitted();
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

    /** Assigns the id of the next job: one higher at each call. */
    public int nextJob() {
        return jobIds.getAndIncrement();
    }

    public JobCanceller cancellations() {
        return cancellations;
    }

    public CompletionStage<Boolean> killTask(long task, boolean interrupt, String reason) {
        return LoopQuery.ask(
                loop,
                () -> CompletableFuture.completedStage(closed == null && scheduling.killTask(task, interrupt, reason)),
                false);
    }

    /** Removes the map outputs of a shuffle from the driver and from all executors. */
    public void forgetShuffle(int shuffleId) {
        loop.execute(() -> {
            scheduling.forgetShuffle(shuffleId, data::removeShuffle);
            fleet.dropShuffle(shuffleId);
        });
    }

    /** Removes a broadcast from executors in other processes. Does nothing if none of them has requested its value. */
    private void dropBroadcast(long id) {
        if (served.drop(id)) {
            loop.execute(() -> fleet.sendAll(link -> link.dropBroadcast(id)));
        }
    }

    /** Removes a dataset's cached blocks from executors in other processes, and stops their replication. */
    private void dropCached(int dataset) {
        loop.execute(() -> {
            fleet.sendAll(link -> link.dropCached(dataset));
            fleet.copying().forgetDataset(dataset);
        });
    }

    /** Forbids executors in other processes to evict the blocks of a local checkpoint, which cannot be recomputed. */
    private void pinCached(int dataset) {
        loop.execute(() -> fleet.sendAll(link -> link.pinCached(dataset)));
    }

    public DataPlane data() {
        return data;
    }

    public DriverAttachments attaching() {
        return served.attaching();
    }

    public PersistedDatasetManager keeper() {
        return keeper;
    }

    public UserObjectSerializer objects() {
        return objects;
    }

    public SharedVariables shared() {
        return shared;
    }

    public ApplicationThreads threads() {
        return threads;
    }

    ExecutorFleet fleet() {
        return fleet;
    }

    public Monitoring monitoring() {
        return monitoring;
    }

    public ApplicationMonitor monitor() {
        return monitor;
    }

    public EventBus events() {
        return monitor.bus();
    }

    SerialisedStages remoteStages() {
        return remoteStages;
    }

    /**
     * Fails all jobs, stops the executors and ends the application on the cluster. Completes when all of this is done;
     * a further call waits for the first one.
     */
    public CompletionStage<Void> close(ApplicationResult result) {
        loop.execute(() -> closeNow(
                ErrorCode.CONTEXT_CLOSED.failure("context of " + setup.name()
                        + ": closed (expected: open until its last job has ended); wait for its jobs first, or"
                        + " open another"),
                result));
        return ended;
    }

    /** Whether executors may run in other processes, so that the driver has opened a port for them. */
    public boolean hasPort() {
        return remoteStages.messageBytesMax() != MessageBounds.NONE;
    }

    /** Settings that become known when the application has started, as a program reads them. Thread-safe. */
    public Map<String, String> known() {
        return monitoring.known(application(), port.address());
    }

    public Optional<ApplicationId> application() {
        return Optional.ofNullable(application);
    }

    /**
     * The configured parallelism. Without that setting, it is the number of cores of all executors: at least 1, or 2 if
     * executors may run in other processes.
     */
    public int defaultParallelism() {
        return settings.parallelism().orElse(Math.max(hasPort() ? 2 : 1, fleet.cores()));
    }

    public ProfileRegistry profiles() {
        return profiles;
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public ExecutorListener listener() {
        return reports;
    }

    @Override
    public ExecutorHost executorHost() {
        return inProcess;
    }

    @Override
    public RpcEnv rpc() {
        loop.requireInLoop();
        if (!port.isOpen()) {
            port.open();
            fleet.expireSilent();
        }
        return port.env();
    }

    @Override
    public void credentials(String kind, Bytes content) {
        port.credentials(kind, content);
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
    public ExecutorProfile profile(ProfileId id) {
        return profiles.executors(id);
    }

    /** Handles the cluster manager's answer to the opening: a scheduler backend, or the failure to open a backend. */
    private void settleOpening(@Nullable SchedulerBackend answer, @Nullable Throwable failure) {
        if (answer == null) {
            Throwable why = failure == null ? new IllegalStateException("no backend") : Failures.unwrap(failure);
            HearthException reason = Failures.asHearth(why, ErrorCode.CLUSTER_UNREACHABLE, "master " + setup.master());
            opened.completeExceptionally(reason);
            closeNow(reason, ApplicationResult.FAILED);
        } else if (closed != null) { // the driver was closed before the cluster answered
            attempt("closing the backend", () -> answer.close(ApplicationResult.FAILED));
        } else {
            backend = answer;
            try {
                ApplicationId id = answer.application();
                application = id;
                LOG.info("application {} ({}) has started on master {}", id, setup.name(), setup.master());
                monitoring.opened(id, running(id), port.address(), answer.attempt(), answer.links());
            } catch (Throwable refused) { // thrown by an event subscriber, or by a backend without an id
                closeNow(
                        Failures.asHearth(refused, ErrorCode.CLUSTER_UNREACHABLE, "master " + setup.master()),
                        ApplicationResult.FAILED);
                return;
            }
            ExecutorDemand demand =
                    port.isOpen() ? requested.remote(loop, keeper.datasets(), fleet) : requested.inProcess();
            fleet.open(answer, asked.of(demand), port.isOpen());
            loop.execute(() -> opened.complete(null)); // after the executors of this process have registered
        }
    }

    private void racksFound(Collection<String> hosts) {
        scheduling.racksFound(hosts);
    }

    private RunningDriver running(ApplicationId id) {
        return new RunningDriver(
                id, setup.name(), monitoring.openedMillis(), monitor.status(), loop, scheduling, cancellations, fleet);
    }

    /**
     * Closes the driver in several steps. If a step throws, the later steps still run, and the future {@code ended}
     * still completes.
     */
    private void closeNow(HearthException why, ApplicationResult result) {
        if (closed != null) {
            return;
        }
        closed = why;
        opened.completeExceptionally(why);
        cleaner.stop();
        starvation.stop();
        results.close();
        attempt("ending jobs", () -> scheduling.close(why));
        jobs.values().forEach(job -> job.completeExceptionally(why));
        attempt("stopping executors", () -> fleet.close(String.valueOf(why.getMessage())));
        CompletableFuture<Void> confirmed = new CompletableFuture<>();
        SchedulerBackend current = backend;
        if (current == null) {
            confirmed.complete(null);
        } else if (!attempt(
                "closing the backend",
                () -> current.close(result).whenComplete((nothing, failure) -> confirmed.complete(null)))) {
            confirmed.complete(null);
        }
        loop.schedule(CLOSE_BOUND, () -> confirmed.complete(null));
        CompletionStage<Void> bounded = confirmed;
        bounded.whenComplete((nothing, failure) -> loop.inOrder(this::closePort));
    }

    private void closePort() {
        attempt("closing the port", port::close);
        threads.stop();
        merging.stop();
        attempt("freeing memory and files", data::close);
        attempt("closing bundles", served.bundles()::close);
        attempt("removing attached files", served.attaching()::close);
        shared.clear();
        attempt("closing listeners", monitoring::close);
        ended.complete(null);
    }

    /** Runs one of several steps, all of which run even if one fails. Returns false if this step fails. */
    private boolean attempt(String what, Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable failure) { // catches Errors too, because later steps must still run
            LOG.error("application {}: {} failed", setup.name(), what, failure);
            return false;
        }
    }

    /** Ends the application after an unexpected exception in the engine, which is a bug. */
    private void internalError(Throwable failure) {
        LOG.error("application {}: scheduling failed, so the application ends", setup.name(), failure);
        String what = "scheduling of " + setup.name() + ": " + failure
                + " (expected: no failure); this is a defect of Hearth, report it with the log";
        closeNow(ErrorCode.INTERNAL.failure(what, failure), ApplicationResult.FAILED);
    }
}
