package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Claims of volumes as objects of Kubernetes, and those of one application's executors. Immutable. */
record ClaimObjects(PodAdditions additions, String prefix, Map<String, String> labels, String selector)
        implements ExecutorClaims {
    /** Claim of the name {@code name}; {@code labels} are those that Hearth sets. */
    static ApiObject claim(String name, ClaimSpec spec, Map<String, String> labels, Owner owner) {
        Map<String, String> all = new LinkedHashMap<>(spec.labels());
        all.putAll(labels);
        ObjectNode claim = Json.object().put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
        ObjectNode metadata = claim.putObject("metadata").put("name", name);
        metadata.set("labels", Json.object(all));
        if (!spec.annotations().isEmpty()) {
            metadata.set("annotations", Json.object(spec.annotations()));
        }
        metadata.putArray("ownerReferences").add(ApplicationPods.owner(owner));
        ObjectNode body = claim.putObject("spec");
        body.putArray("accessModes").add(spec.mode());
        spec.storageClass().ifPresent(storage -> body.put("storageClassName", storage));
        body.putObject("resources").putObject("requests").put("storage", spec.size());
        return new ApiObject(Resource.PERSISTENT_VOLUME_CLAIM, name, all, Optional.of(owner.uid()), Json.text(claim));
    }

    @Override
    public List<ClaimSpec> specs(String mode) {
        return additions.claims(mode);
    }

    @Override
    public String name(long number) {
        return prefix + "-exec-pvc-" + number;
    }

    @Override
    public ApiObject claim(long number, long epoch, ClaimSpec spec, Owner owner) {
        Map<String, String> own = new LinkedHashMap<>(labels);
        own.put(AnchorMarks.EPOCH, String.valueOf(epoch));
        return claim(name(number), spec, own, owner);
    }
}
