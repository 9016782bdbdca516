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

    /** Resource profiles that the application has used, other than the default one. */
    default List<ResourceProfileView> resourceProfiles() {
        return List.of();
    }

    /** All retained jobs, in the order of their start. */
    List<JobView> jobs();

    Optional<JobView> job(int id);

    /** All retained stage attempts, in the order of stage ids and attempt numbers. */
    List<StageView> stages();

    /** Stage attempts that have running or pending tasks. */
    List<StageView> activeStages();

    /** Retained attempts of the stage {@code id}, oldest first; empty if there are none. */
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

    /** Executors that the application asks its cluster for now; empty if that is not known. */
    default Optional<ExecutorsAsked> asked() {
        return Optional.empty();
    }

    /** Cached datasets of the application; none once the application has ended. */
    StorageView storage();
}
