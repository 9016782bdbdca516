package dev.hearth.kernel.internal.boot;

import ch.qos.logback.classic.LoggerContext;
import dev.hearth.kernel.internal.application.ApplicationEndCalls;
import dev.hearth.kernel.internal.application.BundlePackages;
import dev.hearth.kernel.internal.application.FrameworkEndListeners;
import dev.hearth.kernel.internal.application.IsolatedApplications;
import dev.hearth.kernel.internal.deploy.DeploySettings;
import dev.hearth.kernel.internal.deploy.DeployerFactory;
import dev.hearth.kernel.internal.frozen.BundleFreezer;
import dev.hearth.kernel.internal.frozen.FrameworkBundleTransfer;
import dev.hearth.kernel.internal.frozen.FrozenBundleStarter;
import dev.hearth.kernel.internal.frozen.FrozenBundleStarter.Origin;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.kernel.internal.logging.DefaultLogging;
import dev.hearth.kernel.internal.logging.LogLevels;
import dev.hearth.kernel.internal.manager.RegisteredManagers;
import dev.hearth.kernel.internal.process.ChildProcesses;
import dev.hearth.kernel.internal.process.ProcessLeftovers;
import dev.hearth.kernel.internal.process.WorkDirectory;
import dev.hearth.kernel.internal.storage.RegisteredFileStores;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.time.Ticker;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a process in one role, from the command line to the exit status. Used once, by the main thread. */
public final class RoleProcess {
    private static final Logger LOG = LoggerFactory.getLogger(RoleProcess.class);
    /** Names a directory of bundles that a cluster manager has sent to this process, in place of those of the installation. */
    private static final String SENT = "hearth.bundles.sent";
    /**
     * Starts for which Java writes an archive of classes when this process ends; none if it writes no archive
     * (bin/hearth, ADR 0008). The framework is not stopped then: the archive lacks the classes of bundles whose class
     * loaders are garbage by then.
     */
    private static final List<ArchivedStart> ARCHIVED =
            ArchivedStart.parse(System.getProperty("hearth.archivesClasses", ""));

    private static final String DRIVER = "driver";
    /** Roles whose processes end with their application. */
    private static final Set<String> ONE_APPLICATION = Set.of(DRIVER, "submit", "executor");

    private static final Duration CHILDREN_GRACE = Duration.ofSeconds(5);
    private static final Duration FRAMEWORK_STOP = Duration.ofSeconds(2);
    /**
     * Time in which child processes may end if the role did not stop. It is short, because the parent kills this
     * process two seconds after {@link ShutdownSequence#BOUND}.
     */
    private static final Duration CHILDREN_LAST_GRACE = Duration.ofSeconds(1);

    /** Time for processes that user code has forked to end; then they are killed. */
    private static final Duration LEFTOVERS_GRACE = Duration.ofMillis(500);

    private final Home home;
    private final StandardStreams streams;
    private final StartupTrace trace;
    private final ChildProcesses children;
    private volatile boolean isChild; // read by the shutdown hook
    private volatile Optional<FrameworkCache> cache = Optional.empty(); // also read by the shutdown hook
    private boolean exits = true;
    private Optional<Kernel> kernel = Optional.empty();
    private Optional<OnDemandBundleStarter> reserves = Optional.empty();
    private Optional<DeploymentServices> hosting = Optional.empty();

    public RoleProcess(Home home, StandardStreams streams, StartupTrace trace) {
        this.home = home;
        this.streams = streams;
        this.trace = trace;
        children =
                new ChildProcesses(home.root(), role -> home.roles().read(role).jvmOptions(), System.getenv());
    }

