package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.engine.internal.attachments.CarriedFiles;
import dev.hearth.engine.internal.driver.loop.DriverSetup;
import dev.hearth.engine.internal.driver.loop.LazyStores;
import dev.hearth.engine.internal.executor.CoreThreads;
import dev.hearth.engine.internal.executor.Lazy;
import dev.hearth.engine.internal.io.OpenStores;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.status.monitor.OpenApplications;
import java.nio.file.Path;
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

/**
 * Opens the contexts of applications. Each context gets its own driver and event loop. A context uses the newest
 * available cluster manager for the scheme of its master URL.
 */
@Component(service = DriverEngine.class)
public final class EngineService implements DriverEngine {
    private static final Logger LOG = LoggerFactory.getLogger(EngineService.class);
    private static final String DEFAULT_MASTER = "local[*]";

    private final ClusterManagers managers;
    private final RpcEnvFactory rpcs; // used only if executors run in other processes
    private final OpenApplications shown;
    private final Supplier<ProcessMemory> memory = // shared by all contexts of the process
            new Lazy<>(() -> new ProcessMemory(Runtime.getRuntime().maxMemory()));
    private final OnDemandBundles reserves;
    private final FileStoreRegistry stores;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    private volatile List<EventSubscriber> subscribers; // injected by the OSGi framework, if there is one

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    private volatile List<RackResolver> rackResolvers = List.of(); // by ascending service ranking

    private final Set<Application> inUse =
            ConcurrentHashMap.newKeySet(); // applications with open contexts, kept reachable
    private final AtomicInteger driverNumbers = new AtomicInteger(); // unique, as endpoint names must be

    @Activate
    public EngineService(
            @Reference ClusterManagers managers,
            @Reference RpcEnvFactory rpcs,
            @Reference OpenApplications shown,
            @Reference OnDemandBundles reserves,
            @Reference FileStoreRegistry stores) {
        this(managers, rpcs, shown, reserves, List.of(), stores);
    }

    /** Creates the engine in a process without an OSGi framework, which would inject these components. */
    public EngineService(
            ClusterManagers managers,
            RpcEnvFactory rpcs,
            OpenApplications shown,
            OnDemandBundles reserves,
            List<EventSubscriber> subscribers,
            FileStoreRegistry stores) {
        this.stores = stores;
        this.reserves = reserves;
        this.managers = managers;
        this.rpcs = rpcs;
        this.shown = shown;
        this.subscribers = List.copyOf(subscribers);
    }

    private Optional<RackResolver> rackResolver() {
        List<RackResolver> found = rackResolvers;
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(found.size() - 1));
    }

    @Override
    public Application begin(Settings settings, ApplicationLoader code) {
        return new OpenApplication(settings, code);
    }

    /**
     * One application with its open contexts. The lock of this object guards the set of contexts. Contexts are closed
     * without holding the lock, because closing blocks.
     */
    private final class OpenApplication implements Application {
        private final Settings settings;
        private final ApplicationLoader code;
        private final Set<DriverContext> contexts = new LinkedHashSet<>();
        private boolean ended;
        private boolean killed;

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
        public void placeFiles(Path directory) {
            String name = settings.find("hearth.app.name").orElse("unnamed");
            OpenStores opened = new OpenStores(name, settings, stores, () -> false);
            try {
                CarriedFiles.from(settings).place(directory, opened);
            } finally {
                opened.closing().toCompletableFuture().join();
            }
        }

        @Override
        public void killed() {
            synchronized (contexts) {
                killed = true;
                contexts.forEach(DriverContext::killed);
            }
        }

        @Override
        public void end(boolean succeeded) {
            List<DriverContext> open;
            ApplicationResult result = succeeded ? ApplicationResult.FINISHED : ApplicationResult.FAILED;
            synchronized (contexts) {
                ended = true;
                open = List.copyOf(contexts);
                result = killed ? ApplicationResult.KILLED : result;
            }
            for (DriverContext context : open) {
                try {
                    context.close(result);
                } catch (RuntimeException failure) { // the other contexts must still be closed
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
            PackageRequest.requireResolved(settings, asked);
            reserves.startFor(asked); // the settings may need optional bundles that are not started yet
            MasterUrl master = MasterUrl.parse(asked.find("hearth.master").orElse(DEFAULT_MASTER));
            String requested = asked.find("hearth.app.name").orElse(request.name());
            String name = requested.isBlank() ? "unnamed" : requested;
            PinnedManager pinned = managers.pin(master, "application " + name);
            DriverContext context;
            try {
                context = create(asked, master, name, pinned);
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

        private DriverContext create(Settings asked, MasterUrl master, String name, PinnedManager pinned) {
            pinned.manager().validate(master);
            SettingsReader in = new SettingsReader(asked);
            DeployMode mode = in.read(ApplicationSettings.DEPLOY_MODE);
            in.finish();
            if (mode == DeployMode.CLIENT) { // in cluster mode, the submitter has called this on its own machine
                SubmissionPlan plan =
                        SubmissionPlan.builder(name, "").settings(asked).build();
                pinned.manager().check(plan, master, mode);
            }
            Settings effective = Settings.empty()
                    .with("defaults of " + master, pinned.manager().defaults(master, mode))
                    .with(asked)
                    .with("defaults", Map.of("hearth.master", master.text()));
            reserves.startFor(effective); // the defaults of the manager may need some, too
            ThreadEventLoop loop = new ThreadEventLoop(
                    "driver-loop",
                    failure -> LOG.error("application {}: an action on the driver's event loop failed", name, failure));
            try {
                DriverSetup setup = new DriverSetup(
                        driverNumbers.incrementAndGet(),
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
                        EngineService.this::rackResolver,
                        new LazyStores(name, effective, stores, loop::inLoop),
                        Optional.empty());
                return new DriverContext(setup, closed -> {
                    remove(closed);
                    loop.close();
                    pinned.close();
                });
            } catch (RuntimeException failure) { // for example, a setting is invalid
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
                if (killed) {
                    context.killed();
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
