package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Least roles with which an application in cluster mode runs, as manifests of Kubernetes. Pure. */
public final class LeastRoles {
    private static final String CORE = "";

    private LeastRoles() {}

    /** Role of the driver's account. {@code annotates} and {@code deletesService} say what the driver does at its end. */
    public static String ofDriver(boolean annotates, boolean deletesService) {
        ObjectNode role = role("hearth-driver");
        ArrayNode rules = role.putArray("rules");
        List<String> pods = List.of("create", "get", "list", "watch", "deletecollection");
        rule(rules, CORE, "pods", pods);
        rule(rules, CORE, "secrets", List.of("create", "get", "patch", "delete"));
        if (annotates) {
            rule(rules, CORE, "pods", List.of("patch"));
        }
        if (deletesService) {
            rule(rules, CORE, "services", List.of("delete"));
        }
        return ManifestText.of(role);
    }

    /** Role of the submitter; {@code sends} says whether it sends files to the driver. */
    public static String ofSubmitter(boolean sends, boolean service, boolean networkPolicy) {
        ObjectNode role = role("hearth-submitter");
        ArrayNode rules = role.putArray("rules");
        rule(rules, CORE, "secrets", List.of("create", "get", "list", "patch", "delete"));
        rule(rules, CORE, "pods", List.of("create", "get", "list", "watch", "delete"));
        rule(rules, CORE, "pods/log", List.of("get"));
        if (sends) {
            rule(rules, CORE, "pods/portforward", List.of("create", "get"));
        }
        if (service) {
            rule(rules, CORE, "services", List.of("create", "get"));
        }
        if (networkPolicy) {
            rule(rules, "networking.k8s.io", "networkpolicies", List.of("create", "get"));
        }
        return ManifestText.of(role);
    }

    private static ObjectNode role(String name) {
        ObjectNode role =
                Json.object().put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", "Role");
        role.putObject("metadata").put("name", name);
        return role;
    }

    private static void rule(ArrayNode rules, String group, String resource, List<String> verbs) {
        ObjectNode rule = rules.addObject();
        rule.putArray("apiGroups").add(group);
        rule.putArray("resources").add(resource);
        verbs.forEach(rule.putArray("verbs")::add);
    }
}
