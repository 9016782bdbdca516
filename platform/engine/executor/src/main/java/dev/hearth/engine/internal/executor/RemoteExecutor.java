package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.attachments.AttachmentKind;
import dev.hearth.engine.internal.attachments.ContentDownloader;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.fetch.BlockServer;
import dev.hearth.engine.internal.fetch.CopyServer;
import dev.hearth.engine.internal.fetch.MapOutputReceiver;
import dev.hearth.engine.internal.fetch.RemoteBroadcasts;
import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.fetch.RemoteShuffleReader;
import dev.hearth.engine.internal.io.OpenStores;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.DriverProtocol.ServedBy;
import dev.hearth.engine.internal.protocol.EndMessages;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineAttachments;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropBroadcast;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropResult;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropShuffle;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ExecutorLost;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ForgetStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.KillTask;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.PinCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ThreadsAnswer;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ThreadsQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCachedBlocks;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCredential;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.ClassPathEntries;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ResourceDiscovery;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.ThreadView;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentDirectories;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executor in a process of its own: registers with its driver, runs tasks, and ends with its driver.
 * <p>It is connecting until the driver has answered and all jars are fetched, then ready to run tasks, and finally
 * ended. Owned by its event loop.
 * <p>Invariant: it ends completely. If one step of the ending fails, the other steps still run, and the result of
 * {@link #start} always completes.
 */
public final class RemoteExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteExecutor.class);
    private static final Duration REGISTER_TIMEOUT = Duration.ofSeconds(30);

    /**
     * Time after which an executor gives up, if the bundles of its application have not been fetched and started by
     * then.
     */
    private static final Duration BUNDLES_BOUND = Duration.ofMinutes(5);

    /** Maximum time for which the end of an executor waits until its file stores are closed. */
    private static final Duration STORES_BOUND = Duration.ofSeconds(2);

    private final ExecutorOrders spec;
    private final Settings process;
    private final EventLoop loop;
    private final RpcScope rpc;
    private final Optional<RpcAddress> blocks;
    private final ApplicationLoaders loaders;
    private final Cores.Factory threads;
    private final Executor copying;
    private final TaskClocks clocks;
    private final Disk disk;
    private final FileStoreRegistry stores;
    private final Optional<ServiceLink> service;
    private final int messageBytesMax;
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();
    private final ApplicationDirectory directory = new ApplicationDirectory(() -> DiskSettings.from(settings()));
    private final ContentDownloader contents;
    private final ContentDirectories here;
    private final CredentialSinks credentials;
    // Settings of the application; empty until the driver has answered.
    private volatile Settings settings = Settings.empty();
    private @Nullable Peer driver;
    private @Nullable RemoteTasks tasks;
    private @Nullable DataPlane data;
    private @Nullable OpenStores open;
    private boolean ending;
    private @Nullable ApplicationLoader code;

    /**
     * {@code blocks} is the address at which other executors reach {@code rpc}; empty if they cannot. {@code copying}
     * runs the steps of copying blocks and map outputs from other executors, which may wait for disks.
     */
    public RemoteExecutor(
            ExecutorOrders spec,
            EventLoop loop,
            RpcScope rpc,
            Optional<RpcAddress> blocks,
            ApplicationLoaders loaders,
            Cores.Factory threads,
            Executor copying,
            TaskClocks clocks,
            int messageBytesMax) {
        this(
                spec,
                Settings.empty(),
                loop,
                rpc,
                blocks,
                loaders,
                threads,
                copying,
                clocks,
                Disk.system(),
                ContentDirectories.none(),
                new CredentialSinks(),
                FileStoreRegistry.of(List::of),
                Optional.empty(),
                messageBytesMax);
    }

    /**
     * {@code process} are the settings of this process; its directories replace those of the application. {@code disk}
     * is the disk on which tasks store their files. {@code here} are directories of contents on this machine.
     * {@code credentials} receives those of the application.
     * {@code stores} are the file stores besides that of local files. {@code service} takes over the map outputs.
     */
    public RemoteExecutor(
            ExecutorOrders spec,
            Settings process,
            EventLoop loop,
            RpcScope rpc,
            Optional<RpcAddress> blocks,
            ApplicationLoaders loaders,
            Cores.Factory threads,
            Executor copying,
            TaskClocks clocks,
            Disk disk,
            ContentDirectories here,
            CredentialSinks credentials,
            FileStoreRegistry stores,
            Optional<ServiceLink> service,
            int messageBytesMax) {
        this.spec = spec;
        this.process = process;
        this.loop = loop;
        this.rpc = rpc;
        this.blocks = blocks;
        this.loaders = loaders;
        this.threads = threads;
        this.copying = copying;
        this.clocks = clocks;
        this.disk = disk;
        this.here = here;
        this.credentials = credentials;
        this.stores = stores;
        this.service = service;
        this.messageBytesMax = messageBytesMax;
        this.contents = new ContentDownloader(
                rpc::streams,
                spec.driver().address(),
                () -> DiskSettings.from(settings()).directories(),
                loop.ticker(),
                copying);
    }

    private Settings settings() {
        return settings;
    }

    /** How an executor has ended: the exit code of its process, and the reason for the log. */
    public record Ended(ExitCode code, String reason) {}

    /** Starts the executor. The result completes when the executor has ended for any reason. */
    public CompletionStage<Ended> start() {
        loop.execute(this::connect);
        return ended;
    }

    private void connect() {
        rpc.register(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL, loop, endpoint());
        rpc.connect(spec.driver().address())
                .whenComplete((peer, failure) -> loop.execute(() -> {
                    if (failure == null) {
                        fetchCode(peer);
                    } else {
                        end(ExitCode.DRIVER_LOST, "connection to the driver: " + Failures.describe(failure));
                    }
                }));
    }

    public void stop(String reason) {
        loop.execute(() -> end(ExitCode.OK, reason));
    }

    private Receiver endpoint() {
        Receiver.Builder orders = Receiver.of(ExecutorProtocol.ENDPOINT);
        on(orders, DefineStage.class, RemoteTasks::define);
        on(orders, LaunchTasks.class, RemoteTasks::launch);
        on(orders, ForgetStage.class, RemoteTasks::forget);
        on(
                orders,
                KillTask.class,
                (running, message) -> running.runner.kill(message.task(), message.kind(), message.reason()));
        on(orders, DropResult.class, (running, message) -> running.results.drop(message.task()));
        on(orders, UpdateCredential.class, (running, message) -> credentials.update(message));
        on(orders, DropBroadcast.class, (running, message) -> running.broadcasts.drop(message.broadcast()));
        on(orders, UpdateLocations.class, (running, message) -> running.shuffles.define(message));
        on(orders, DefineAttachments.class, (running, message) -> running.attached.update(message.attachments()));
        on(orders, UpdateCachedBlocks.class, (running, message) -> running.kept.define(message));
        on(orders, ReplicateBlock.class, RemoteTasks::copy);
        on(orders, MigrateMapOutput.class, RemoteTasks::copy);
        on(orders, ExecutorLost.class, RemoteTasks::gone);
        on(orders, DropShuffle.class, RemoteTasks::drop);
        on(orders, DropCached.class, RemoteTasks::drop);
        on(orders, PinCached.class, (running, message) -> running.data.kept().makeOnly(message.dataset()));
        return orders.answer(ThreadsQuestion.class, (message, peer) -> new ThreadsAnswer(threads(peer)))
                .on(Stop.class, (message, peer) -> {
                    if (peer == driver) {
                        end(ExitCode.OK, message.reason());
                    }
                })
                .onPeerLost((peer, reason) -> {
                    if (peer == driver) {
                        end(
                                ExitCode.DRIVER_LOST,
                                "connection to the driver at " + spec.driver() + " is lost:" + " " + reason);
                    }
                })
                .build();
    }

    /**
     * Registers {@code action} for the orders of type {@code type}. It runs only for orders of the driver. An order
     * that arrives before the driver has answered the registration ends the executor.
     */
    private <M extends Record> void on(Receiver.Builder orders, Class<M> type, BiConsumer<RemoteTasks, M> action) {
        orders.on(type, (message, peer) -> whenReady(peer, running -> action.accept(running, message)));
    }

    private List<ThreadView> threads(Peer from) {
        return from == driver ? ThreadDump.take() : List.of();
    }

    /** Fetches the application's code before registering, because a registered executor must be able to run tasks. */
    private void fetchCode(Peer peer) {
        if (ending) {
            peer.close();
            return;
        }
        driver = peer;
        EndpointRef ref = peer.endpoint(spec.driver().endpoint(), DriverProtocol.PROTOCOL);
        CodeFetch fetch = new CodeFetch(ref, spec.executor(), contents, here, directory, loaders, copying);
        fetch.ask()
                .whenComplete((answer, failure) -> loop.inOrder(() -> {
                    if (failure != null) {
                        failBeforeReady(failure);
                        return;
                    }
                    settings = DiskSettings.onMachine(Settings.empty().with("the driver", answer.settings()), process);
                    if (!answer.bundles().isEmpty()) {
                        loop.schedule(BUNDLES_BOUND, () -> endOnBundleTimeout(answer.bundles()));
                    }
                    fetch.bring(answer)
                            .whenComplete((jars, broken) -> loop.inOrder(() -> {
                                if (broken != null) {
                                    failBeforeReady(broken);
                                } else if (!ending) {
                                    register(ref, answer.application(), jars);
                                }
                            }));
                }));
    }

    private void failBeforeReady(Throwable failure) {
        ErrorCode why = Failures.code(failure);
        boolean lost = why == ErrorCode.PEER_LOST || why == ErrorCode.ASK_TIMED_OUT;
        // the failure of a bundle or a resource already names it
        String subject =
                why == ErrorCode.START_FAILED || why == ErrorCode.RESOURCE_MISSING ? "" : "jars of the application: ";
        end(lost ? ExitCode.DRIVER_LOST : why.exit(), subject + Failures.describe(failure));
    }

    private void endOnBundleTimeout(List<FrozenBundle> bundles) {
        if (code == null) {
            end(
                    ErrorCode.START_FAILED.exit(),
                    "bundles " + bundles + " of the driver: not started after " + BUNDLES_BOUND.toSeconds()
                            + " s (expected: within that time); check whether the activator of one of them hangs");
        }
    }

    private void register(EndpointRef ref, String application, List<Path> jars) {
        try {
            code = loaders.open(application, classPath(), jars, settings);
        } catch (Throwable failure) {
            // catches Errors too, such as a missing class, because the executor could otherwise never become ready
            failBeforeReady(failure);
            return;
        }
        addresses()
                .whenComplete((resources, failure) -> loop.inOrder(() -> {
                    if (failure != null) {
                        failBeforeReady(failure);
                    } else if (!ended.isDone()) {
                        register(ref, resources);
                    }
                }));
    }

    /** The addresses of resources that tasks on this executor may use. A discovery script runs outside the loop. */
    private CompletionStage<Map<String, ResourceInformation>> addresses() {
        Map<String, ResourceRequest> requests = ResourceRequest.ofExecutors(new SettingsReader(settings));
        Map<String, ResourceInformation> chosen = ResourceRequest.chosenIn(process);
        return requests.isEmpty()
                ? CompletableFuture.completedStage(Map.of())
                : CompletableFuture.supplyAsync(
                        () -> ResourceDiscovery.find("executor " + spec.executor(), requests, chosen), copying);
    }

    private void register(EndpointRef ref, Map<String, ResourceInformation> resources) {
        ref.ask(
                        new Register(
                                spec.executor(),
                                spec.host(),
                                spec.cores(),
                                blocks.map(RpcAddress::toString).orElse(""),
                                List.copyOf(resources.values()),
                                service.map(ServiceLink::registered).orElse(ServedBy.ITSELF)),
                        Registration.class,
                        RpcTimes.ask(process, REGISTER_TIMEOUT))
                .whenComplete((answer, failure) -> loop.inOrder(() -> {
                    if (failure != null) {
                        end(
                                ExitCode.DRIVER_LOST,
                                "registration with " + spec.driver() + ": " + Failures.describe(failure));
                    } else if (answer.refusal().equals(Registration.APPLICATION_ENDED)) {
                        end(ExitCode.OK, answer.refusal());
                    } else if (!answer.refusal().isEmpty()) {
                        end(ExitCode.REFUSED, "driver refused executor " + spec.executor() + ": " + answer.refusal());
                    } else if (!ending) {
                        begin(ref, answer);
                    }
                }));
    }

    private List<Path> classPath() {
        String text = new SettingsReader(settings).read(ApplicationSettings.EXECUTOR_CLASS_PATH);
        return ClassPathEntries.existing(text, LOG::warn);
    }

    private void begin(EndpointRef ref, Registration answer) {
        answer.credentials().forEach(credentials::update);
        try {
            tasks = tasks(ref, answer.application(), Objects.requireNonNull(code));
        } catch (Throwable failure) { // catches Errors too, for the reason given in `register`
            end(Failures.code(failure).exit(), Failures.describe(failure));
            return;
        }
        LOG.info(
                "executor {} of {} is ready with {}",
                spec.executor(),
                answer.application(),
                Quantity.of(spec.cores(), "core"));
        heartbeatEvery(Duration.ofMillis(answer.heartbeatMillis()), ref);
    }

    private RemoteTasks tasks(EndpointRef ref, String application, ApplicationLoader loader) {
        UserObjectSerializer objects = new UserObjectSerializer(loader.classes());
        AttachedFiles attached = new AttachedFiles(directory, loader.classes(), this::fetch);
        DataPlane plane = plane(ref, application, objects);
        data = plane;
        RemoteShuffleReader shuffles = reader(plane);
        RemoteCachedBlocks elsewhere = new RemoteCachedBlocks(shuffles, plane::kept, copying);
        RemoteBroadcasts files =
                new RemoteBroadcasts(shuffles, plane::files, spec.driver().address());
        RemoteBroadcastValues broadcasts = new RemoteBroadcastValues(objects, ref, spec.executor(), files);
        int directBytesMax = blocks.isPresent()
                ? ResultSettings.from(settings).directBytesMax()
                // no limit on results in messages: the driver cannot fetch a large result from this process
                : Integer.MAX_VALUE;
        LargeResults results = new LargeResults(objects, directBytesMax, plane::files);
        if (blocks.isPresent()) {
            results.serve(rpc.streams());
            BlockServer.open(rpc, plane::shuffles);
            files.serve(rpc);
            CopyServer.open(rpc, plane::kept, plane::shuffles);
        }
        // sent before the end of the task that cached the block
        plane.onBlocks(status -> ref.send(changed(plane, status)));
        TaskServices services = new TaskServices(
                objects,
                false,
                new RemoteDriverCalls(ref, spec.executor(), settings),
                results::write,
                broadcasts,
                plane,
                Optional.of(new RemoteReads(shuffles, elsewhere)),
                attached,
                clocks,
                ReaperSettings.from(settings),
                (status, reason) -> loop.execute(() -> end(status, reason)),
                needs().cpus());
        TaskRunner runner = new TaskRunner(
                loader.classes(),
                Math.max(1, needs().slots(spec.cores())),
                threads,
                services,
                ends -> report(ref, ends, objects, results));
        MapOutputReceiver outputs = new MapOutputReceiver(shuffles, loop, copying);
        return new RemoteTasks(
                runner, broadcasts, attached, results, plane, shuffles, elsewhere, outputs, ref, spec.executor());
    }

    private RemoteShuffleReader reader(DataPlane plane) {
        return new RemoteShuffleReader(
                spec.executor(),
                spec.host(),
                spec.address(),
                settings,
                rpc,
                service.map(ServiceLink::scope),
                service.map(ServiceLink::outputs),
                loop,
                plane::shuffles);
    }

    private TaskNeeds needs() {
        return TaskNeeds.read(new SettingsReader(settings));
    }

    private DataPlane plane(EndpointRef ref, String application, UserObjectSerializer objects) {
        Supplier<ProcessMemory> memory =
                new Lazy<>(() -> new ProcessMemory(Runtime.getRuntime().maxMemory()));
        RemoteClassNumbers classes = new RemoteClassNumbers(ref, spec.executor());
        OpenStores used = new OpenStores(application, settings, stores, loop::inLoop);
        open = used;
        Optional<ServedOutputs> outputs = service.map(link -> ServedOutputs.of(link.orders(), spec.executor()));
        return new DataPlane(objects, settings, memory, loop.ticker(), false, classes, disk, used, outputs);
    }

    /** Fetches an attachment from the driver. Called by the threads of tasks. */
    private void fetch(Attachment attachment, Path target) throws IOException {
        String subject = "attached file " + attachment.name();
        String stream = BlockProtocol.ATTACHED + "/" + attachment.content();
        // a file is copied for this executor, because tasks may write to it
        boolean own = attachment.kind() == AttachmentKind.FILE;
        ContentDownloader.await(contents.fetch(stream, attachment.content(), subject, target, own), subject);
    }

    private BlockChanged changed(DataPlane plane, BlockStatus status) {
        return new BlockChanged(
                spec.executor(),
                plane.memory().total(),
                status.block().dataset(),
                status.block().partition(),
                status.records(),
                status.memoryBytes(),
                status.diskBytes());
    }

    /** Sends the ends of tasks to the driver, in as many messages as they need. Called by the threads of tasks. */
    private void report(EndpointRef ref, List<TaskEnd> ends, UserObjectSerializer objects, LargeResults results) {
        results.ended(ends);
        EndMessages.messages(spec.executor(), ends, objects, messageBytesMax).forEach(ref::send);
    }

    private void heartbeatEvery(Duration interval, EndpointRef ref) {
        if (!ending) {
            ref.send(new Heartbeat(spec.executor()));
            RemoteTasks running = tasks;
            if (running != null) {
                running.reportProgress();
            }
            loop.schedule(interval, () -> heartbeatEvery(interval, ref));
        }
    }

    private void whenReady(Peer from, Consumer<RemoteTasks> action) {
        if (from != driver || ending) {
            return; // ignored, because another peer sent the order, or the executor has ended
        }
        if (tasks == null) {
            LOG.error(
                    "executor {}: a command of the driver arrived before the driver's answer to the registration,"
                            + " and is lost",
                    spec.executor());
            // the driver then runs the executor's tasks elsewhere
            end(ExitCode.UNCAUGHT, "a command of the driver arrived before the driver's answer to the registration");
        } else {
            action.accept(tasks);
        }
    }

    private void end(ExitCode status, String reason) {
        if (ending) {
            return;
        }
        ending = true;
        LOG.info("executor {} ends: {}", spec.executor(), reason);
        attempt("stopping tasks", tasks, RemoteTasks::stop);
        attempt("freeing memory and files", data, DataPlane::close);
        attempt("closing its class loader", code, ApplicationLoader::close);
        attempt("removing its directory", directory, ApplicationDirectory::close);
        attempt("disconnecting from the driver", driver, Peer::close);
        Ended last = new Ended(status, reason);
        if (open == null) {
            ended.complete(last);
        } else {
            open.closing().whenComplete((nothing, failure) -> ended.complete(last));
            loop.schedule(STORES_BOUND, () -> ended.complete(last));
        }
    }

    /**
     * Runs one step of the ending, or nothing if {@code part} is null. Logs exceptions, so that the remaining steps
     * still run.
     */
    private <P> void attempt(String what, @Nullable P part, Consumer<P> end) {
        try {
            if (part != null) {
                end.accept(part);
            }
        } catch (Throwable failure) { // an Error too
            LOG.error("executor {}: {} failed", spec.executor(), what, failure);
        }
    }
}
