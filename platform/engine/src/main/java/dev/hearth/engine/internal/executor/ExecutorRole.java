package dev.hearth.engine.internal.executor;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.error.ExitCode;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process whose work is to be an executor. Cluster managers start it; its orders say whose it is. */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=executor")
public final class ExecutorRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorRole.class);

    static final SettingKey<Integer> BLOCKS_PORT = SettingKey.port(
            "hearth.blockManager.port",
            0,
            "The port on which an executor serves its blocks to the others of its application; 0 takes any free one.");

    private static final int COPYING_THREADS_MAX = 4;

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
                ThreadEventLoop loop = new ThreadEventLoop(
                        "executor", failure -> LOG.error("executor {}", spec.executor(), failure))) {
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
            executor.start().thenAccept(told::complete);
            RemoteExecutor.Ended ended = told.get();
            executor.stop(ended.reason());
            if (ended.code() != ExitCode.OK) {
                launch.err().println("error: " + ended.reason());
            }
            return ExitStatus.of(ended.code());
        } finally {
            copying.stop();
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
