package dev.hearth.local.cluster;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.ProcessLauncher;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cluster manager for {@code local-cluster} master URLs. Starts executor processes on the driver's machine; does not
 * support cluster mode. Any thread may call.
 * <p>Uses one thread to start processes and to read their logs; the thread ends when idle.
 */
@Component(service = ClusterManager.class, property = ClusterManager.SCHEME + "=local-cluster")
public final class LocalClusterManager implements ClusterManager {
    private static final Logger LOG = LoggerFactory.getLogger(LocalClusterManager.class);
    private static final long IDLE_SECONDS_MAX = 5;

    private final ProcessLauncher launcher;
    private final Executor files;
    private final long process;
    private final AtomicInteger opened = new AtomicInteger();
    private final LocalClusterView view;

    @Activate
    public LocalClusterManager(@Reference ProcessLauncher launcher) {
        this(launcher, ownThread(), ProcessHandle.current().pid());
    }

    /**
     * {@code files} runs work that blocks on the disk. {@code process} is a number that identifies this process. It
     * becomes part of application ids, so that they are unique.
     */
    public LocalClusterManager(ProcessLauncher launcher, Executor files, long process) {
        this.view = new LocalClusterView(launcher, System.getProperty("user.name", ""));
        this.launcher = launcher;
        this.files = files;
        this.process = process;
    }

    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.of(DeployMode.CLIENT);
    }

    @Override
    public void validate(MasterUrl master) {
        LocalClusterUrl.parse(master);
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        LocalClusterUrl url = LocalClusterUrl.parse(master);
        return Map.of(
                ApplicationSettings.EXECUTOR_CORES.name(),
                String.valueOf(url.cores()),
                ApplicationSettings.EXECUTOR_MEMORY.name(),
                url.memoryMebibytes() + "m");
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        try {
            LocalClusterUrl url = LocalClusterUrl.parse(master);
            LocalClusterSettings settings =
                    LocalClusterSettings.from(url, application.settings(), driver.profile(ProfileId.DEFAULT));
            ApplicationId id = new ApplicationId("local-cluster-"
                    + driver.loop().ticker().wall().toEpochMilli() + "-" + process + "-" + opened.getAndIncrement());
            removeEnded(settings, CleanupSettings.from(application.settings()), driver.loop());
            return shares(settings)
                    .thenApply(shares -> shown(new LocalClusterBackend(
                            id, application.name(), url, settings, shares, driver, launcher, files)));
        } catch (RuntimeException failure) { // invalid settings, or no free port for the driver
            return CompletableFuture.failedStage(failure);
        }
    }

    /** View of the local clusters of this process; those of other processes are not known. */
    @Override
    public ClusterView view(MasterUrl master, SubmissionServices services) {
        return view;
    }

    private LocalClusterBackend shown(LocalClusterBackend backend) {
        view.add(backend);
        backend.ended().thenRun(() -> view.remove(backend));
        return backend;
    }

    /** Finds the addresses of resources, on the thread for files because discovery scripts may take a while. */
    private CompletionStage<ResourceShares> shares(LocalClusterSettings settings) {
        return settings.hasResources()
                ? CompletableFuture.supplyAsync(
                        () -> ResourceShares.find(settings.resources(), settings.executorsMax()), files)
                : CompletableFuture.completedStage(ResourceShares.NONE);
    }

    /**
     * Removes the work directories of earlier applications that ended longer ago than the retention time. A failure is
     * only logged.
     */
    private void removeEnded(LocalClusterSettings settings, CleanupSettings cleanup, EventLoop loop) {
        if (cleanup.isEnabled()) {
            launcher.removeEnded(
                            settings.directory(), cleanup.retained(loop.ticker().wall()))
                    .whenComplete((removed, failure) -> {
                        if (failure != null) {
                            LOG.warn("work directory: not cleaned up: {}", Failures.describe(failure));
                        }
                    });
        }
    }

    private static Executor ownThread() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS_MAX, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), action -> {
                    Thread thread = new Thread(null, action, "hearth-local-cluster", 0, false);
                    thread.setDaemon(true);
                    // By default the thread would inherit the class loader of the first application, and so leak it.
                    thread.setContextClassLoader(LocalClusterManager.class.getClassLoader());
                    return thread;
                });
        one.allowCoreThreadTimeOut(true);
        return one;
    }
}
