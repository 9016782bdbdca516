package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.BinaryFile;
import dev.hearth.api.Broadcast;
import dev.hearth.api.DoubleRdd;
import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Placed;
import dev.hearth.api.Rdd;
import dev.hearth.api.StatusTracker;
import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.launch.TaskRuntime;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.attachments.AttachmentKind;
import dev.hearth.engine.internal.attachments.AttachmentRegistry;
import dev.hearth.engine.internal.attachments.CarriedFiles;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.dataset.Action;
import dev.hearth.engine.internal.dataset.CallSite;
import dev.hearth.engine.internal.dataset.DatasetContext;
import dev.hearth.engine.internal.dataset.FileDatasets;
import dev.hearth.engine.internal.dataset.NarrowDatasets;
import dev.hearth.engine.internal.dataset.ParallelizedSource;
import dev.hearth.engine.internal.dataset.PersistedDatasets;
import dev.hearth.engine.internal.dataset.PersistenceManager;
import dev.hearth.engine.internal.dataset.PlannedDoubles;
import dev.hearth.engine.internal.dataset.PlannedPairs;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.dataset.ResultCollector;
import dev.hearth.engine.internal.driver.executors.OwnResources;
import dev.hearth.engine.internal.driver.loop.Driver;
import dev.hearth.engine.internal.driver.loop.DriverSetup;
import dev.hearth.engine.internal.driver.loop.Monitoring;
import dev.hearth.engine.internal.io.FileSettings;
import dev.hearth.engine.internal.io.InputAccess;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.storage.ApplicationStores;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The context of an application: creates datasets, submits jobs to its {@link Driver} and waits for them on the calling
 * thread. All threads of the application may use it. Its mutable state is thread-safe or local to a thread.
 */
public final class DriverContext implements HearthContext, DatasetContext {
    private final Map<String, ResourceInformation> resources;
    private final Driver driver;
    private final DriverSetup setup;
    private final UserObjectSerializer objects;
    private final LocalProperties properties = new LocalProperties();
    private final PersistedDatasets persisted = new PersistedDatasets();
    private final AtomicInteger datasets = new AtomicInteger();
    private final AtomicInteger shuffles = new AtomicInteger();
    private final Consumer<DriverContext> closed;
    private final ApplicationLogging logging;
    private volatile ApplicationResult resultOfClose = ApplicationResult.FINISHED;

    /** Creates a context with its own driver. Calls {@code closed} with this context once it has been closed. */
    public DriverContext(DriverSetup setup, Consumer<DriverContext> closed) {
        this.resources = OwnResources.ofDriver(setup.settings()); // first, because a failure must leave no driver
        this.driver = new Driver(setup);
        this.setup = setup;
        this.objects = driver.objects();
        this.closed = closed;
        this.logging = ApplicationLogging.from(setup.settings());
    }

    /**
     * Attaches the files and archives of the settings, opens the application on its cluster and waits until the cluster
     * has accepted it.
     */
    DriverContext open() {
        CarriedFiles.from(setup.settings()).attach(driver.attaching().attachments());
        setup.subscribers().forEach(subscriber -> subscriber.check(setup.name(), setup.settings(), setup.stores()));
        BlockingCalls.join(driver.open());
        logging.opened(setup.name(), settings());
        return this;
    }

    /**
     * Starts to open the application without blocking. The returned stage completes when the cluster has accepted the
     * application.
     */
    public CompletionStage<Void> opening() {
        return driver.open();
    }

    /** Starts to close the context without blocking. The returned stage completes when the context is closed. */
    public CompletionStage<Void> closing(ApplicationResult result) {
        return driver.close(result);
    }

    /**
     * Starts an action without blocking. The returned stage completes with the action's result, which is computed on
     * the thread on which the job ends.
     */
    public <R> CompletionStage<R> starting(Action<R> action) {
        return begin(action).async(Runnable::run, () -> {}).stage();
    }

    @Override
    public String applicationId() {
        return driver.application().map(ApplicationId::value).orElse("");
    }

    @Override
    public String applicationName() {
        return setup.name();
    }

    @Override
    public String master() {
        return setup.master().text();
    }

