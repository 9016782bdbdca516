package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.pod.PodTemplate.MalformedException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks of templates and of pods that patches have changed, for what the API server refuses or Hearth relies on. Values of
 * fields that Hearth does not know are left to the API server. Pure.
 */
final class PodShape {
    private static final String NAME = "probe";
    /** Lists of a pod, besides those of its containers. */
    private static final List<String> OF_SPEC = List.of("volumes", "imagePullSecrets", "hostAliases");

    private static final List<String> CONTAINERS = List.of("containers", "initContainers");
    private static final List<String> OF_CONTAINER = List.of("env", "volumeMounts", "volumeDevices");

    private PodShape() {}

    /** Checks that {@code pod} is one, and that the elements of its lists differ in their keys. */
    static void check(JsonNode pod, Path file) throws MalformedException {
        String kind = pod.path("kind").asText("Pod");
        expect(kind.equals("Pod"), file, "kind " + kind, "Pod");
        String version = pod.path("apiVersion").asText("v1");
        expect(version.equals("v1"), file, "apiVersion " + version, "v1");
        for (String field : List.of("metadata", "spec")) {
            expect(isObject(pod.path(field)), file, field + " of another kind", "an object");
        }
        for (String field : List.of("labels", "annotations")) {
            JsonNode map = pod.path("metadata").path(field);
            expect(isObject(map), file, "metadata." + field + " of another kind", "an object");
            for (Map.Entry<String, JsonNode> entry : map.properties()) {
                expect(
                        entry.getValue().isTextual() || entry.getValue().isNull(),
                        file,
                        "metadata." + field + "." + entry.getKey() + ": " + entry.getValue(),
                        "a text; put numbers and true into quotation marks");
            }
        }
        JsonNode spec = pod.path("spec");
        for (String list : OF_SPEC) {
            checkList(spec, "spec.", list, file);
        }
        for (String list : CONTAINERS) {
            checkList(spec, "spec.", list, file);
            int number = 0;
            for (JsonNode container : spec.path(list)) {
                String where = "spec." + list + "[" + number++ + "].";
                for (String inner : OF_CONTAINER) {
                    checkList(container, where, inner, file);
                }
            }
        }
    }

    private static boolean isObject(JsonNode node) {
        return node.isObject() || node.isMissingNode() || node.isNull();
    }

    private static void checkList(JsonNode holder, String where, String name, Path file) throws MalformedException {
        JsonNode list = holder.path(name);
        expect(
                list.isArray() || list.isMissingNode() || list.isNull(),
                file,
                where + name + " of another kind",
                "a list");
        String key = TreeMerge.KEYS.getOrDefault(name, "name");
        Set<String> seen = new HashSet<>();
        int number = 0;
        for (JsonNode element : list) {
            String value = element.path(key).asText();
            String place = where + name + "[" + number++ + "]";
            expect(!value.isEmpty(), file, place + " without " + key, "a " + key);
            expect(seen.add(value), file, place + ": a second " + key + " " + value, "each once");
        }
    }

    /** Pod to which templates and patches are applied, to see what they change. */
    static ObjectNode probe(String container) {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("name", NAME);
        metadata.putObject("labels").put(PodLabels.APPLICATION, NAME);
        ObjectNode spec = pod.putObject("spec").put("restartPolicy", "Never");
        ObjectNode own = Json.named(container).put("image", NAME);
        own.putArray("args").add(NAME);
        own.putArray("env").add(Json.named("HEARTH_ORDERS").put("value", NAME));
        own.putArray("volumeMounts").add(ApplicationPods.mount("hearth-orders", ApplicationPods.ORDERS));
        spec.putArray("containers").add(own);
        spec.putArray("volumes").add(Json.named("hearth-orders"));
        return pod;
    }

    /** Checks that {@code pod}, a changed {@link #probe}, still has what Hearth relies on. */
    static void checkKept(ObjectNode pod, String container, Path file) throws MalformedException {
        expect(
                pod.at("/metadata/name").asText().equals(NAME)
                        && pod.at("/metadata/labels").has(PodLabels.APPLICATION),
                file,
                "removes the name or the labels of the pod",
                "other fields of metadata");
        expect(pod.at("/spec/restartPolicy").asText().equals("Never"), file, "removes spec", "fields of spec");
        JsonNode own = named(pod.at("/spec/containers"), container);
        expect(own.isObject(), file, "removes the container " + container, "a pod with it");
        boolean hasOrders = named(own.path("env"), "HEARTH_ORDERS").isObject()
                && named(own.path("volumeMounts"), "hearth-orders").isObject()
                && named(pod.at("/spec/volumes"), "hearth-orders").isObject();
        expect(
                own.has("args") && hasOrders,
                file,
                "removes arguments, variables or volumes of Hearth from the container " + container,
                "elements that are added, or fields that are changed");
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path("name").asText().equals(name)) {
                return element;
            }
        }
        return list.path(-1);
    }

    private static void expect(boolean holds, Path file, String found, String rule) throws MalformedException {
        if (!holds) {
            throw new MalformedException(file + ": " + found + " (expected: " + rule + ")");
        }
    }
}