    /** Runs the role that the first argument names, with the remaining arguments. Returns the exit status. */
    public int run(List<String> arguments) throws Exception {
        ParentWatch.Mode mode = ParentWatch.mode();
        Role role = home.roles().read(arguments.isEmpty() ? "" : arguments.get(0));
        if (role.orders() && OrdersUsage.isAsked(arguments)) {
            streams.out().print(OrdersUsage.of(role.name()));
            return ExitCode.OK.status();
        }
        OrdersChoice choice = choice(role, mode, arguments.subList(1, arguments.size()));
        List<String> rest = choice.arguments();
        ProcessSettings parsed =
                ProcessSettings.read(home, role, rest, Path.of(""), System.getenv(), System.getProperties());
        // a parent withholds the variables of secrets from its children, and passes what they need in their orders
        Settings settings =
                mode == ParentWatch.Mode.ORDERS ? parsed.settings().withoutUnsetSecrets() : parsed.settings();
        choice.requireNoOthers(role, parsed.arguments());
        isChild = mode == ParentWatch.Mode.ORDERS || ChildMark.isSet(System.getenv());
        children.withhold(settings);
        DefaultLogging.applySettings(settings, role.name());
        parsed.warn(streams.err());
        trace.step("settings");
        Optional<Path> sent = Optional.ofNullable(System.getProperty(SENT)).map(Path::of);
        BundleFiles files = BundleFiles.of(role, rest, home.bundles(), sent);
        trace.step("jars");
        ShutdownSequence ending =
                new ShutdownSequence(Thread.currentThread(), this::releaseByForce, streams::hasLostResults);
        ending.watchSignals();
        ParentWatch lifeLine = watchParent(mode, ending);
        try {
            RoleMain work = boot(role, rest, files, settings);
            Optional<Map<String, String>> orders = orders(choice, role, work, lifeLine, ending);
            if (orders.isEmpty()) {
                return ExitCode.TERMINATED.status();
            }
            if (mode != ParentWatch.Mode.ORDERS
                    && !role.ownArguments()) { // otherwise the parent or the role checks the settings
                parsed.check(new RegisteredSettings(kernel.orElseThrow().context(), home.root()), streams.err());
            }
            RoleLaunch launch = new RoleLaunch(
                    home.root(), parsed.arguments(), orders.get(), settings, streams.out(), streams.err());
            trace.step("role " + role.name());
            return ending.begin(work::stop) ? run(work, launch) : ExitCode.TERMINATED.status();
        } finally {
            ending.finish();
            release();
            lifeLine.close();
            exits = ending.complete();
            trace.step("end");
        }
    }

    /**
     * Returns after {@link #run} if the main thread is to end the process. Never returns if another thread ends it
     * already, because then that exit status counts.
     */
    public void awaitOtherEnd() {
        while (!exits) {
            LockSupport.park(this);
        }
    }

    private static OrdersChoice choice(Role role, ParentWatch.Mode mode, List<String> arguments) {
        OrdersChoice choice = OrdersChoice.of(
                role,
                mode == ParentWatch.Mode.ORDERS,
                arguments,
                Optional.ofNullable(System.getProperty(OrdersChoice.PROPERTY)),
                Optional.ofNullable(System.getenv(OrdersChoice.VARIABLE)));
        if (choice.isWithoutParent()) {
            System.setIn(InputStream.nullInputStream()); // standard input has no meaning, and may be closed
        }
        return choice;
    }

    /** Waits for the orders of this process; empty if it was asked to end meanwhile. */
    private Optional<Map<String, String>> orders(
            OrdersChoice choice, Role role, RoleMain work, ParentWatch lifeLine, ShutdownSequence ending)
            throws InterruptedException {
        if (choice.kind() == OrdersChoice.Kind.NONE) {
            return Optional.of(Map.of());
        }
        OrdersReader reader = new OrdersSources(
                        kernel.orElseThrow().context(), reserves.orElseThrow(), lifeLine.orders(), System.getenv())
                .open(choice, role.name());
        if (!ending.begin(reader::cancel)) {
            reader.cancel();
        }
        Optional<String> scheme = OrdersSources.prestarted();
        if (scheme.isPresent()) {
            prepare(work, scheme.get());
        }
        return reader.await();
    }

    private ParentWatch watchParent(ParentWatch.Mode mode, ShutdownSequence ending) {
        if (mode == ParentWatch.Mode.ORDERS) {
            WorkDirectory.holdForLife(Path.of("").toAbsolutePath());
        }
        return ParentWatch.open(
                mode,
                mode == ParentWatch.Mode.NONE ? streams.in() : StandardStreams.interruptibleInput(),
                ending::onParentEnded);
    }

    private int run(RoleMain work, RoleLaunch launch) throws Exception {
        try {
            return work.run(launch).status();
        } finally {
            if (!ARCHIVED.isEmpty()) { // also after a failure, as of a submission to a cluster that is not there
                prepareAll();
            }
        }
    }

    /** Loads the classes of the other roles, so that the archive has them too. */
    private void prepareAll() throws InterruptedException, InvalidSyntaxException {
        BundleContext context = kernel.orElseThrow().context();
        for (ServiceReference<RoleMain> role : context.getServiceReferences(RoleMain.class, null)) {
            RoleMain found = context.getService(role);
            for (ArchivedStart start : found == null ? List.<ArchivedStart>of() : ARCHIVED) {
                if (start.isOf(role.getProperty(RoleMain.ROLE))) {
                    prepare(found, start.scheme());
                }
            }
        }
    }

    /** Prepares a process that was started before it is needed. */
    private void prepare(RoleMain work, String scheme) throws InterruptedException {
        try {
            work.prepare(scheme);
            trace.step("prepared");
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | LinkageError failure) { // the role reports it if it still fails when it runs
            LOG.debug("not prepared", failure);
        }
    }

