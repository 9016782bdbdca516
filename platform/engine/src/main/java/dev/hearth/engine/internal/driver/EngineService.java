package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.engine.internal.executor.PooledTaskThreads;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each application its contexts: a driver each, with a loop of its own and the newest manager for its master. */
@Component(service = DriverEngine.class)
public final class EngineService implements DriverEngine {
    private static final Logger LOG = LoggerFactory.getLogger(EngineService.class);
    private static final String DEFAULT_MASTER = "local[*]";

    private final ClusterManagers managers;
    private final RpcEnvFactory rpcs; // opens nothing until a driver needs it: local ones never do

    private final AtomicInteger driversMade = new AtomicInteger(); // endpoint names are unique within a process

    @Activate
    public EngineService(@Reference ClusterManagers managers, @Reference RpcEnvFactory rpcs) {
        this.managers = managers;
        this.rpcs = rpcs;
    }

    @Override
    public Application begin(Settings settings, ApplicationLoader code) {
        return new OpenApplication(settings, code);
    }

    private final class OpenApplication implements Application {
        private final Settings settings;
        private final ApplicationLoader code;
        private final List<DriverContext> contexts = new CopyOnWriteArrayList<>();

        OpenApplication(Settings settings, ApplicationLoader code) {
            this.settings = settings;
            this.code = code;
        }

        @Override
        public ContextProvider contexts() {
            return this::open;
        }

        @Override
        public void end(boolean succeeded) {
            for (DriverContext context : contexts) {
                try {
                    context.close(succeeded ? ApplicationResult.FINISHED : ApplicationResult.FAILED);
                } catch (RuntimeException failure) { // the others still have to be closed
                    LOG.warn("context {}: closing: {}", context.applicationName(), Failures.describe(failure));
                }
            }
        }

        @Override
        public void close() {
            end(false);
        }

        private HearthContext open(ContextRequest request) {
            Settings asked = settings.with("the application", request.settings());
            MasterUrl master = MasterUrl.parse(asked.find("hearth.master").orElse(DEFAULT_MASTER));
            ClusterManager manager = managers.manager(master);
            manager.validate(master);
            Settings effective = Settings.empty()
                    .with("defaults of " + master, manager.defaults(master))
                    .with(asked);
            String name = effective.find("hearth.app.name").orElse(request.name());
            ThreadEventLoop loop =
                    new ThreadEventLoop("driver-loop", failure -> LOG.error("driver loop of {}", name, failure));
            DriverSetup setup = new DriverSetup(
                    driversMade.incrementAndGet(),
                    name.isBlank() ? "unnamed" : name,
                    effective.with("defaults", Map.of("hearth.master", master.text())),
                    master,
                    manager,
                    loop,
                    rpcs::open,
                    code,
                    PooledTaskThreads::new);
            DriverContext context = new DriverContext(setup, closed -> {
                contexts.remove(closed);
                loop.close();
            });
            contexts.add(context);
            try {
                return context.open();
            } catch (RuntimeException failure) {
                context.close(ApplicationResult.FAILED);
                throw failure;
            }
        }
    }
}
