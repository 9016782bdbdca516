package dev.hearth.kubernetes.internal.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Object in the store of a {@link SimulatedApiServer}, with the fields that patches and kubelets change. */
final class StoredObject {
    final ApiObject object;
    final String uid;
    final Map<String, String> labels;
    final Map<String, String> annotations = new LinkedHashMap<>();
    Optional<String> ownerUid;
    String version = "";
    PodFacts pod = PodFacts.PENDING;
    /** Names of the claims of a pod. */
    final Set<String> mounted;
    /** Whether a claim is being deleted. */
    boolean deleting;

    private final long createdSeconds;

    StoredObject(ApiObject object, String uid, long createdSeconds) {
        this.object = object;
        this.uid = uid;
        this.createdSeconds = createdSeconds;
        this.labels = new LinkedHashMap<>(object.labels());
        this.ownerUid = object.ownerUid();
        if (object.resource() == Resource.SECRET) { // the annotations of pods do not matter here
            merge(read(object.json()).path("metadata").path("annotations"), annotations);
        }
        this.mounted = SimulatedClaims.mountedBy(object);
    }

    /** Whether this is a pod that has not ended, with the claim {@code name}. */
    boolean mounts(String name) {
        return mounted.contains(name) && !pod.isTerminal();
    }

    ObjectFacts facts() {
        Optional<PodFacts> state = object.resource() == Resource.POD ? Optional.of(pod) : Optional.empty();
        return new ObjectFacts(
                object.name(),
                uid,
                version,
                labels,
                createdSeconds,
                state,
                Optional.empty(),
                annotations,
                SimulatedClaims.facts(object, deleting));
    }

    /** Applies the metadata of a merge patch as far as Hearth sends them: labels, annotations, and one owner. */
    void patch(JsonNode metadata) {
        merge(metadata.path("labels"), labels);
        merge(metadata.path("annotations"), annotations);
        if (metadata.has("ownerReferences")) {
            ownerUid = Optional.of(
                    metadata.path("ownerReferences").path(0).path("uid").asText());
        }
    }

    /** Whether a patch or a deletion with this precondition has to be refused. */
    boolean conflictsWith(String wanted) {
        return !wanted.isEmpty() && !wanted.equals(version);
    }

    private static void merge(JsonNode changes, Map<String, String> values) {
        changes.properties().forEach(change -> {
            if (change.getValue().isNull()) {
                values.remove(change.getKey());
            } else {
                values.put(change.getKey(), change.getValue().asText());
            }
        });
    }

    static JsonNode read(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("malformed (expected: JSON)", malformed);
        }
    }
}
