package example.manager;

import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingsReader;
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
    public void check(SubmissionPlan plan, MasterUrl master, DeployMode mode) {
        if (plan.settings().find("hearth.executor.instances").isPresent()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "hearth.executor.instances: set (expected: not on " + master + ", which has one executor)");
        }
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of(ExampleSettings.CORES.name(), cores(master));
    }

    @Override
    public Map<String, String> defaults(MasterUrl master, DeployMode mode) {
        return switch (mode) {
            case CLIENT -> Map.of(ExampleSettings.CORES.name(), cores(master), "hearth.task.maxFailures", "1");
            case CLUSTER -> defaults(master);
        };
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        SettingsReader in = new SettingsReader(application.settings());
        int cores = in.read(ExampleSettings.CORES);
        in.finish();
        return CompletableFuture.completedStage(new ExampleBackend(cores, driver));
    }

    private static String cores(MasterUrl master) {
        return master.rest().substring("cores/".length());
    }
}
