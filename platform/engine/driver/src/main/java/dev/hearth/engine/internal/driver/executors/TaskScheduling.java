package dev.hearth.engine.internal.driver.executors;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import java.util.Map;

/** The part of task scheduling that is notified of added and lost executors. Called on the driver's event loop. */
public interface TaskScheduling {
    /** Adds an executor of a profile with the addresses of its resources. Tasks are launched on it from now on. */
    void executorUp(
            ExecutorId executor, String host, int cores, Map<String, ResourceInformation> resources, ProfileId profile);

    /** Stops launching tasks on an executor whose connection is lost. A call of {@link #executorLost} follows. */
    void suspend(ExecutorId executor);

    /** Stops launching tasks on a decommissioned executor. Its tasks that have not begun become pending again. */
    void decommission(ExecutorId executor);

    /** Launches tasks again on an executor that is no longer to be decommissioned. */
    void recommission(ExecutorId executor);

    /**
     * Sets whether all launches of tasks are held back, because too few executors have registered. Only valid before
     * the first launch.
     */
    void hold(boolean launchesHeld);

    /**
     * Records the reason of an executor's loss, if it is reported after {@link #executorLost}. Failures that the loss
     * led to then name this reason.
     */
    void explainLoss(ExecutorId executor, String reason);

    /**
     * Runs the tasks of a lost executor again on other executors. {@code outputsSurvive} says that its map outputs can
     * still be read.
     */
    void executorLost(ExecutorId executor, String host, LostExecutor why, boolean outputsSurvive);

    /** Records that a shuffle service takes over all map outputs of an executor that has just registered. */
    void servedBy(ExecutorId executor, ExecutorId service);

    /** Computes again the map outputs of a shuffle service on {@code host}, which is lost. */
    void serviceLost(ExecutorId service, String host);

    /** Whether an executor runs tasks. */
    boolean isBusy(ExecutorId executor);

    /** The number of tasks that an executor of a profile with these cores and resources runs at the same time. */
    int slots(ProfileId profile, int cores, Map<String, ResourceInformation> resources);

    /** The cores of all executors. */
    int cores();
}
