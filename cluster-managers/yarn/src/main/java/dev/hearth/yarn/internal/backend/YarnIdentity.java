package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.id.ApplicationId;

/**
 * An application as YARN's pages and logs name it: its id, user, cluster, the scheme of NodeManagers' pages ({@code http://} or
 * {@code https://}) and the name of its metrics. {@code inCluster} says that its driver runs in the application master. Immutable.
 */
public record YarnIdentity(
        ApplicationId id, String user, String cluster, String scheme, String metricsName, boolean inCluster) {
    /** Id of the context number {@code context}, counted from 1. */
    ApplicationId ofContext(int context) {
        return context == 1 ? id : new ApplicationId(id.value() + "-" + context);
    }
}