    private RoleMain boot(Role role, List<String> arguments, BundleFiles files, Settings settings)
            throws InterruptedException {
        FrameworkCache directory =
                FrameworkCache.open(Path.of(System.getProperty("java.io.tmpdir")), System.getProperty("user.name"));
        cache = Optional.of(directory);
        trace.step("cache");
        Kernel booted = Kernel.boot(directory.directory());
        kernel = Optional.of(booted);
        trace.step("framework");
        BundleContext context = booted.context();
        BundleUsageRegistry uses = new BundleUsageRegistry();
        OnDemandBundleStarter onDemand = new OnDemandBundleStarter(booted, files.reserves());
        reserves = Optional.of(onDemand);
        context.registerService(ProcessLauncher.class, children, null);
        context.registerService(SettingsGroup.class, new KernelSettings(), null);
        context.registerService(DeclaredSettings.class, new RegisteredSettings(context, home.root()), null);
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
            context.registerService(Logs.class, new LogLevels(logging, settings, role.name()), null);
        }
        context.registerService(
                ApplicationLoaders.class,
                applications(role, context, uses, onDemand, directory.directory(), settings),
                null);
        context.registerService(
                ClusterManagers.class,
                new RegisteredManagers(context, uses, onDemand, new BundleHints(home.lib())::ofMaster),
                null);
        context.registerService(
                FileStoreRegistry.class,
                new RegisteredFileStores(
                        context,
                        uses,
                        scheme -> startStores(onDemand, scheme),
                        () -> onDemand.startForPaths(new SiteFileTriggers(System.getenv(), home.conf())),
                        DeploySettings.from(settings).providerWait()),
                null);
        RoleStartRules rules = new RoleStartRules(role.name(), arguments, settings);
        DeployerFactory.StartPolicy policy = DeploymentServices.policy(booted, home, onDemand, rules);
        DeploymentServices own = DeploymentServices.register(
                context, home, role, settings, directory.directory(), uses, onDemand, policy);
        hosting = Optional.of(own);
        List<BundleFailure> failures = booted.start(files.jars());
        onDemand.startFor(settings);
        trace.step(files.jars().size() + " bundles");
        own.settle();
        RoleMain work = new RoleSearch(booted, failures, role.name(), new BundleHints(home.lib())).find();
        own.begin(work);
        return work;
    }

    private static void startStores(OnDemandBundleStarter reserves, String scheme) {
        if (!reserves.startForScheme(scheme)) {
            reserves.startForService(FileStores.class.getName());
        }
    }

    private ApplicationLoaders applications(
            Role role,
            BundleContext context,
            BundleUsageRegistry uses,
            OnDemandBundleStarter reserves,
            Path own,
            Settings settings) {
        Path jars = own.resolve("frozen");
        List<Path> directories =
                List.of(home.bundles(), DeploySettings.from(settings).directory(home.root()));
        Origin origin = role.name().equals(DRIVER) ? Origin.SUBMITTER : Origin.DRIVER;
        return new IsolatedApplications(
                new BundlePackages(context, uses, reserves::startForPackages, directories),
                new FrameworkBundleTransfer(
                        new BundleFreezer(context, uses, this::jars, jars, reserves, hashes(role)),
                        new FrozenBundleStarter(context, home.bundles(), jars, origin, reserves)),
                new ApplicationEndCalls(new FrameworkEndListeners(context, uses), ApplicationEndCalls.BOUND),
                reserves::startFor,
                !ONE_APPLICATION.contains(role.name()));
    }

    /** Hashes that processes of the user remember; none in a container, whose files and home are not the user's. */
    private static Optional<ContentHashes> hashes(Role role) {
        return role.name().equals(DRIVER)
                ? Optional.empty()
                : Optional.of(new ContentHashes(
                        ContentHashes.storeOf(System.getenv(), Path.of(System.getProperty("user.home"))),
                        Ticker.system(),
                        LOG::debug));
    }

    /**
     * Returns the jars with which processes of {@code role} start in this installation; empty if it has no such role.
     */
    private List<Path> jars(String role) {
        Roles roles = home.roles();
        return roles.has(role)
                ? BundleFiles.of(roles.read(role), List.of(), home.bundles()).jars()
                : List.of();
    }

    private void release() {
        children.close(CHILDREN_GRACE);
        endLeftovers();
        hosting.ifPresent(DeploymentServices::close);
        if (ARCHIVED.isEmpty()) {
            kernel.ifPresent(booted -> booted.stop(FRAMEWORK_STOP));
        }
        cache.ifPresent(FrameworkCache::close);
    }

    /** Stops child processes and removes the cache. Used when the main thread cannot do so in time. */
    private void releaseByForce() {
        children.close(CHILDREN_LAST_GRACE);
        endLeftovers();
        cache.ifPresent(FrameworkCache::close);
    }

    /** Ends what user code of this process has forked, if this is a child: its parent may be gone. */
    private void endLeftovers() {
        if (!isChild) { // the mark of the environment is that of a child around this process
            return;
        }
        ProcessLeftovers.ofThisProcess(System.getenv()).ifPresent(leftovers -> {
            try {
                leftovers.remember(ProcessHandle.current());
                leftovers.end(LEFTOVERS_GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
