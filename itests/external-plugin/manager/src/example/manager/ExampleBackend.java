package example.manager;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost.RunningExecutor;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One application's executors, one at a time. Owned by the application's loop, on which all of this is called. */
final class ExampleBackend implements SchedulerBackend {
    private static final String HOST = "localhost";

    private final int cores;
    private final DriverServices driver;
    private final ApplicationId application = new ApplicationId("example-1.0-" + System.nanoTime());
    private final Map<ExecutorId, RunningExecutor> running = new LinkedHashMap<>();
    private int started;

    ExampleBackend(int cores, DriverServices driver) {
        this.cores = cores;
        this.driver = driver;
    }

    @Override
    public ApplicationId application() {
        return application;
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        String hindrance = excludedHosts.contains(HOST) ? "tasks failed on " + HOST + ", the only host" : "";
        driver.loop().execute(() -> driver.listener().hindered(hindrance));
        boolean wanted = demands.values().stream().anyMatch(demand -> demand.executors() > 0);
        if (wanted && hindrance.isEmpty() && running.isEmpty()) {
            ExecutorId executor = new ExecutorId("example-" + ++started);
            ExecutorStart start = ExecutorStart.of(executor, HOST, cores)
                    .withAttributes(Map.of("CLUSTER", "example"))
                    .withLogs(Map.of("stdout", "http://localhost/logs/" + executor));
            driver.loop().execute(() -> driver.listener().started(start));
            running.put(executor, driver.executorHost().start(executor, cores));
        }
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        for (ExecutorId executor : executors) {
            RunningExecutor released = running.remove(executor);
            if (released != null) {
                released.stop();
                driver.loop().execute(() -> driver.listener().lost(executor, LostExecutor.released(reason)));
            }
        }
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        running.values().forEach(RunningExecutor::stop);
        running.clear();
        return CompletableFuture.completedStage(null);
    }
}
