package dev.hearth.yarn.internal.launch;

import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.GrantedContainer;

/** Source of the launches of an application's executors. Called on the application's event loop. */
@FunctionalInterface
public interface ExecutorLaunches {
    /** The launch of {@code executor}, with the needs of {@code profile}, in a granted container. */
    ContainerLaunch launch(GrantedContainer container, ExecutorId executor, ExecutorProfile profile);
}
