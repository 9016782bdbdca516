package example.containers;

import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.process.ProcessLauncher;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers {@code containers://N}: at most N executors, each a process with launch orders in a file and without a parent,
 * as in a container. The fields are injected.
 */
public final class ContainersManager implements ClusterManager {
    private ProcessLauncher processes;
    private Installation installation;

    @Override
    public Set<DeployMode> deployModes() {
        return Set.of(DeployMode.CLIENT);
    }

    @Override
    public void validate(MasterUrl master) {
        if (!master.rest().matches("[1-9]\\d?")) {
            throw ErrorCode.BAD_ARGUMENT.failure("master " + master + ": (expected: containers://N, N below 100)");
        }
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of("hearth.executor.cores", "1", "hearth.executor.instances", master.rest());
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        int most = Integer.parseInt(master.rest());
        return CompletableFuture.supplyAsync(() -> new ContainersBackend(most, driver, processes, installation.home()));
    }
}
