package dev.hearth.yarn.internal.line;

import java.util.List;

/**
 * One answer of the ResourceManager. {@code headroom} is what the application may still get, {@code nodes} the number of
 * nodes of the cluster. Immutable.
 */
public record LineReport(
        List<GrantedContainer> granted,
        List<EndedContainer> ended,
        List<HostChange> changes,
        PreemptionNotice preemption,
        ContainerCapability headroom,
        int nodes) {
    public LineReport {
        granted = List.copyOf(granted);
        ended = List.copyOf(ended);
        changes = List.copyOf(changes);
    }
}
