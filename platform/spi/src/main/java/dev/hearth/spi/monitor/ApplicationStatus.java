package dev.hearth.spi.monitor;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Status of one application, running or ended. The status may be slightly older than the application. It retains only a
 * limited number of the newest jobs, stages and tasks. Views are immutable; any thread may call.
 */
@ProviderType
public interface ApplicationStatus {
    ApplicationView application();

    EnvironmentView environment();

    /** All jobs in start order. */
    List<JobView> jobs();

    Optional<JobView> job(int id);

    /** All stage attempts, by stage id and attempt. */
    List<StageView> stages();

    /** Stage attempts that have running or pending tasks. */
    List<StageView> activeStages();

    /** Attempts of one stage, oldest first. */
    List<StageView> stage(int id);

    Optional<StageView> stage(int id, int attempt);

    /** Task attempts of one stage attempt, filtered and ordered by {@code query}. */
    List<TaskView> tasks(int stage, int attempt, TaskQuery query);

    /**
     * Distribution of each metric over the successful tasks of a stage attempt, at {@code quantiles} between 0 and 1.
     * Empty if no successful task is retained.
     */
    Optional<TaskDistribution> distribution(int stage, int attempt, List<Double> quantiles);

    /** All executors in order of registration, including lost ones. */
    List<ExecutorView> executors();

    /** Cached datasets. Empty for an ended application. */
    StorageView storage();
}
