package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.anchor.AnchorContent;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.id.ApplicationId;
import java.util.Map;
import java.util.Optional;

/** Pods of the executors of one application, as requests to the API server. Implemented by the package of pods. */
public interface ExecutorPods extends AnchorContent {
    ApplicationId application();

    /** Label selector of the executors' pods of all drivers that the application has had. */
    String selector();

    /** Label selector of the pods that this driver has created. */
    String ownSelector();

    /** Label selector of the pods of some executors of this driver. */
    String selector(Iterable<Long> executors);

    /** Label selector of the pods of the drivers with the numbers {@code epochs}. */
    String epochSelector(Iterable<Long> epochs);

    /** Whether this driver has created {@code pod}. */
    boolean isOwn(ObjectFacts pod);

    /**
     * Pod of one executor of the driver with the number {@code epoch}, owned by {@code owner}, on {@code hosts}.
     * {@code claims} has the names of its claims on demand by volume.
     */
    ApiObject pod(long executor, long epoch, Owner owner, HostWishes hosts, Map<String, String> claims);

    /** The same pods, for executors of {@code profile}. */
    default ExecutorPods of(ExecutorProfile profile) {
        return this;
    }

    /** Claims on demand of the volumes of these pods; empty if they have none. */
    Optional<ExecutorClaims> claims();

    /** Merge patch that gives a pod, or a claim, to {@code owner}. */
    String adoption(Owner owner);

    String podName(long executor);

    /** Number of the executor that runs in a pod with this label; empty if the label is malformed. */
    Optional<Long> executor(String label);

    /** Number of tasks that an executor runs at a time. */
    int cores();
}
