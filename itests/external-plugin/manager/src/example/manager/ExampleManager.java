package example.manager;

import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers {@code example://cores/N}: executors in the driver's own process. Holds no state. */
public final class ExampleManager implements ClusterManager {
    @Override
    public Set<DeployMode> deployModes() {
        return Set.of(DeployMode.CLIENT);
    }

    @Override
    public void validate(MasterUrl master) {
        if (!master.rest().matches("cores/[1-9]\\d?")) {
            throw ErrorCode.BAD_ARGUMENT.failure("master " + master + ": (expected: example://cores/N, N below 100)");
        }
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of();
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        int cores = Integer.parseInt(master.rest().substring("cores/".length()));
        return CompletableFuture.completedStage(new ExampleBackend(cores, driver));
    }
}
