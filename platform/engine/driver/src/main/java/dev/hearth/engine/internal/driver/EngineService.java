package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.engine.internal.executor.CoreThreads;
import dev.hearth.engine.internal.executor.Lazy;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.Settings;
import dev.hearth.status.monitor.OpenApplications;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each application its contexts: a driver each, with a loop of its own and the newest manager for its master. */
@Component(service = DriverEngine.class)
public final class EngineService implements DriverEngine {
    private static final Logger LOG = LoggerFactory.getLogger(EngineService.class);
    private static final String DEFAULT_MASTER = "local[*]";

    private final ClusterManagers managers;
    private final RpcEnvFactory rpcs; // opens nothing until a driver needs it: local ones never do
    private final OpenApplications shown;
    private final Supplier<ProcessMemory> memory = // shared by all contexts of the process
            new Lazy<>(() -> new ProcessMemory(Runtime.getRuntime().maxMemory()));
    private final OnDemandBundles reserves;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    private volatile List<EventSubscriber> subscribers; // given by the framework, where there is one

    private final Set<Application> inUse =
            ConcurrentHashMap.newKeySet(); // those with open contexts: others need not be kept
    private final AtomicInteger driversMade = new AtomicInteger(); // endpoint names are unique within a process

    @Activate
    public EngineService(
            @Reference ClusterManagers managers,
            @Reference RpcEnvFactory rpcs,
            @Reference OpenApplications shown,
            @Reference OnDemandBundles reserves) {
        this(managers, rpcs, shown, reserves, List.of());
    }

    /** Where there is no framework: {@code subscribers} are those there are. */
    public EngineService(
            ClusterManagers managers,
            RpcEnvFactory rpcs,
            OpenApplications shown,
            OnDemandBundles reserves,
            List<EventSubscriber> subscribers) {
        this.reserves = reserves;
        this.managers = managers;
        this.rpcs = rpcs;
        this.shown = shown;
        this.subscribers = List.copyOf(subscribers);
    }

    @Override
    public Application begin(Settings settings, ApplicationLoader code) {
        return new OpenApplication(settings, code);
    }

    /** Guarded by its own lock where contexts come and the end goes; contexts are closed outside of it. */
    private final class OpenApplication implements Application {
        private final Settings settings;
        private final ApplicationLoader code;
        private final Set<DriverContext> contexts = new LinkedHashSet<>();
        private boolean ended;

        OpenApplication(Settings settings, ApplicationLoader code) {
            this.settings = settings;
            this.code = code;
        }

        @Override
        public ContextProvider contexts() {
            return this::open;
        }

        @Override
        public List<HearthContext> open() {
            synchronized (contexts) {
                return List.copyOf(contexts);
            }
        }

        @Override
        public void end(boolean succeeded) {
            List<DriverContext> open;
            synchronized (contexts) {
                ended = true;
                open = List.copyOf(contexts);
            }
            for (DriverContext context : open) {
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
            reserves.startFor(asked); // what the application itself set may need bundles that nobody asked for before
            MasterUrl master = MasterUrl.parse(asked.find("hearth.master").orElse(DEFAULT_MASTER));
            String given = asked.find("hearth.app.name").orElse(request.name());
            String name = given.isBlank() ? "unnamed" : given;
            PinnedManager pinned = managers.pin(master, "application " + name);
            DriverContext context;
            try {
                context = make(asked, master, name, pinned);
            } catch (RuntimeException failure) {
                pinned.close();
                throw failure;
            }
            try {
                add(context);
                return context.open();
            } catch (RuntimeException failure) {
                context.close(ApplicationResult.FAILED);
                throw failure;
            }
        }

        private DriverContext make(Settings asked, MasterUrl master, String name, PinnedManager pinned) {
            pinned.manager().validate(master);
            Settings effective = Settings.empty()
                    .with("defaults of " + master, pinned.manager().defaults(master))
                    .with(asked)
                    .with("defaults", Map.of("hearth.master", master.text()));
            ThreadEventLoop loop =
                    new ThreadEventLoop("driver-loop", failure -> LOG.error("driver loop of {}", name, failure));
            try {
                DriverSetup setup = new DriverSetup(
                        driversMade.incrementAndGet(),
                        name,
                        effective,
                        master,
                        pinned.manager(),
                        loop,
                        rpcs::open,
                        code,
                        CoreThreads::new,
                        memory,
                        List.copyOf(subscribers),
                        shown,
                        Optional.empty());
                return new DriverContext(setup, closed -> {
                    remove(closed);
                    loop.close();
                    pinned.close();
                });
            } catch (RuntimeException failure) { // a setting that cannot be used
                loop.close();
                throw failure;
            }
        }

        private void add(DriverContext context) {
            synchronized (contexts) {
                if (ended) {
                    throw ErrorCode.CONTEXT_CLOSED.failure("context of " + context.applicationName()
                            + ": opened after its application had ended (expected: before)");
                }
                contexts.add(context);
                inUse.add(this);
            }
        }

        private void remove(DriverContext context) {
            synchronized (contexts) {
                contexts.remove(context);
                if (contexts.isEmpty()) {
                    inUse.remove(this);
                }
            }
        }
    }
}
