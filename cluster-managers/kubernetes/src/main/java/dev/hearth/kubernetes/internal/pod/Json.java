package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Trees of JSON, as the manifests of Kubernetes are. Pure. */
final class Json {
    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static ObjectNode object(Map<String, String> values) {
        ObjectNode object = object();
        values.forEach(object::put);
        return object;
    }

    /** Element of a list of Kubernetes that has a name. */
    static ObjectNode named(String name) {
        return object().put("name", name);
    }
}
