package dev.hearth.yarn.internal.hadoop;

import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.GrantedContainer;

/** Calls to NodeManagers. They block, and several threads make them. A failure has a text for people. */
interface ContainerCalls {
    /** Starts a process in a granted container. */
    void start(GrantedContainer container, ContainerLaunch launch) throws Exception;

    /** Ends the process in a container. */
    void stop(GrantedContainer container) throws Exception;

    /** Closes the connections; containers go on. */
    void close();
}
