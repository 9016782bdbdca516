package dev.hearth.spi.monitor;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What is known of one application, running or ended: as of a moment ago, and of the newest jobs, stages and tasks where
 * there were too many. Views are immutable; any thread may ask.
 */
@ProviderType
public interface ApplicationStatus {
    ApplicationView application();

    EnvironmentView environment();

    /** In the order of their start. */
    List<JobView> jobs();

    Optional<JobView> job(int id);

    /** All attempts, by id and attempt. */
    List<StageView> stages();

    /** Those that have tasks to run now. */
    List<StageView> activeStages();

    /** The attempts at one stage, oldest first. */
    List<StageView> stage(int id);

    Optional<StageView> stage(int id, int attempt);

    /** The attempts at tasks of one stage attempt that {@code query} asks for. */
    List<TaskView> tasks(int stage, int attempt, TaskQuery query);

    /**
     * How each metric is spread over the successful tasks of a stage attempt: its values at {@code quantiles}, each from 0 to
     * 1. Empty when no task that is kept has ended well.
     */
    Optional<TaskDistribution> distribution(int stage, int attempt, List<Double> quantiles);

    /** By the order in which they came; also those that have gone. */
    List<ExecutorView> executors();

    /** What is kept now; of an application that has ended nothing is. */
    StorageView storage();
}
