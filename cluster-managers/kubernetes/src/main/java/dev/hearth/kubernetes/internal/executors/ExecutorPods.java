package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.spi.id.ApplicationId;
import java.util.Optional;
import java.util.Set;

/** Pods of the executors of one application, as requests to the API server. Implemented by the package of pods. */
public interface ExecutorPods {
    ApplicationId application();

    /** Label selector of all these pods, and of no other. */
    String selector();

    /** Label selector of the pods of some executors. */
    String selector(Iterable<Long> executors);

    /** Secret with the launch orders of all executors; it owns the pods unless the driver is a pod. */
    ApiObject orders();

    /** Pod of one executor, owned by {@code owner}, on none of the hosts {@code excluded}. */
    ApiObject pod(long executor, Owner owner, Set<String> excluded);

    String podName(long executor);

    /** Number of the executor that runs in a pod with this label; empty if the label is malformed. */
    Optional<Long> executor(String label);

    /** Number of tasks that an executor runs at a time. */
    int cores();
}
