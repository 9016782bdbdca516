package dev.hearth.testkit;

import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Cluster manager for drivers in the submitting process; a test supplies its backends. Accepts every master URL.
 * Stateless.
 */
public final class TestingClusterManager implements ClusterManager {
    private final Function<DriverServices, CompletionStage<SchedulerBackend>> opening;

    /**
     * Creates a manager that calls {@code opening} to open the backend of each application. The completion stage that
     * {@code opening} returns may fail.
     */
    public TestingClusterManager(Function<DriverServices, CompletionStage<SchedulerBackend>> opening) {
        this.opening = opening;
    }

    /**
     * Creates a manager that opens a {@link TestingBackend} for each application. {@code opened} receives the driver's
     * services, {@code events} receives the texts that the backend records.
     */
    public static TestingClusterManager recording(
            String application, Consumer<DriverServices> opened, Consumer<String> events) {
        return new TestingClusterManager(driver -> {
            opened.accept(driver);
            return CompletableFuture.completedStage(new TestingBackend(application, events));
        });
    }

    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.of(DeployMode.CLIENT);
    }

    @Override
    public void validate(MasterUrl master) {
        // every URL is valid
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of();
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        return opening.apply(driver);
    }
}
