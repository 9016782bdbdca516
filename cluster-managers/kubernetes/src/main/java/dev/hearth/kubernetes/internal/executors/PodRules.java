package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.mirror.MirrorSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Rules for the pods of executors that few applications change. {@code ceiling} bounds the pods requested within a time.
 * With {@code checksAllContainers}, the failure of any container ends the executor. {@code keptFailedMax} pods that failed
 * last are not deleted. {@code leavingLabels} mark the pods of executors that are decommissioned. {@code mirror} says how pods are followed.
 * Immutable.
 */
public record PodRules(
        Optional<Ceiling> ceiling,
        boolean checksAllContainers,
        int keptFailedMax,
        Map<String, String> leavingLabels,
        MirrorSettings mirror) {
    /** Rules of an application that sets none. */
    public static final PodRules DEFAULTS = new PodRules(Optional.empty(), false, 0, Map.of(), MirrorSettings.DEFAULTS);

    public PodRules {
        leavingLabels = Map.copyOf(leavingLabels);
    }

    /** Number of pods that are requested within {@code period} at most. */
    public record Ceiling(int pods, Duration period) {}
}
