package dev.hearth.kubernetes.internal.api;

import java.util.List;
import java.util.Optional;

/**
 * State of a pod, as far as Hearth uses it. {@code reason} and {@code message} are those of the pod's status; {@code
 * unscheduled} is the message of the scheduler that found no node, else empty; {@code disruption} is the reason of the
 * condition DisruptionTarget, else empty. {@code nodeSilent} says that the cluster counts the pod as not ready although
 * its containers are: the node has not reported for too long. Immutable.
 */
public record PodFacts(
        String phase,
        String reason,
        String message,
        String node,
        String address,
        boolean deleting,
        int graceSeconds,
        String unscheduled,
        String disruption,
        List<ContainerFacts> containers,
        boolean nodeSilent) {
    /** Pod without any state yet. */
    public static final PodFacts PENDING = new PodFacts("Pending", "", "", "", "", false, 0, "", "", List.of(), false);

    public PodFacts {
        containers = List.copyOf(containers);
    }

    /** The container named {@code name}; empty if it has no state yet. */
    public Optional<ContainerFacts> container(String name) {
        return containers.stream().filter(found -> found.name().equals(name)).findFirst();
    }

    /** Whether no container of the pod will run any more. */
    public boolean isTerminal() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    public boolean isScheduled() {
        return !node.isEmpty();
    }

    public PodFacts on(String other) {
        return new PodFacts(
                phase, reason, message, other, address, deleting, graceSeconds, "", disruption, containers, nodeSilent);
    }

    public PodFacts in(String other, ContainerFacts container) {
        return new PodFacts(
                other,
                reason,
                message,
                node,
                address,
                deleting,
                graceSeconds,
                unscheduled,
                disruption,
                List.of(container),
                nodeSilent);
    }

    public PodFacts because(String other, String words) {
        return new PodFacts(
                phase,
                other,
                words,
                node,
                address,
                deleting,
                graceSeconds,
                unscheduled,
                disruption,
                containers,
                nodeSilent);
    }

    public PodFacts unscheduled(String words) {
        return new PodFacts(
                phase, reason, message, "", address, deleting, graceSeconds, words, disruption, containers, nodeSilent);
    }

    public PodFacts disrupted(String other) {
        return new PodFacts(
                phase,
                reason,
                message,
                node,
                address,
                deleting,
                graceSeconds,
                unscheduled,
                other,
                containers,
                nodeSilent);
    }

    public PodFacts deletingWithin(int seconds) {
        return new PodFacts(
                phase, reason, message, node, address, true, seconds, unscheduled, disruption, containers, nodeSilent);
    }

    /** The same pod on a node that has not reported for too long, or that reports again. */
    public PodFacts withNodeSilent(boolean silent) {
        return new PodFacts(
                phase,
                reason,
                message,
                node,
                address,
                deleting,
                graceSeconds,
                unscheduled,
                disruption,
                containers,
                silent);
    }
}
