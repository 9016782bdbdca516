package dev.hearth.kubernetes.internal.api;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Object of the API server as it was read. {@code version} is opaque and is compared for equality alone. {@code
 * createdSeconds} is the server's time of its creation, in seconds since 1970. {@code pod} is present for pods, {@code
 * details} for pods of drivers, {@code claim} for claims of volumes. {@code annotations} are those of Hearth. Immutable.
 */
public record ObjectFacts(
        String name,
        String uid,
        String version,
        Map<String, String> labels,
        long createdSeconds,
        Optional<PodFacts> pod,
        Optional<PodDetails> details,
        Map<String, String> annotations,
        Optional<ClaimFacts> claim) {
    public ObjectFacts {
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
    }

    /** Object without annotations. */
    public ObjectFacts(
            String name,
            String uid,
            String version,
            Map<String, String> labels,
            long createdSeconds,
            Optional<PodFacts> pod,
            Optional<PodDetails> details) {
        this(name, uid, version, labels, createdSeconds, pod, details, Map.of(), Optional.empty());
    }

    /** Object that is no claim. */
    public ObjectFacts(
            String name,
            String uid,
            String version,
            Map<String, String> labels,
            long createdSeconds,
            Optional<PodFacts> pod,
            Optional<PodDetails> details,
            Map<String, String> annotations) {
        this(name, uid, version, labels, createdSeconds, pod, details, annotations, Optional.empty());
    }

    /** Object without details. */
    public ObjectFacts(
            String name,
            String uid,
            String version,
            Map<String, String> labels,
            long createdSeconds,
            Optional<PodFacts> pod) {
        this(name, uid, version, labels, createdSeconds, pod, Optional.empty());
    }

    public String label(String key) {
        return labels.getOrDefault(key, "");
    }

    public String annotation(String key) {
        return annotations.getOrDefault(key, "");
    }

    /** State of the pod. Fails if the object is none. */
    public PodFacts requirePod() {
        return pod.orElseThrow(() -> new IllegalStateException(name + ": not a pod (expected: a pod)"));
    }
}
