package dev.hearth.standalone.internal.daemon;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ResourceDiscovery;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.live.Live;
import dev.hearth.spi.live.LiveServices;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.process.Prestart;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.ProcessSignals;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.shuffle.ShuffleService;
import dev.hearth.spi.shuffle.ShuffleServiceFactory;
import dev.hearth.spi.shuffle.ShuffleServiceSettings;
import dev.hearth.spi.stream.ContentStores;
import dev.hearth.standalone.internal.client.MasterAddresses;
import dev.hearth.standalone.internal.contents.ContentSettings;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.worker.ContentFetches;
import dev.hearth.standalone.internal.worker.ServedExecutors;
import dev.hearth.standalone.internal.worker.WorkerPages;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a process as worker. Prints the worker's id on one line of standard output once a master has registered the
 * worker.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=worker")
public final class WorkerRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Worker");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    // memory that is not offered: the operating system and the worker itself need it
    private static final int RESERVED_MEBIBYTES = 1024;
    private static final long MEBIBYTE = 1024 * 1024;
    private static final int STOP_SECONDS_MAX = 7;
    private static final int SESSION_BYTES = 16;
    private static final String SCHEME = "hearth";

    /** System property that is set if sbin/hearth-daemon has started this process: the log is not on standard error. */
    private static final String LOG_FILE = "hearth.log.roleFile";

    private final RpcEnvFactory rpcs;
    private final ProcessLauncher processes;
    private final ContentStores stores;
    private final WorkerMetrics metrics;
    private final LiveServices services;
    private final CountDownLatch stopRequested = new CountDownLatch(1);

    @Activate
    public WorkerRole(
            @Reference RpcEnvFactory rpcs,
            @Reference ProcessLauncher processes,
            @Reference ContentStores stores,
            @Reference WorkerMetrics metrics,
            @Reference LiveServices services) {
        this.metrics = metrics;
        this.services = services;
        this.stores = stores;
        this.rpcs = rpcs;
        this.processes = processes;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        DaemonArguments arguments = DaemonArguments.parse("worker", launch.arguments(), launch.settings());
        arguments.warnings().forEach(line -> launch.err().println("warning: " + line));
        MasterUrl master = master(arguments);
        Offer offer = Offer.read(arguments.settings());
        if (offer.user.isPresent()) {
            Files.createDirectories(offer.directory);
            processes.requireUser(offer.user.get(), offer.directory);
        }
        RpcSettings listening = RpcSettings.listeningFrom(arguments.settings(), offer.host, offer.port);
        WorkerSpec.Children children = WorkerSpec.Children.of(launch.settings(), listening.security(), offer.user);
        try (RpcEnv rpc = rpcs.open(listening);
                ThreadEventLoop loop = new ThreadEventLoop("worker", failure -> LOG.error("worker", failure));
                ThreadEventLoop disk = new ThreadEventLoop("worker-files", failure -> LOG.error("files", failure));
                StartThreads starts = new StartThreads();
                HeldContents contents = new HeldContents(
                        stores, offer.directory, ContentSettings.workerLedger(arguments.settings()), loop.ticker())) {
            WorkerSpec spec =
                    spec(arguments.settings(), children, master, rpc.address().orElseThrow(), loop);
            ContentFetches files = new ContentFetches(rpc.streams(), contents, disk);
            prestart(arguments.settings(), offer);
            ServedExecutors served =
                    new ServedExecutors(shuffleService(spec.id(), rpc, disk, offer, arguments.settings()));
            WorkerShell shell =
                    new WorkerShell(spec, loop, rpc, processes, starts, files, served, why -> warn(launch, why));
            WorkerPages pages = new WorkerPages(shell);
            WorkerPages.PREFIXES.forEach(prefix -> rpc.serve(prefix, pages));
            metrics.open(shell::figures);
            rpc.serve(MetricsPage.PREFIX, MetricsPage.ofWorker(metrics));
            shell.left().thenRun(stopRequested::countDown);
            ProcessSignals signals = decommissionBySignal(arguments.settings(), shell);
            shell.start().thenRun(() -> {
                launch.out().println(spec.id());
                launch.out().flush();
            });
            stopRequested.await();
            signals.close();
            metrics.close();
            LOG.info("worker {} ends, as it was ordered to", spec.id());
            shell.stop()
                    .toCompletableFuture()
                    .orTimeout(STOP_SECONDS_MAX, TimeUnit.SECONDS)
                    .join();
            return ExitStatus.of(ExitCode.OK);
        }
    }

    /** Opens the shuffle service of this worker, if it is enabled; the bundle with it starts only then. */
    private Optional<ShuffleService> shuffleService(
            String worker, RpcEnv rpc, EventLoop disk, Offer offer, Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        boolean isEnabled = in.read(ShuffleServiceSettings.ENABLED);
        in.expect(
                !isEnabled || offer.user.isEmpty(),
                ShuffleServiceSettings.ENABLED,
                "false with " + DaemonSettings.WORKER_RUN_AS
                        + ", as executors of another user cannot write to directories" + " of the worker");
        in.finish();
        if (!isEnabled) {
            return Optional.empty();
        }
        try (Live<ShuffleServiceFactory> factory = services.live(ShuffleServiceFactory.class, "")) {
            return Optional.of(factory.call(open -> open.open(worker, rpc, disk, offer.directory, settings)));
        }
    }

    private void prestart(Settings settings, Offer offer) {
        SettingsReader in = new SettingsReader(settings);
        boolean isEnabled = in.read(DaemonSettings.WORKER_PRESTARTS);
        Duration timeout = in.read(DaemonSettings.WORKER_PRESTART_TIMEOUT);
        in.finish();
        if (isEnabled) {
            processes.prestart(new Prestart(offer.directory.resolve(".prestarted"), timeout, SCHEME));
        }
    }

    private static ProcessSignals decommissionBySignal(Settings settings, WorkerShell shell) {
        SettingsReader in = new SettingsReader(settings);
        String signal = in.read(DaemonSettings.DECOMMISSION_SIGNAL);
        in.finish();
        return ProcessSignals.receive(
                List.of(signal),
                name -> shell.decommission("signal " + name),
                failure -> LOG.warn(
                        "hearth.worker.decommission.signal: no signal {} decommissions this worker: {} (expected: a"
                                + " signal that Java does not keep for itself)",
                        signal,
                        Failures.describe(failure)));
    }

    /** Reports to the script that waits for this worker; its log is in a file, and the log says the same. */
    private static void warn(RoleLaunch launch, String why) {
        if (!System.getProperty(LOG_FILE, "").isEmpty()) {
            launch.err().println("warning: worker: " + why);
        }
    }

    @Override
    public void stop() {
        stopRequested.countDown();
    }

    private static MasterUrl master(DaemonArguments arguments) {
        if (arguments.rest().size() != 1) {
            throw ErrorCode.BAD_ARGUMENT.failure("worker: " + arguments.rest().size()
                    + " master URLs (expected: one, for example hearth://127.0.0.1:7077)");
        }
        MasterUrl master = MasterUrl.parse(arguments.rest().get(0));
        if (!master.scheme().equals(SCHEME)) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "worker: master URL '" + master + "' (expected: hearth://host:port[,host:port])");
        }
        return master;
    }

    private static Optional<Duration> departureTimeout(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Optional<Duration> found = in.find(DaemonSettings.DECOMMISSION_TIMEOUT);
        in.finish();
        return found;
    }

    private static boolean limitsProcessors(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        boolean limits = in.read(DaemonSettings.LIMITS_PROCESSORS);
        in.finish();
        return limits;
    }

    private static WorkerSpec.Pages pages(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        WorkerSpec.Pages pages = new WorkerSpec.Pages(
                in.read(DaemonSettings.ENDED_DRIVERS_KEPT),
                in.read(DaemonSettings.ENDED_EXECUTORS_KEPT),
                HttpAccess.from(settings).scheme());
        in.finish();
        return pages;
    }

    private static WorkerSpec spec(
            Settings settings, WorkerSpec.Children children, MasterUrl master, RpcAddress address, EventLoop loop) {
        Offer offer = Offer.read(settings);
        String id = DaemonSettings.workerId(
                offer.idPattern, STAMP.format(loop.ticker().wall()), address.host(), address.port());
        return new WorkerSpec(
                id,
                address,
                offer.cores,
                offer.memoryMebibytes,
                offer.directory,
                OutputFiles.from(settings),
                CleanupSettings.from(settings),
                MasterAddresses.parse(master),
                children,
                resources(settings),
                departureTimeout(settings),
                pages(settings),
                limitsProcessors(settings),
                session());
    }

    /** A name that no other process of a worker has. */
    private static String session() {
        byte[] random = new byte[SESSION_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** Addresses of the resources that this worker offers. Runs discovery scripts, so it may take a while. */
    static List<ResourceInformation> resources(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Map<String, ResourceRequest> requests = ResourceRequest.read(in, DaemonSettings.WORKER_RESOURCES);
        Map<String, ResourceInformation> listed = in.find(DaemonSettings.WORKER_RESOURCES_FILE)
                .map(file -> ResourceDiscovery.ofFile(Path.of(file), "spark.worker"))
                .orElse(Map.of());
        in.finish();
        Map<String, ResourceInformation> found = new TreeMap<>(listed);
        found.putAll(ResourceDiscovery.find("worker", requests, listed));
        return List.copyOf(found.values());
    }

    /**
     * Address and resources that this worker offers to the master, and the operating-system user as whom its children
     * run; empty for the worker's own user.
     */
    private record Offer(
            String host,
            int port,
            int cores,
            int memoryMebibytes,
            Path directory,
            Optional<String> user,
            String idPattern) {
        static Offer read(Settings settings) {
            SettingsReader in = new SettingsReader(settings);
            Offer offer = new Offer(
                    in.read(DaemonSettings.WORKER_HOST),
                    in.read(DaemonSettings.WORKER_PORT),
                    in.find(DaemonSettings.WORKER_CORES)
                            .orElseGet(() -> Runtime.getRuntime().availableProcessors()),
                    in.find(DaemonSettings.WORKER_MEMORY).orElseGet(WorkerRole::machineMebibytes),
                    in.find(DaemonSettings.WORKER_DIRECTORY)
                            .map(Path::of)
                            .orElseGet(() -> Path.of(System.getProperty("user.home"), ".hearth", "work"))
                            .toAbsolutePath(),
                    in.find(DaemonSettings.WORKER_RUN_AS).map(String::strip),
                    in.read(DaemonSettings.WORKER_ID_PATTERN));
            in.finish();
            return offer;
        }
    }

    private static int machineMebibytes() {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        long mebibytes = system.getTotalMemorySize() / MEBIBYTE - RESERVED_MEBIBYTES;
        return (int) Math.max(RESERVED_MEBIBYTES, Math.min(mebibytes, Integer.MAX_VALUE));
    }
}
