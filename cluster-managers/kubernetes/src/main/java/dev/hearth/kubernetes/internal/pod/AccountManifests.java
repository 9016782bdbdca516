package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import java.util.List;
import java.util.Optional;

/** Manifests of accounts with roles, and of the job that sweeps a namespace. Pure. */
public final class AccountManifests {
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final int FAILED_KEPT = 1;
    private static final int USER = 185;

    private AccountManifests() {}

    /** An account named {@code account} and the binding by which it has {@code role}, with the role between them. */
    public static List<ObjectNode> withRole(String account, ObjectNode role, Optional<String> namespace) {
        ObjectNode binding = object(RBAC + "/v1", "RoleBinding", account, namespace);
        ObjectNode subject = binding.putArray("subjects").addObject();
        subject.put("kind", "ServiceAccount").put("name", account);
        namespace.ifPresent(name -> subject.put("namespace", name));
        binding.putObject("roleRef")
                .put("apiGroup", RBAC)
                .put("kind", "Role")
                .put("name", role.at("/metadata/name").asText());
        return List.of(object("v1", "ServiceAccount", account, namespace), in(role, namespace), binding);
    }

    /** {@code role} in {@code namespace}. */
    public static ObjectNode in(ObjectNode role, Optional<String> namespace) {
        ObjectNode copy = role.deepCopy();
        namespace.ifPresent(name -> copy.withObject("/metadata").put("namespace", name));
        return copy;
    }

    /** Job that sweeps its namespace by {@code arguments} of an image with Hearth, at the times of {@code schedule}. */
    public static ObjectNode cronJob(
            String account, String schedule, String image, List<String> arguments, Optional<String> namespace) {
        ObjectNode job = object("batch/v1", "CronJob", "hearth-sweep", namespace);
        ObjectNode spec = job.putObject("spec")
                .put("schedule", schedule)
                .put("concurrencyPolicy", "Forbid")
                .put("successfulJobsHistoryLimit", 0)
                .put("failedJobsHistoryLimit", FAILED_KEPT);
        ObjectNode run = spec.putObject("jobTemplate").putObject("spec").put("backoffLimit", 0);
        ObjectNode pod = run.putObject("template").putObject("spec");
        pod.put("restartPolicy", "Never").put("serviceAccountName", account);
        pod.putObject("securityContext").put("runAsUser", USER).put("runAsNonRoot", true);
        ObjectNode container = pod.putArray("containers").addObject();
        container.put("name", "sweep").put("image", image);
        ArrayNode words = container.putArray("args");
        arguments.forEach(words::add);
        ObjectNode resources = container.putObject("resources");
        resources.putObject("requests").put("cpu", "100m").put("memory", "192Mi");
        resources.putObject("limits").put("memory", "512Mi");
        return job;
    }

    private static ObjectNode object(String version, String kind, String name, Optional<String> namespace) {
        ObjectNode object = Json.object().put("apiVersion", version).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return in(object, namespace);
    }
}
