package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Merges objects of Kubernetes as its strategic merge patch does: objects field by field, the known lists by the key of
 * their elements, other lists and values as a whole. Unknown fields are kept. Pure.
 */
final class TreeMerge {
    /** Lists whose elements have a key, by the name of the field. */
    /** Keys of the elements of lists, by the names of the lists. */
    static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("containers", "name"),
            Map.entry("initContainers", "name"),
            Map.entry("ephemeralContainers", "name"),
            Map.entry("volumes", "name"),
            Map.entry("env", "name"),
            Map.entry("imagePullSecrets", "name"),
            Map.entry("hostAliases", "ip"),
            Map.entry("ports", "containerPort"),
            Map.entry("volumeMounts", "mountPath"),
            Map.entry("volumeDevices", "devicePath"),
            Map.entry("ownerReferences", "uid"));

    private TreeMerge() {}

    /** A copy of {@code base} with the fields of {@code over}, of which null removes a field. */
    static ObjectNode merge(ObjectNode base, ObjectNode over) {
        ObjectNode merged = base.deepCopy();
        over.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode value = field.getValue();
            JsonNode before = merged.get(name);
            if (value.isNull()) {
                merged.remove(name);
            } else if (value instanceof ObjectNode object) {
                merged.set(name, merge(before instanceof ObjectNode known ? known : Json.object(), object));
            } else if (value instanceof ArrayNode list && before instanceof ArrayNode known && KEYS.containsKey(name)) {
                merged.set(name, join(known, list, KEYS.get(name)));
            } else {
                merged.set(name, value.deepCopy());
            }
        });
        return merged;
    }

    private static ArrayNode join(ArrayNode base, ArrayNode over, String key) {
        Map<String, JsonNode> elements = new LinkedHashMap<>();
        base.forEach(element -> elements.put(element.path(key).asText(), element));
        over.forEach(element -> elements.merge(
                element.path(key).asText(),
                element,
                (before, after) -> before instanceof ObjectNode known && after instanceof ObjectNode object
                        ? merge(known, object)
                        : after));
        ArrayNode joined = Json.array();
        elements.values().forEach(element -> joined.add(element.deepCopy()));
        return joined;
    }
}
