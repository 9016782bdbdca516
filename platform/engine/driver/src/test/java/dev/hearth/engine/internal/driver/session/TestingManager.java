package dev.hearth.engine.internal.driver.session;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster of one executor in this process. Adds the results that applications report to {@code results}. */
record TestingManager(int cores, List<ApplicationResult> results) implements ClusterManager {
    TestingManager(int cores) {
        this(cores, new CopyOnWriteArrayList<>());
    }

    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.of(DeployMode.CLIENT);
    }

    @Override
    public void validate(MasterUrl master) {}

    /** Refuses applications with a setting that no test but one for refusals has. */
    @Override
    public void check(SubmissionPlan plan, MasterUrl master, DeployMode mode) {
        plan.settings().find("hearth.testing.refused").ifPresent(words -> {
            throw ErrorCode.BAD_SETTING.failure(plan.name() + " in mode " + mode + ": " + words);
        });
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of("hearth.task.maxFailures", "1");
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        List<ExecutorHost.RunningExecutor> running = new ArrayList<>();
        return CompletableFuture.completedStage(new SchedulerBackend() {
            private int released;

            @Override
            public ApplicationId application() {
                return new ApplicationId("testing-1");
            }

            @Override
            public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
                if (running.size() == released) {
                    running.add(driver.executorHost().start(new ExecutorId("driver-" + released), cores));
                }
            }

            @Override
            public void release(Set<ExecutorId> executors, String reason) {
                running.forEach(ExecutorHost.RunningExecutor::stop);
                released = running.size();
            }

            @Override
            public CompletionStage<Void> close(ApplicationResult result) {
                results.add(result);
                running.forEach(ExecutorHost.RunningExecutor::stop);
                return CompletableFuture.completedStage(null);
            }
        });
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        throw ErrorCode.DEPLOY_MODE_UNKNOWN.failure("testing manager: no cluster mode (expected: client)");
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        throw ErrorCode.SUBMISSION_UNKNOWN.failure("testing manager: takes no submissions");
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        throw ErrorCode.SUBMISSION_UNKNOWN.failure("testing manager: takes no submissions");
    }
}
