package dev.hearth.kubernetes.internal.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Object in the store of a {@link SimulatedApiServer}, with the fields that patches and kubelets change. */
final class StoredObject {
    final ApiObject object;
    final String uid;
    final Map<String, String> labels;
    Optional<String> ownerUid;
    String version = "";
    PodFacts pod = PodFacts.PENDING;

    private final long createdSeconds;

    StoredObject(ApiObject object, String uid, long createdSeconds) {
        this.object = object;
        this.uid = uid;
        this.createdSeconds = createdSeconds;
        this.labels = new LinkedHashMap<>(object.labels());
        this.ownerUid = object.ownerUid();
    }

    ObjectFacts facts() {
        Optional<PodFacts> state = object.resource() == Resource.POD ? Optional.of(pod) : Optional.empty();
        return new ObjectFacts(object.name(), uid, version, labels, createdSeconds, state);
    }

    /** Applies the metadata of a merge patch as far as Hearth sends them: labels, and one owner. */
    void patch(JsonNode metadata) {
        metadata.path("labels").properties().forEach(label -> {
            if (label.getValue().isNull()) {
                labels.remove(label.getKey());
            } else {
                labels.put(label.getKey(), label.getValue().asText());
            }
        });
        if (metadata.has("ownerReferences")) {
            ownerUid = Optional.of(
                    metadata.path("ownerReferences").path(0).path("uid").asText());
        }
    }
}
