package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.EndpointUri;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects one application's {@link LocalCluster} to the driver and to the executor processes, and performs the effects
 * that the {@code LocalCluster} decides on. Owned by the application's event loop. {@code files} starts processes and
 * reads their logs on a separate thread, because both may block. Events are reported in separate actions of the event
 * loop. Invariant: a process that starts after the event loop was closed is stopped.
 */
final class LocalClusterBackend implements SchedulerBackend, LocalClusterView.Shown {
    private static final Logger LOG = LoggerFactory.getLogger(LocalClusterBackend.class);

    private final ApplicationId application;
    private final String name;
    private final LocalClusterUrl url;
    private final LocalClusterSettings settings;
    private final Set<ProfileId> unplaceable = new LinkedHashSet<>(); // reported ones
    private final ResourceShares shares;
    private final DriverServices driver;
    private final EventLoop loop;
    private final EndpointUri endpoint;
    private final ProcessLauncher launcher;
    private final Executor files;
    private final LocalCluster cluster;
    private final Performer performer = new Performer();
    private final ExecutorRecords records;
    private final long startedMillis;
    private final Map<ExecutorId, ChildProcess> processes = new LinkedHashMap<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile List<ExecutorEntry> executors = List.of(); // immutable snapshot for other threads

    LocalClusterBackend(
            ApplicationId application,
            String name,
            LocalClusterUrl url,
            LocalClusterSettings settings,
            ResourceShares shares,
            DriverServices driver,
            ProcessLauncher launcher,
            Executor files) {
        this.shares = shares;
        this.application = application;
        this.name = name;
        this.url = url;
        this.settings = settings;
        this.driver = driver;
        this.loop = driver.loop();
        this.endpoint = driver.driverEndpoint();
        this.launcher = launcher;
        this.files = files;
        this.cluster = new LocalCluster(settings, loop.ticker().nanos());
        this.records = new ExecutorRecords(application, host());
        this.startedMillis = nowMillis();
    }

    @Override
    public ApplicationId application() {
        return application;
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        loop.requireInLoop();
        boolean excluded = excludedHosts.contains(host());
        Map<ProfileId, Integer> totals = new LinkedHashMap<>();
        demands.forEach((profile, demand) -> {
            int total = excluded || !isPlaceable(profile, demand) ? 0 : demand.executors();
            totals.put(profile, total);
        });
        cluster.want(totals, now());
        perform();
    }

    /** Whether the master URL gives executors as much as a profile needs. Reports once that it does not. */
    private boolean isPlaceable(ProfileId id, Demand demand) {
        ExecutorSize size = ExecutorSize.of(driver.profile(id), settings);
        if (size.fits(url)) {
            return true;
        }
        if (demand.executors() > 0 && unplaceable.add(id)) {
            String reason = "executors of resource profile " + id.value() + " need " + Quantity.of(size.cores(), "core")
                    + " and " + size.memoryMebibytes() + " MiB (expected: at most " + url.cores() + " and "
                    + url.memoryMebibytes() + " MiB, from the master URL)";
            loop.execute(() -> driver.listener().unplaceable(reason));
        }
        return false;
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        loop.requireInLoop();
        cluster.release(executors, reason, now());
        perform();
    }

