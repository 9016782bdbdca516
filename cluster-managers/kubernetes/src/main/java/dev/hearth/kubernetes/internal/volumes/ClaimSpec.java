package dev.hearth.kubernetes.internal.volumes;

import dev.hearth.kubernetes.internal.api.ClaimFacts;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Claim that a volume of a pod needs: {@code volume} is the name of the volume, {@code storageClass} is empty for the default
 * one of the cluster, {@code mode} is the access mode. Immutable.
 */
public record ClaimSpec(
        String volume,
        Optional<String> storageClass,
        String size,
        String mode,
        Map<String, String> labels,
        Map<String, String> annotations) {
    public ClaimSpec {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }

    /** Whether a claim with these facts serves the volume: the same class and mode, and at least the size. */
    boolean isServedBy(ClaimFacts facts) {
        return !facts.deleting()
                && facts.modes().contains(mode)
                && storageClass.filter(own -> !own.equals(facts.storageClass())).isEmpty()
                && VolumeSize.isEnough(facts.size(), size);
    }
}
