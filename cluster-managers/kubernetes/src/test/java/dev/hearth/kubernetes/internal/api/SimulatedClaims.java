package dev.hearth.kubernetes.internal.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Claims of volumes in the text of objects of a simulated API server. Pure. */
public final class SimulatedClaims {
    private static final String CLAIM = "persistentVolumeClaim";

    private SimulatedClaims() {}

    /** Names of the claims of a pod; empty for other objects. */
    static Set<String> mountedBy(ApiObject object) {
        Set<String> claims = new LinkedHashSet<>();
        if (object.resource() == Resource.POD && object.json().contains(CLAIM)) {
            tree(object)
                    .at("/spec/volumes")
                    .forEach(volume ->
                            claims.add(volume.path(CLAIM).path("claimName").asText()));
            claims.remove("");
        }
        return claims;
    }

    /** Facts of a claim; empty for other objects. */
    static Optional<ClaimFacts> facts(ApiObject object, boolean deleting) {
        if (object.resource() != Resource.PERSISTENT_VOLUME_CLAIM) {
            return Optional.empty();
        }
        JsonNode spec = tree(object).path("spec");
        List<String> modes = new ArrayList<>();
        spec.path("accessModes").forEach(mode -> modes.add(mode.asText()));
        return Optional.of(new ClaimFacts(
                spec.path("storageClassName").asText("default"),
                modes,
                spec.at("/resources/requests/storage").asText(),
                deleting));
    }

    /** Text of a pod with these claims, by volume. */
    public static String podWith(Map<String, String> claims) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        ArrayNode volumes = pod.putObject("spec").putArray("volumes");
        claims.forEach((volume, claim) ->
                volumes.addObject().put("name", volume).putObject(CLAIM).put("claimName", claim));
        return pod.toString();
    }

    /** Text of a claim. */
    public static String claim(ClaimSpec wanted) {
        ObjectNode claim = JsonNodeFactory.instance.objectNode();
        ObjectNode spec = claim.putObject("spec");
        spec.putArray("accessModes").add(wanted.mode());
        wanted.storageClass().ifPresent(storage -> spec.put("storageClassName", storage));
        spec.putObject("resources").putObject("requests").put("storage", wanted.size());
        return claim.toString();
    }

    private static JsonNode tree(ApiObject object) {
        try {
            return new ObjectMapper().readTree(object.json());
        } catch (JsonProcessingException malformed) {
            throw new AssertionError(object + ": malformed (expected: JSON)", malformed);
        }
    }
}
