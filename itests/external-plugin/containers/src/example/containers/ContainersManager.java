package example.containers;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.process.ProcessLauncher;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers {@code containers://N}: at most N executors, each a process with launch orders in a file and without a parent,
 * as in a container; in cluster mode the driver is one too. The fields are injected.
 */
public final class ContainersManager implements ClusterManager {
    private ProcessLauncher processes;
    private Installation installation;
    private ApplicationLoaders loaders;

    @Override
    public Set<DeployMode> deployModes() {
        return Set.of(DeployMode.CLIENT, DeployMode.CLUSTER);
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

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        return new ContainerDrivers(processes, loaders).submit(plan, services, listener);
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return new ContainerDrivers(processes, loaders).status(submission, services);
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return new ContainerDrivers(processes, loaders).kill(submission, services);
    }
}
