package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Least roles with which applications run and namespaces are swept, as manifests of Kubernetes. Pure. */
public final class LeastRoles {
    private static final String CORE = "";
    private static final String CLAIMS = "persistentvolumeclaims";

    private LeastRoles() {}

    /** Text of {@link #driver}. */
    public static String ofDriver(boolean deletesService, Optional<ClaimSettings> claims) {
        return ManifestText.of(driver(deletesService, claims));
    }

    /**
     * Role of the driver's account. {@code deletesService} says whether the driver deletes its service at its end, {@code
     * claims} are the rules for the claims on demand of its executors, if they have some. Patches of pods note how a driver
     * ended, and adopt pods whose anchor was deleted.
     */
    public static ObjectNode driver(boolean deletesService, Optional<ClaimSettings> claims) {
        ObjectNode role = role("hearth-driver");
        ArrayNode rules = role.putArray("rules");
        List<String> pods = List.of("create", "get", "list", "watch", "deletecollection", "patch");
        rule(rules, CORE, "pods", pods);
        rule(rules, CORE, "secrets", List.of("create", "get", "patch", "delete"));
        claims.ifPresent(given -> {
            List<String> verbs = new ArrayList<>(List.of("create", "get", "delete", "deletecollection"));
            verbs.add(given.driverOwns() ? "list" : "patch");
            rule(rules, CORE, CLAIMS, verbs);
        });
        if (deletesService) {
            rule(rules, CORE, "services", List.of("delete"));
        }
        return role;
    }

    /** Text of {@link #submitter}. */
    public static String ofSubmitter(boolean sends, boolean service, boolean networkPolicy, boolean claims) {
        return ManifestText.of(submitter(sends, service, networkPolicy, claims));
    }

    /**
     * Role of the submitter; {@code sends} says whether it sends files to the driver, {@code claims} whether the driver's pod
     * has claims on demand.
     */
    public static ObjectNode submitter(boolean sends, boolean service, boolean networkPolicy, boolean claims) {
        ObjectNode role = role("hearth-submitter");
        ArrayNode rules = role.putArray("rules");
        rule(rules, CORE, "secrets", List.of("create", "get", "list", "patch", "delete"));
        rule(rules, CORE, "pods", List.of("create", "get", "list", "watch", "delete"));
        rule(rules, CORE, "pods/log", List.of("get"));
        if (sends) {
            rule(rules, CORE, "pods/portforward", List.of("create", "get"));
        }
        if (claims) {
            rule(rules, CORE, CLAIMS, List.of("create", "get"));
        }
        if (service) {
            rule(rules, CORE, "services", List.of("create", "get"));
        }
        if (networkPolicy) {
            rule(rules, "networking.k8s.io", "networkpolicies", List.of("create", "get"));
        }
        return role;
    }

    /** Role of an account that sweeps the namespace. */
    public static ObjectNode sweeper() {
        ObjectNode role = role("hearth-sweeper");
        ArrayNode rules = role.putArray("rules");
        rule(rules, CORE, "secrets", List.of("list", "patch", "delete"));
        rule(rules, CORE, "pods", List.of("list", "delete"));
        return role;
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
