package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.GrantedContainer;

/**
 * Launches of the executors of one context. Called on the loop of its driver. Its maker asks the driver for its
 * endpoint before the backend opens: from then on the driver prepares stages for other processes.
 */
@FunctionalInterface
public interface ExecutorLaunches {
    /** Launch of an executor in {@code container}. If it fails, the executor counts as failed. */
    ContainerLaunch launch(GrantedContainer container, ExecutorId executor, ExecutorProfile profile);
}
