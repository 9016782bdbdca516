package example.containers;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.process.ProcessLauncher;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Answers {@code containers://N}: at most N executors, each in a container, with launch orders in a file and without a
 * parent; in cluster mode the driver is in one too.
 */
public final class ContainersManager implements ClusterManager {
    private final ContainerRuntime runtime;
    private final ContainerDrivers drivers;

    /** Manager of containers on this machine; the arguments are services of the kernel. */
    public ContainersManager(ProcessLauncher processes, Installation installation, ApplicationLoaders loaders) {
        this(new LocalContainers(processes, installation.home()), loaders);
    }

    /** Manager of containers on any machine. */
    public ContainersManager(ContainerRuntime runtime, ApplicationLoaders loaders) {
        this.runtime = runtime;
        this.drivers = new ContainerDrivers(runtime, loaders);
    }

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
        return new ContainerCredentials(driver, application.settings())
                .start()
                .thenCompose(read -> runtime.create("application"))
                .thenApplyAsync(
                        name -> new ContainersBackend(new ApplicationId(name), most, driver, runtime), driver.loop());
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        return drivers.submit(plan, services, listener);
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return drivers.status(new SubmissionPattern(submission.value())).thenApply(found -> only(submission, found));
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return drivers.kill(new SubmissionPattern(submission.value())).thenApply(found -> only(submission, found));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return drivers.status(pattern);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return drivers.kill(pattern);
    }

    private static SubmissionStatus only(SubmissionId submission, List<SubmissionStatus> found) {
        return found.stream()
                .findFirst()
                .orElseThrow(() -> ErrorCode.SUBMISSION_UNKNOWN.failure(
                        "submission " + submission + ": no such driver runs on this machine (expected: one)"));
    }
}
