package dev.hearth.local;

import dev.hearth.api.HearthException;
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
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.service.component.annotations.Component;

/**
 * Cluster manager for {@code local} master URLs. Runs one executor inside the driver's process; does not support
 * cluster mode. Thread-safe; its only state is the last id that it gave.
 */
@Component(service = ClusterManager.class, property = ClusterManager.SCHEME + "=local")
public final class LocalManager implements ClusterManager {
    private static final String TASK_FAILURES_KEY = "hearth.task.maxFailures";
    private static final String EXECUTORS_FIXED_KEY = "hearth.scheduler.executorsFixed";

    private final int processors = Runtime.getRuntime().availableProcessors();
    private final AtomicLong lastId = new AtomicLong(); // the number in the id that was given last

    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.of(DeployMode.CLIENT);
    }

    @Override
    public void validate(MasterUrl master) {
        LocalMasterUrl.parse(master, processors);
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of(
                TASK_FAILURES_KEY,
                String.valueOf(LocalMasterUrl.parse(master, processors).taskFailuresMax()),
                EXECUTORS_FIXED_KEY,
                "true");
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        try {
            LocalMasterUrl local = LocalMasterUrl.parse(master, processors);
            return CompletableFuture.completedStage(new LocalBackend(local.cores(), newId(driver), driver));
        } catch (HearthException badMaster) {
            return CompletableFuture.failedStage(badMaster);
        }
    }

    /** An id from the time, or a later one if several applications open within a millisecond. */
    private ApplicationId newId(DriverServices driver) {
        long now = driver.loop().ticker().wall().toEpochMilli();
        return new ApplicationId("local-" + lastId.updateAndGet(last -> Math.max(last + 1, now)));
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        return CompletableFuture.failedStage(noClusterMode(master));
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return CompletableFuture.failedStage(noSubmissions(submission, master));
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return CompletableFuture.failedStage(noSubmissions(submission, master));
    }

    private static HearthException noClusterMode(MasterUrl master) {
        return ErrorCode.DEPLOY_MODE_UNKNOWN.failure("master " + master
                + ": has no cluster mode (expected: --deploy-mode client); leave the flag out, or name another master");
    }

    private static HearthException noSubmissions(SubmissionId submission, MasterUrl master) {
        return ErrorCode.DEPLOY_MODE_UNKNOWN.failure("submission " + submission + ": master " + master
                + " has no cluster mode, so it has no submissions (expected: the master to which the application"
                + " was submitted); name that master with --master");
    }
}