    @Override
    public int defaultParallelism() {
        return driver.defaultParallelism();
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> shown = new LinkedHashMap<>();
        setup.settings().values().forEach((key, value) -> {
            if (!Secrets.isSecret(key)) {
                shown.put(key, value);
            }
        });
        shown.putAll(driver.known());
        return Collections.unmodifiableMap(shown);
    }

    @Override
    public String version() {
        return HearthVersion.VERSION;
    }

    @Override
    public String user() {
        return Monitoring.user();
    }

    @Override
    public Map<String, ResourceInformation> resources() {
        return resources;
    }

    @Override
    public Instant startedAt() {
        return Instant.ofEpochMilli(driver.monitoring().openedMillis());
    }

    @Override
    public <T> Rdd<T> parallelize(List<? extends T> elements, int partitions) {
        refuseTasks("parallelize");
        if (partitions < 1) {
            throw ErrorCode.BAD_ARGUMENT.failure("parallelize: " + partitions + " partitions (expected: 1 or more)");
        }
        return PlannedRdd.given(this, ParallelizedSource.cut(elements, partitions, objects, driver.hasPort()));
    }

    @Override
    public <T> Rdd<T> emptyRdd() {
        return NarrowDatasets.empty(this);
    }

    @Override
    public <T> Rdd<T> union(List<? extends Rdd<? extends T>> datasets) {
        return NarrowDatasets.union(this, datasets);
    }

    @Override
    public <K, V> PairRdd<K, V> pairs(Rdd<Pair<K, V>> dataset) {
        return PlannedPairs.of(this, dataset);
    }

    @Override
    public DoubleRdd doubles(Rdd<Double> dataset) {
        return PlannedDoubles.of(this, dataset);
    }