    /**
     * Stops all processes. The result completes when the last one has ended; a process that does not end is killed
     * after a few seconds.
     */
    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        loop.requireInLoop();
        LOG.debug("{}: ends as {}", application, result);
        cluster.close();
        perform();
        return ended;
    }

    /** Completes when the application has ended and all its processes have, too. */
    CompletionStage<Void> ended() {
        return ended;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LocalClusterSettings settings() {
        return settings;
    }

    @Override
    public String driver() {
        return endpoint.address().toString();
    }

    @Override
    public long startedMillis() {
        return startedMillis;
    }

    @Override
    public long nowMillis() {
        return loop.ticker().wall().toEpochMilli();
    }

    @Override
    public List<ExecutorEntry> executors() {
        return executors;
    }

    @Override
    public String host() {
        return endpoint.address().host();
    }

    private long now() {
        return loop.ticker().nanos();
    }

    private void perform() {
        cluster.effects().forEach(effect -> effect.perform(performer));
        executors = records.entries();
        if (cluster.state() == LocalCluster.State.ENDED) {
            ended.complete(null);
        }
    }

    private ChildSpec child(ExecutorId executor, int share, ProfileId profile) {
        ExecutorSize size = ExecutorSize.of(driver.profile(profile), settings);
        Map<String, String> executorSettings =
                new LinkedHashMap<>(driver.executorSettings().values());
        if (profile.equals(ProfileId.DEFAULT)) { // others find addresses by the discovery scripts of their profile
            executorSettings.putAll(shares.settings(share)); // above the addresses that all executors have in common
        }
        return new ExecutorOrders(executor, host(), size.cores(), endpoint)
                .child(
                        application,
                        executorSettings,
                        size.memoryMebibytes(),
                        LocalClusterView.directory(settings, application, executor))
                .withOutputs(settings.outputs())
                .withholding(settings.withheld());
    }

    private void arrived(ExecutorId executor, ChildSpec spec, ChildProcess process) {
        LOG.info("executor {} is process {}", executor, process.pid());
        processes.put(executor, process);
        records.running(executor);
        cluster.started(executor);
        perform();
        process.exit()
                .whenCompleteAsync(
                        (status, failure) -> {
                            ChildExit end =
                                    status == null ? ChildExit.notStarted(failure) : ChildExit.of(process, status);
                            loop.execute(() -> gone(executor, end, spec.logs()));
                        },
                        files);
    }

    private void gone(ExecutorId executor, ChildExit end, List<String> logs) {
        LOG.info("executor {} ended: {}", executor, end.why());
        processes.remove(executor);
        cluster.ended(executor, end, logs, now());
        perform();
    }

    /** Reports a started process on the event loop, or stops the process if the event loop has been closed. */
    private final class StartedProcess implements EventLoop.Droppable {
        private final ExecutorId executor;
        private final ChildSpec spec;
        private final ChildProcess process;

        StartedProcess(ExecutorId executor, ChildSpec spec, ChildProcess process) {
            this.executor = executor;
            this.spec = spec;
            this.process = process;
        }

        @Override
        public void run() {
            arrived(executor, spec, process);
        }

        @Override
        public void dropped() {
            process.stop();
        }
    }

    private final class Performer implements LocalClusterEffect.Handler {
        @Override
        public void onStart(LocalClusterEffect.Start effect) {
            ExecutorId executor = effect.executor();
            ChildSpec spec = child(executor, effect.share(), effect.profile());
            ExecutorSize size = ExecutorSize.of(driver.profile(effect.profile()), settings);
            ExecutorStart start = ExecutorStart.of(executor, host(), size.cores())
                    .with(effect.profile())
                    .withAttributes(Map.of("APP_ID", application.value(), "EXECUTOR_ID", executor.value()))
                    .withLogs(ChildSpec.logLinks(
                            host(), spec.directory().toAbsolutePath().toString()));
            records.launching(executor, size, start.logs(), nowMillis());
            loop.execute(() -> driver.listener().started(start));
            files.execute(() -> {
                try {
                    loop.execute(new StartedProcess(executor, spec, launcher.start(spec)));
                } catch (Throwable failure) { // catches Errors too; the driver treats the executor as lost
                    loop.execute(() -> gone(executor, ChildExit.notStarted(failure), List.of()));
                }
            });
        }

        @Override
        public void onStop(LocalClusterEffect.Stop effect) {
            ChildProcess process = processes.get(effect.executor());
            if (process != null) {
                files.execute(process::stop);
            }
        }

        @Override
        public void onLost(LocalClusterEffect.Lost effect) {
            records.lost(effect.executor(), effect.why(), nowMillis());
            loop.execute(() -> driver.listener().lost(effect.executor(), effect.why()));
        }

        @Override
        public void onGiveUp(LocalClusterEffect.GiveUp effect) {
            loop.execute(() -> driver.listener()
                    .clusterLost(ErrorCode.EXECUTORS_FAILED.failure(
                            "local cluster of " + application + ": " + effect.reason())));
        }

        @Override
        public void onWake(LocalClusterEffect.Wake effect) {
            loop.schedule(effect.after(), () -> {
                cluster.wake(now());
                perform();
            });
        }
    }
}
