package example.containers;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.RestartBackoff;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.ChildSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One application's executors, each in a container. Owned by the application's loop, on which all of this runs. */
final class ContainersBackend implements SchedulerBackend {
    private static final String HOST = "localhost";
    private static final int EARLY_ENDS_MAX = 10;

    private final ApplicationId application;
    private final int most;
    private final DriverServices driver;
    private final ContainerRuntime runtime;
    private final RestartBackoff backoff;
    /** Times of the starts of executors that have neither ended nor been released. */
    private final Map<ExecutorId, Long> executors = new LinkedHashMap<>();
    /** Containers of executors that have not ended. */
    private final Map<ExecutorId, CompletionStage<ContainerRuntime.Container>> containers = new LinkedHashMap<>();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int wanted;
    private int started;
    private boolean waiting;
    private boolean closed;

    ContainersBackend(ApplicationId application, int most, DriverServices driver, ContainerRuntime runtime) {
        this.application = application;
        this.most = most;
        this.driver = driver;
        this.runtime = runtime;
        this.backoff = new RestartBackoff(now());
    }

    @Override
    public ApplicationId application() {
        return application;
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        String hindrance = excludedHosts.contains(HOST) ? "tasks failed on " + HOST + ", the only host" : "";
        driver.loop().execute(() -> driver.listener().hindered(hindrance));
        int total = demands.values().stream().mapToInt(Demand::executors).max().orElse(0);
        wanted = hindrance.isEmpty() ? Math.min(total, most) : 0;
        fill();
    }

    @Override
    public void release(Set<ExecutorId> released, String reason) {
        for (ExecutorId executor : released) {
            if (executors.remove(executor) != null) {
                endContainer(executor);
                driver.loop().execute(() -> driver.listener().lost(executor, LostExecutor.released(reason)));
            }
        }
        fill();
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        if (!closed) {
            closed = true;
            executors.clear();
            containers.keySet().forEach(this::endContainer);
            removeIfEmpty();
        }
        return ended;
    }

    /** Starts the executors that are lacking, but not at once if the last ones ended soon after their starts. */
    private void fill() {
        Duration wait = backoff.remaining(now());
        while (isLacking() && wait.isZero()) {
            start(driver.profile(ProfileId.DEFAULT));
        }
        if (isLacking() && !waiting) {
            waiting = true;
            driver.loop().schedule(wait, () -> {
                waiting = false;
                fill();
            });
        }
    }

    private boolean isLacking() {
        return !closed && executors.size() < wanted;
    }

    private void start(ExecutorProfile profile) {
        ExecutorId executor = new ExecutorId("container-" + ++started);
        int cores = profile.cores().orElse(1);
        Map<String, String> orders =
                ExecutorOrders.settingsToConnect(driver.executorSettings().values());
        orders.putAll(new ExecutorOrders(executor, HOST, cores, driver.driverEndpoint()).asMap());
        Path directory = runtime.directory(application.value()).resolve(executor.value());
        ChildSpec spec = new ChildSpec(
                        "executor", ChildSpec.heap(profile.memory().heapMebibytes()), orders, directory)
                .with(profile.options().of(application, executor));
        ExecutorStart start =
                ExecutorStart.of(executor, HOST, cores).withLogs(ChildSpec.logLinks(HOST, directory.toString()));
        driver.loop().execute(() -> driver.listener().started(start));
        executors.put(executor, now());
        CompletionStage<ContainerRuntime.Container> container = runtime.start(spec, Map.of());
        containers.put(executor, container);
        container
                .thenCompose(ContainerRuntime.Container::ended)
                .whenCompleteAsync(
                        (end, failure) -> ended(
                                executor,
                                failure == null ? end.exit().describe() : "not started: " + Failures.describe(failure)),
                        driver.loop());
    }

    private void endContainer(ExecutorId executor) {
        containers.get(executor).thenAcceptAsync(ContainerRuntime.Container::release, driver.loop());
    }

    private void ended(ExecutorId executor, String reason) {
        containers.remove(executor);
        Long start = executors.remove(executor);
        if (start != null) {
            driver.listener().lost(executor, LostExecutor.because(reason));
            backoff.noteEnd(start, now());
            if (backoff.earlyEnds() < EARLY_ENDS_MAX
                    || executors.values().stream().anyMatch(this::isStable)) {
                fill();
            } else {
                driver.listener()
                        .clusterLost(ErrorCode.EXECUTORS_FAILED.failure("application " + application + ": "
                                + backoff.earlyEnds() + " executors failed soon after their start (expected: executors"
                                + " that keep running); the last one: " + reason));
            }
        }
        removeIfEmpty();
    }

    private void removeIfEmpty() {
        if (closed && containers.isEmpty()) {
            runtime.remove(application.value()).whenComplete((removed, failure) -> {
                if (failure == null) {
                    ended.complete(null);
                } else {
                    ended.completeExceptionally(failure);
                }
            });
        }
    }

    private boolean isStable(long startedNanos) {
        return RestartBackoff.isStable(startedNanos, now());
    }

    private long now() {
        return driver.loop().ticker().nanos();
    }
}
