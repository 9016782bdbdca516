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

    /** Object without labels and contents, which the methods below add. */
    public static ObjectFacts of(String name, String uid, String version) {
        return new ObjectFacts(
                name, uid, version, Map.of(), 0, Optional.empty(), Optional.empty(), Map.of(), Optional.empty());
    }

    public ObjectFacts labelled(Map<String, String> others) {
        return new ObjectFacts(name, uid, version, others, createdSeconds, pod, details, annotations, claim);
    }

    public ObjectFacts createdAt(long seconds) {
        return new ObjectFacts(name, uid, version, labels, seconds, pod, details, annotations, claim);
    }

    public ObjectFacts with(PodFacts state) {
        return new ObjectFacts(
                name, uid, version, labels, createdSeconds, Optional.of(state), details, annotations, claim);
    }

    public ObjectFacts with(PodDetails ofDriver) {
        return new ObjectFacts(
                name, uid, version, labels, createdSeconds, pod, Optional.of(ofDriver), annotations, claim);
    }

    public ObjectFacts with(ClaimFacts ofClaim) {
        return new ObjectFacts(
                name, uid, version, labels, createdSeconds, pod, details, annotations, Optional.of(ofClaim));
    }

    public ObjectFacts annotated(Map<String, String> others) {
        return new ObjectFacts(name, uid, version, labels, createdSeconds, pod, details, others, claim);
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
