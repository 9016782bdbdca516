package example.containers;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.process.ProcessLauncher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One application's executors. Owned by the application's loop; files and processes are for other threads. */
final class ContainersBackend implements SchedulerBackend {
    private static final String HOST = "localhost";

    private final int most;
    private final DriverServices driver;
    private final ProcessLauncher processes;
    private final Path home;
    private final Container all = Container.inNewDirectory("executors");
    private final ApplicationId application = new ApplicationId("containers-" + System.nanoTime());
    private final Map<ExecutorId, CompletableFuture<Process>> running = new LinkedHashMap<>();
    private int started;

    /** Creates a backend with a directory of its own. Waits for the disk. */
    ContainersBackend(int most, DriverServices driver, ProcessLauncher processes, Path home) {
        this.most = most;
        this.driver = driver;
        this.processes = processes;
        this.home = home;
    }

    @Override
    public ApplicationId application() {
        return application;
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        String hindrance = excludedHosts.contains(HOST) ? "tasks failed on " + HOST + ", the only host" : "";
        driver.loop().execute(() -> driver.listener().hindered(hindrance));
        int wanted = demands.values().stream().mapToInt(Demand::executors).max().orElse(0);
        while (hindrance.isEmpty() && running.size() < Math.min(wanted, most)) {
            start(driver.profile(ProfileId.DEFAULT));
        }
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        for (ExecutorId executor : executors) {
            CompletableFuture<Process> released = running.remove(executor);
            if (released != null) {
                released.thenAccept(Process::destroy);
                driver.loop().execute(() -> driver.listener().lost(executor, LostExecutor.released(reason)));
            }
        }
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        List<CompletableFuture<?>> ended = new ArrayList<>();
        for (CompletableFuture<Process> process : running.values()) {
            process.thenAccept(Process::destroy);
            ended.add(process.thenCompose(Process::onExit));
        }
        running.clear();
        return CompletableFuture.allOf(ended.toArray(new CompletableFuture<?>[0]))
                .thenRunAsync(all::remove);
    }

    private void start(ExecutorProfile profile) {
        ExecutorId executor = new ExecutorId("container-" + ++started);
        int cores = profile.cores().orElse(1);
        Map<String, String> orders =
                ExecutorOrders.settingsToConnect(driver.executorSettings().values());
        orders.putAll(new ExecutorOrders(executor, HOST, cores, driver.driverEndpoint()).asMap());
        LaunchOptions options = profile.options().of(application, executor);
        Container container = new Container(all.directory().resolve(executor.value()));
        driver.loop()
                .execute(() -> driver.listener()
                        .started(ExecutorStart.of(executor, HOST, cores)
                                .withLogs(Map.of(
                                        "stderr",
                                        container
                                                .directory()
                                                .resolve("stderr")
                                                .toUri()
                                                .toString()))));
        CompletableFuture<Process> process = CompletableFuture.supplyAsync(() -> container.start(
                processes, home, "executor", orders, options, profile.memory().heapMebibytes()));
        running.put(executor, process);
        process.thenCompose(Process::onExit)
                .whenComplete((exited, failure) -> driver.loop()
                        .execute(() -> ended(
                                executor,
                                failure == null ? "exit status " + exited.exitValue() : "not started: " + failure)));
    }

    private void ended(ExecutorId executor, String reason) {
        if (running.remove(executor) != null) {
            driver.listener().lost(executor, LostExecutor.because(reason));
        }
    }
}