    @Override
    public <T> Rdd<T> parallelizeAt(List<Placed<T>> elements) {
        refuseTasks("parallelizeAt");
        if (elements.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "parallelizeAt: no elements (expected: one or more elements, each of which gets a partition)");
        }
        return PlannedRdd.given(this, ParallelizedSource.placed(elements, objects, driver.hasPort()));
    }

    @Override
    public Rdd<String> textFile(String path, int partitionsLeast) {
        refuseTasks("textFile");
        return FileDatasets.text(this, path, partitionsLeast, files());
    }

    @Override
    public PairRdd<String, String> wholeTextFiles(String path, int partitionsLeast) {
        refuseTasks("wholeTextFiles");
        return FileDatasets.wholeTexts(this, path, partitionsLeast, files());
    }

    @Override
    public PairRdd<String, byte[]> binaryFiles(String path, int partitionsLeast) {
        refuseTasks("binaryFiles");
        return FileDatasets.wholeBytes(this, path, partitionsLeast, files());
    }

    @Override
    public PairRdd<String, BinaryFile> binaryStreams(String path, int partitionsLeast) {
        refuseTasks("binaryStreams");
        return FileDatasets.opened(this, path, partitionsLeast, files());
    }

    @Override
    public Rdd<byte[]> binaryRecords(String path, int recordBytes) {
        refuseTasks("binaryRecords");
        return FileDatasets.records(this, path, recordBytes, files());
    }

    @Override
    public <T> Rdd<T> objectFile(String path, int partitionsLeast) {
        refuseTasks("objectFile");
        return FileDatasets.objects(this, path, partitionsLeast, files());
    }

    @Override
    public <T> Rdd<T> checkpointFile(String path) {
        refuseTasks("checkpointFile");
        return FileDatasets.checkpoint(this, path);
    }

    private InputAccess files() {
        return new InputAccess(FileSettings.from(setup.settings()), setup.stores());
    }

    @Override
    public ApplicationStores stores() {
        return setup.stores();
    }

    @Override
    public void addFile(String path, boolean recursive) {
        attachments("addFile").addFile(path, recursive);
    }

    @Override
    public void addArchive(String path) {
        attachments("addArchive").addArchive(path);
    }

    @Override
    public void addJar(String path) {
        attachments("addJar").addJar(path);
    }

    private AttachmentRegistry attachments(String operation) {
        refuseTasks(operation);
        return driver.attaching().attachments();
    }

    @Override
    public List<String> listFiles() {
        return driver.attaching().names(AttachmentKind.FILE, AttachmentKind.DIRECTORY);
    }

    @Override
    public List<String> listArchives() {
        return driver.attaching().names(AttachmentKind.ARCHIVE);
    }

    @Override
    public List<String> listJars() {
        return driver.attaching().names(AttachmentKind.JAR);
    }

    @Override
    public Path attached(String name) {
        refuseTasks("attached");
        return driver.attaching().files().path(name);
    }

    @Override
    public <T> Broadcast<T> broadcast(T value) {
        refuseTasks("broadcast");
        return driver.shared().broadcast(value);
    }

    @Override
    public <T, R> Accumulator<T, R> accumulator(String name, Accumulation<T, R> kind) {
        refuseTasks("accumulator");
        return driver.shared().accumulator(name, kind);
    }

    @Override
    public <T, R> List<R> runJob(Rdd<T> dataset, TaskFunction<T, R> function, List<Integer> partitions) {
        return run(own(dataset, "runJob").actions("runJob").running(function, partitions));
    }

    @Override
    public <T, R> JobFuture<List<R>> submitJob(Rdd<T> dataset, TaskFunction<T, R> function, List<Integer> partitions) {
        return start(own(dataset, "submitJob").actions("submitJob").running(function, partitions));
    }

    private <T> PlannedRdd<T> own(Rdd<T> dataset, String operation) {
        if (dataset instanceof PlannedRdd<T> planned && planned.context() == this) {
            return planned;
        }
        throw ErrorCode.BAD_ARGUMENT.failure(
                operation + ": " + dataset + " belongs to another context (expected: a dataset of this one)");
    }

    @Override
    public void localProperty(String key, @Nullable String value) {
        properties.set(key, value);
    }

    @Override
    public Optional<String> localProperty(String key) {
        return properties.find(key);
    }

    @Override
    public void jobGroup(String id, String description, boolean interruptOnCancel) {
        properties.group(id, description, interruptOnCancel);
    }

    @Override
    public void clearJobGroup() {
        properties.clearGroup();
    }

    @Override
    public void jobDescription(@Nullable String description) {
        properties.describe(description);
    }

    @Override
    public void callSite(@Nullable String shown) {
        properties.callSite(shown);
    }

    @Override
    public void addJobTag(String tag) {
        properties.addTag(tag);
    }

    @Override
    public void removeJobTag(String tag) {
        properties.removeTag(tag);
    }

    @Override
    public Set<String> jobTags() {
        return new LinkedHashSet<>(properties.tags());
    }

    @Override
    public void clearJobTags() {
        properties.clearTags();
    }

    @Override
    public void cancelJob(int job, String reason) {
        driver.cancellations().job(job, reason);
    }

    @Override
    public void cancelStage(int stage, String reason) {
        driver.cancellations().stage(stage, reason);
    }

    @Override
    public void cancelJobGroup(String group, String reason, boolean futureJobs) {
        driver.cancellations().group(group, reason, futureJobs);
    }

    @Override
    public void cancelJobsWithTag(String tag, String reason) {
        driver.cancellations().tag(tag, reason);
    }

    @Override
    public void cancelAllJobs(String reason) {
        driver.cancellations().all(reason);
    }

    @Override
    public boolean killTask(long task, boolean interrupt, String reason) {
        refuseTasks("killTask");
        return BlockingCalls.join(driver.killTask(task, interrupt, reason));
    }

    @Override
    public StatusTracker statusTracker() {
        return driver.monitor().tracker();
    }

    @Override
    public void addListener(ApplicationListener listener) {
        driver.events().add(listener.getClass().getSimpleName(), listener);
    }

    @Override
    public void removeListener(ApplicationListener listener) {
        driver.events().remove(listener);
    }

    @Override
    public void close() {
        if (TaskRuntime.current() != null) {
            throw ErrorCode.WRONG_THREAD.failure(
                    "context: close() called inside a task, for whose end it would wait (expected: a call on the"
                            + " driver)");
        }
        close(resultOfClose);
    }

    /** Makes {@link #close()} report KILLED, because the process is ordered to end. */
    void killed() {
        resultOfClose = ApplicationResult.KILLED;
    }

    /**
     * Closes the context and waits a bounded time until it is closed, even if the calling thread is interrupted. A call
     * on a listener's thread does not wait until listeners have processed all events, because it would wait for itself.
     */
    void close(ApplicationResult result) {
        CompletableFuture<Void> ended = driver.close(result).toCompletableFuture();
        CompletableFuture<Void> over = ended.thenCompose(
                        nothing -> driver.monitoring().flushed())
                .thenCompose(nothing -> setup.stores().closing())
                .whenComplete((nothing, failure) -> closed.accept(this));
        if (driver.events().isListenerThread()) {
            BlockingCalls.joinUninterruptibly(ended);
        } else {
            BlockingCalls.joinUninterruptibly(over);
        }
    }

    Driver driver() {
        return driver;
    }

    @Override
    public HearthContext context() {
        return this;
    }

    @Override
    public UserObjectSerializer objects() {
        return objects;
    }

    @Override
    public int nextDataset() {
        return datasets.getAndIncrement();
    }

    @Override
    public int nextShuffle() {
        return shuffles.getAndIncrement();
    }

    @Override
    public void watch(Object dataset, int shuffle) {
        driver.keeper().watch(dataset, shuffle);
    }

    @Override
    public PersistenceManager keeper() {
        return driver.keeper();
    }

    @Override
    public void checkpointDirectory(String directory) {
        driver.keeper().checkpointDirectory(directory);
    }

    @Override
    public Optional<String> checkpointDirectory() {
        return driver.keeper().checkpointDirectory();
    }

    @Override
    public ProfileRegistry profiles() {
        return driver.profiles();
    }

    @Override
    public PersistedDatasets persisted() {
        return persisted;
    }

    @Override
    public Map<Integer, Rdd<?>> persistedDatasets() {
        refuseTasks("persistedDatasets");
        return persisted.kept(driver.keeper());
    }

    @Override
    public void refuseTasks(String operation) {
        if (TaskRuntime.current() != null) {
            throw ErrorCode.WRONG_THREAD.failure(operation
                    + ": called inside a task (expected: on the driver); tasks cannot use the context or its datasets:"
                    + " broadcast or join what they need");
        }
    }

    @Override
    public <R> R run(Action<R> action) {
        if (driver.loop().inLoop()) {
            throw ErrorCode.WRONG_THREAD.failure(
                    "action: called on the driver's event loop (expected: on a thread of the application)");
        }
        try {
            R answer = begin(action).await();
            checkpoint(action);
            return answer;
        } finally {
            driver.monitor().clearProgress(); // the application's next output begins on an empty line
        }
    }

    @Override
    public <R> JobFuture<R> start(Action<R> action) {
        Executor asCaller = asCaller();
        return begin(action).async(driver.threads(), () -> asCaller.execute(() -> checkpoint(action)));
    }

    private void checkpoint(Action<?> action) {
        if (driver.keeper().expectsCheckpoints()) {
            action.checkpoint(this);
        }
    }

    @Override
    public Executor asCaller() {
        Map<String, String> callers = properties.all();
        return body -> properties.with(callers, body);
    }

    private <R> StartedJob<R> begin(Action<R> asked) {
        Action<R> action = properties
                .callSite()
                .map(shown -> asked.at(new CallSite(shown, asked.site().frames())))
                .orElse(asked);
        action.prepare(this);
        int id = driver.nextJob();
        logging.jobStarts(id, () -> action.lineage(driver.keeper()));
        JobSpec job = new JobSpec(
                id,
                action.plan(properties.all(), driver.keeper(), driver.profiles()),
                action.site().shown(),
                properties.description(),
                properties.group(),
                properties.tags(),
                properties.pool(),
                properties.interruptOnCancel(),
                properties.all());
        ResultCollector<R> results = action.results();
        CompletableFuture<Void> done = driver.run(job, results);
        return new StartedJob<>(id, driver.cancellations(), action, results, done);
    }

    @Override
    public String toString() {
        return "context of " + setup.name() + " on " + master();
    }
}
