package dev.hearth.itests.simulation;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointUri;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A cluster that starts nothing: executors come by themselves to the endpoint of which {@code opened} hears. */
record GivenExecutors(Consumer<EndpointUri> opened) implements ClusterManager {
    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.of(DeployMode.CLIENT);
    }

    @Override
    public void validate(MasterUrl master) {}

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of();
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        opened.accept(driver.driverEndpoint());
        return CompletableFuture.completedStage(new Backend());
    }

    private record Backend() implements SchedulerBackend {
        @Override
        public ApplicationId application() {
            return new ApplicationId("application-1");
        }

        @Override
        public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {}

        @Override
        public void release(Set<ExecutorId> executors, String reason) {}

        @Override
        public CompletionStage<Void> close(ApplicationResult result) {
            return CompletableFuture.completedStage(null);
        }
    }
}
