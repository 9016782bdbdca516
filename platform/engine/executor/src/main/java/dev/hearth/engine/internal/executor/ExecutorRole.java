package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.CredentialSink;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentDirectories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a process with one executor. A cluster manager starts the process with launch orders, which name the
 * application.
 * <p>Invariant: the executor always ends before its event loop, within {@link #ENDING_BOUND}, so that its files are
 * removed.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=executor")
public final class ExecutorRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorRole.class);

    public static final SettingKey<Integer> BLOCKS_PORT = SettingKey.port(
            "hearth.blockManager.port",
            0,
            "The port on which an executor serves its blocks to the others of its application; 0 takes any free one.");

    private static final int COPYING_THREADS_MAX = 4;
    /** Maximum time that an executor takes to end. It is below the eight seconds after which the process is halted. */
    private static final Duration ENDING_BOUND = Duration.ofSeconds(5);

    /** Maximum time that {@link #prepare} takes; it takes less than a tenth of that unless the machine is overloaded. */
    private static final Duration REHEARSAL_BOUND = Duration.ofSeconds(10);

    private final RpcEnvFactory rpcs;
    private final ApplicationLoaders loaders;
    private final CredentialSinks credentials = new CredentialSinks();
    private final FileStoreRegistry stores;
    private final CompletableFuture<RemoteExecutor.Ended> ending = new CompletableFuture<>();

    @Activate
    public ExecutorRole(
            @Reference RpcEnvFactory rpcs, @Reference ApplicationLoaders loaders, @Reference FileStoreRegistry stores) {
        this.stores = stores;
        this.rpcs = rpcs;
        this.loaders = loaders;
    }

    /** Adds a receiver of credentials, which a bundle offers. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addSink(CredentialSink sink, Map<String, Object> properties) {
        credentials.add(sink, properties.getOrDefault(CredentialSink.KIND, ""));
    }

    void removeSink(CredentialSink sink) {
        credentials.remove(sink);
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        RemoteExecutor.Ended ended = run(
                ExecutorOrders.from(launch.orders()),
                launch.settings().with("orders", launch.orders()),
                ExecutorOrders.contents(launch.orders()),
                ending);
        // Prints only errors: the codes OK and TERMINATED mean that the executor was ordered to end.
        if (ended.code() != ExitCode.OK && ended.code() != ExitCode.TERMINATED) {
            launch.err().println("error: " + ended.reason());
        }
        return ExitStatus.of(ended.code());
    }

    /** Runs an executor of an application without tasks, so that the next one starts with loaded classes. */
    @Override
    public void prepare(String scheme) throws Exception {
        Settings none = Settings.empty();
        try (RpcEnv rpc = rpcs.open(RpcSettings.listening(none, "127.0.0.1", 0));
                ThreadEventLoop loop = new ThreadEventLoop("rehearsal", failure -> LOG.debug("rehearsal", failure))) {
            ExecutorOrders orders = new RehearsalDriver(rpc, loop).orders();
            CompletableFuture<RemoteExecutor.Ended> end = new CompletableFuture<RemoteExecutor.Ended>()
                    .orTimeout(REHEARSAL_BOUND.toMillis(), TimeUnit.MILLISECONDS);
            ending.minimalCompletionStage().thenAccept(end::complete);
            LOG.debug("rehearsal: {}", run(orders, none, List.of(), end));
        }
    }

    private RemoteExecutor.Ended run(
            ExecutorOrders spec,
            Settings settings,
            List<Path> contents,
            CompletableFuture<RemoteExecutor.Ended> ordered)
            throws Exception {
        ApplicationThreads copying =
                new ApplicationThreads("hearth-copies", ExecutorRole.class.getClassLoader(), COPYING_THREADS_MAX);
        RpcSettings listening = RpcSettings.listeningFrom(settings, spec.address(), port(settings));
        try (RpcEnv rpc = rpcs.open(listening);
                ThreadEventLoop loop =
                        new ThreadEventLoop("executor", failure -> failed(spec.executor(), failure, ordered))) {
            RemoteExecutor executor = new RemoteExecutor(
                    spec,
                    settings,
                    loop,
                    scope(listening, spec, rpc),
                    rpc.address(),
                    loaders,
                    CoreThreads::new,
                    copying,
                    TaskClocks.system(),
                    Disk.system(),
                    new ContentDirectories(contents, LOG::warn),
                    credentials,
                    stores,
                    ServiceLink.open(settings, rpc),
                    listening.limits().messageBytesMax());
            CompletionStage<RemoteExecutor.Ended> end = executor.start();
            end.thenAccept(ordered::complete);
            RemoteExecutor.Ended ended = ordered.get();
            executor.stop(ended.reason());
            await(end, spec.executor());
            return ended;
        } finally {
            copying.stop();
        }
    }

    /**
     * Ends the executor after a failure in its event loop. The message whose handling failed is lost, so tasks might
     * otherwise never end.
     */
    private static void failed(
            ExecutorId executor, Throwable failure, CompletableFuture<RemoteExecutor.Ended> ordered) {
        boolean memory = failure instanceof OutOfMemoryError;
        ordered.complete(new RemoteExecutor.Ended(
                memory ? ExitCode.OUT_OF_MEMORY : ExitCode.UNCAUGHT,
                "executor " + executor + ": " + failure
                        + (memory
                                ? " (expected: enough memory for the messages of its driver); give executors more"
                                        + " memory with --executor-memory"
                                : " (expected: no failure); this is a defect of Hearth, report it with the log")));
        LOG.error("executor {}", executor, failure);
    }

    private static void await(CompletionStage<RemoteExecutor.Ended> end, ExecutorId executor) throws Exception {
        try {
            end.toCompletableFuture().get(ENDING_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.warn(
                    "executor {}: not ended after {} s (expected: within that time); the next executor on this"
                            + " machine removes its files",
                    executor,
                    ENDING_BOUND.toSeconds());
        }
    }

    private static int port(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        int port = in.read(BLOCKS_PORT);
        in.finish();
        return port;
    }

    /**
     * Returns the RPC scope in which the executor registers its endpoints. If the application has a secret, this is a
     * separate scope of the application, otherwise the scope of the whole process.
     */
    private static RpcScope scope(RpcSettings settings, ExecutorOrders spec, RpcEnv rpc) {
        return settings.security().secret().isPresent()
                ? rpc.scope(spec.driver().endpoint(), Optional.empty())
                : rpc;
    }

    @Override
    public void stop() {
        ending.complete(
                new RemoteExecutor.Ended(ExitCode.TERMINATED, "the process was ordered to end, or its code ended it"));
    }
}
