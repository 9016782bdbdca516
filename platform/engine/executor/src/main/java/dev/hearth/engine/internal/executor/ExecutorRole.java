package dev.hearth.engine.internal.executor;

import dev.hearth.spi.application.ApplicationLoaders;
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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process whose work is to be an executor. Cluster managers start it; its orders say whose it is.
 * <p>Invariant: however it is told to end, and whatever fails in it, the executor's own ending comes before that of its loop, within
 * {@link #ENDING_BOUND}: it removes what the executor has on disk.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=executor")
public final class ExecutorRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorRole.class);

    static final SettingKey<Integer> BLOCKS_PORT = SettingKey.port(
            "hearth.blockManager.port",
            0,
            "The port on which an executor serves its blocks to the others of its application; 0 takes any free one.");

    private static final int COPYING_THREADS_MAX = 4;
    /** How long an executor may take to end; the process ends by force after eight seconds. */
    private static final Duration ENDING_BOUND = Duration.ofSeconds(5);

    private final RpcEnvFactory rpcs;
    private final ApplicationLoaders loaders;
    private final CompletableFuture<RemoteExecutor.Ended> told = new CompletableFuture<>();

    @Activate
    public ExecutorRole(@Reference RpcEnvFactory rpcs, @Reference ApplicationLoaders loaders) {
        this.rpcs = rpcs;
        this.loaders = loaders;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        ExecutorOrders spec = ExecutorOrders.from(launch.orders());
        Settings settings = launch.settings().with("orders", launch.orders());
        ApplicationThreads copying =
                new ApplicationThreads("hearth-copies", ExecutorRole.class.getClassLoader(), COPYING_THREADS_MAX);
        RpcSettings listening = RpcSettings.listening(settings, spec.host(), port(settings));
        try (RpcEnv rpc = rpcs.open(listening);
                ThreadEventLoop loop = new ThreadEventLoop("executor", failure -> failed(spec.executor(), failure))) {
            RemoteExecutor executor = new RemoteExecutor(
                    spec,
                    loop,
                    scope(listening, spec, rpc),
                    rpc.address(),
                    loaders,
                    CoreThreads::new,
                    copying,
                    TaskClocks.system(),
                    listening.limits().messageBytesMax());
            CompletionStage<RemoteExecutor.Ended> end = executor.start();
            end.thenAccept(told::complete);
            RemoteExecutor.Ended ended = told.get();
            executor.stop(ended.reason());
            await(end, spec.executor());
            if (ended.code() != ExitCode.OK) {
                launch.err().println("error: " + ended.reason());
            }
            return ExitStatus.of(ended.code());
        } finally {
            copying.stop();
        }
    }

    /** What was ordered is lost, and its tasks would never end: whoever waits for them hears of this end instead. */
    private void failed(ExecutorId executor, Throwable failure) {
        boolean memory = failure instanceof OutOfMemoryError;
        told.complete(new RemoteExecutor.Ended(
                memory ? ExitCode.OUT_OF_MEMORY : ExitCode.UNCAUGHT,
                "executor " + executor + ": " + failure
                        + (memory
                                ? " (expected: memory for what its driver orders); give it more with --executor-memory"
                                : " (expected: no failure, this is a mistake of the engine); report it with the log")));
        LOG.error("executor {}", executor, failure);
    }

    private static void await(CompletionStage<RemoteExecutor.Ended> end, ExecutorId executor) throws Exception {
        try {
            end.toCompletableFuture().get(ENDING_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.warn(
                    "executor {}: not ended after {} s (expected: by then); the next process removes what it leaves",
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

    /** With a secret, which is the application's own, the driver is met in a scope of its name; without, in the process. */
    private static RpcScope scope(RpcSettings settings, ExecutorOrders spec, RpcEnv rpc) {
        return settings.security().secret().isPresent()
                ? rpc.scope(spec.driver().endpoint(), Optional.empty())
                : rpc;
    }

    @Override
    public void stop() {
        told.complete(new RemoteExecutor.Ended(ExitCode.TERMINATED, "the process was told to end"));
    }
}
