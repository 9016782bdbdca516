package dev.hearth.yarn.internal.relay;

import dev.hearth.api.HearthException;
import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.exit.ExitNote;
import dev.hearth.yarn.internal.exit.ExitedProgram;
import dev.hearth.yarn.internal.hadoop.DirectLine;
import dev.hearth.yarn.internal.hadoop.DirectLines;
import dev.hearth.yarn.internal.hadoop.LineIdentity;
import dev.hearth.yarn.internal.hadoop.MasterContainer;
import dev.hearth.yarn.internal.manager.YarnFormerSettings;
import dev.hearth.yarn.internal.settings.HistorySettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the application master of a driver in client mode, in a container of YARN. */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=am")
public final class RelayRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger(RelayRole.class);

    private final RpcEnvFactory rpcs;
    private final HadoopRuntime runtime;
    private final Map<String, String> environment;
    private final CompletableFuture<Optional<HearthException>> ended = new CompletableFuture<>();

    @Activate
    public RelayRole(@Reference RpcEnvFactory rpcs, @Reference HadoopRuntime runtime) {
        this(rpcs, runtime, System.getenv());
    }

    RelayRole(RpcEnvFactory rpcs, HadoopRuntime runtime, Map<String, String> environment) {
        this.rpcs = rpcs;
        this.runtime = runtime;
        this.environment = environment;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        Settings settings = launch.settings().with("orders", launch.orders());
        LineIdentity identity = MasterContainer.identity(runtime, settings, environment);
        if (environment.containsKey(ExitNote.STATUS)) {
            return new ExitedProgram(identity, environment, Path.of(""), history(settings, identity)).end();
        }
        RelayOrders orders = RelayOrders.from(launch.orders());
        RpcSettings connecting = RpcSettings.connecting(settings);
        try (RpcEnv rpc = rpcs.open(connecting);
                ThreadEventLoop loop = new ThreadEventLoop("relay", this::failed)) {
            RpcScope scope = RelayScope.ofRelay(
                    rpc, orders.application(), connecting.security().secret().isPresent());
            DirectLine line = DirectLines.of(identity, loop, RelayOrders.line(launch.orders()));
            Relay relay = new Relay(
                    loop, scope, orders.driver(), line, MasterContainer.id(environment), orders.driverTimeout());
            loop.execute(() -> relay.start().thenAccept(ended::complete));
            Optional<HearthException> why = ended.get();
            if (why.isPresent()) {
                throw why.get();
            }
            return ExitStatus.of(ExitCode.OK);
        } catch (ExecutionException failure) {
            throw ErrorCode.INTERNAL.failure("relay: " + Failures.describe(failure.getCause()), failure.getCause());
        }
    }

    private static String history(Settings settings, LineIdentity identity) {
        SettingsReader in = new SettingsReader(YarnFormerSettings.resolved(settings));
        HistorySettings history = HistorySettings.read(in);
        in.finish();
        return history.link(
                key -> Optional.ofNullable(identity.configuration().get(key)),
                identity.attempt().getApplicationId().toString(),
                Optional.of(String.valueOf(identity.attempt().getAttemptId())));
    }

    /** Ends the process after a failure in its loop, so that YARN starts another one. */
    private void failed(Throwable failure) {
        LOG.error("relay", failure);
        ended.complete(Optional.of(ErrorCode.INTERNAL.failure("relay: " + Failures.describe(failure), failure)));
    }

    @Override
    public void stop() {
        // YARN ends the process; the driver waits for its successor
        ended.complete(Optional.of(ErrorCode.CLUSTER_LOST.failure(
                "relay: ordered to end by a signal (expected: until its application ends)")));
    }
}
