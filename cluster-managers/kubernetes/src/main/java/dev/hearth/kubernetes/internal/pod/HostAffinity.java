package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.executors.HostWishes;
import dev.hearth.kubernetes.internal.json.Json;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;

/**
 * Affinity of a pod: excluded nodes are forbidden, preferred ones weigh as much as tasks prefer them, from 1 to 100 as in
 * the field of Kubernetes. Pure.
 */
final class HostAffinity {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final int WEIGHT_MAX = 100;

    private HostAffinity() {}

    /** The affinity for {@code hosts}; empty if any node will do. */
    static Optional<ObjectNode> of(HostWishes hosts) {
        if (hosts.excluded().isEmpty() && hosts.preferred().isEmpty()) {
            return Optional.empty();
        }
        ObjectNode affinity = Json.object();
        ObjectNode node = affinity.putObject("nodeAffinity");
        if (!hosts.excluded().isEmpty()) {
            expression(
                    node.putObject("requiredDuringSchedulingIgnoredDuringExecution")
                            .putArray("nodeSelectorTerms")
                            .addObject(),
                    "NotIn",
                    hosts.excluded());
        }
        if (!hosts.preferred().isEmpty()) {
            int most = Collections.max(hosts.preferred().values());
            ArrayNode terms = node.putArray("preferredDuringSchedulingIgnoredDuringExecution");
            hosts.preferred().forEach((name, tasks) -> {
                long weight = Math.max(1, (long) WEIGHT_MAX * tasks / most);
                ObjectNode term = terms.addObject().put("weight", weight);
                expression(term.putObject("preference"), "In", Collections.singletonList(name));
            });
        }
        return Optional.of(affinity);
    }

    private static void expression(ObjectNode term, String operator, Collection<String> names) {
        ArrayNode values = term.putArray("matchExpressions")
                .addObject()
                .put("key", HOST_NAME)
                .put("operator", operator)
                .putArray("values");
        names.forEach(values::add);
    }
}
