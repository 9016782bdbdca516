package dev.hearth.kubernetes.internal.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hearth.kubernetes.internal.api.ClaimFacts;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodDetails;
import dev.hearth.kubernetes.internal.api.PodFacts;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Facts from the JSON of objects. Unknown fields are skipped; missing ones are empty. Pure. */
final class ObjectReader {
    private static final int MESSAGE_MAX = 4096;
    /** Label of the pods whose details are read. */
    private static final String ROLE = "spark-role";
    /** Begin of the annotations that are read. */
    private static final String OWN = "hearth.dev/";

    /** Reason of a pod that is not ready because of a gate of its user. */
    private static final String GATES = "ReadinessGatesNotReady";

    private ObjectReader() {}

    static ObjectFacts read(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        Map<String, String> labels = new LinkedHashMap<>();
        metadata.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        Map<String, String> annotations = new LinkedHashMap<>();
        metadata.path("annotations").properties().forEach(annotation -> {
            if (annotation.getKey().startsWith(OWN)) {
                annotations.put(annotation.getKey(), annotation.getValue().asText());
            }
        });
        boolean isPod = object.path("kind").asText().equals("Pod")
                || object.path("spec").has("containers");
        return new ObjectFacts(
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                labels,
                seconds(metadata.path("creationTimestamp").asText()),
                isPod ? Optional.of(pod(object)) : Optional.empty(),
                isPod && labels.getOrDefault(ROLE, "").equals("driver")
                        ? Optional.of(details(object))
                        : Optional.empty(),
                annotations,
                object.path("spec").has("accessModes") ? Optional.of(claim(object)) : Optional.empty());
    }

    private static ClaimFacts claim(JsonNode claim) {
        JsonNode spec = claim.path("spec");
        List<String> modes = new ArrayList<>();
        spec.path("accessModes").forEach(mode -> modes.add(mode.asText()));
        return new ClaimFacts(
                spec.path("storageClassName").asText(),
                modes,
                spec.path("resources").path("requests").path("storage").asText(),
                claim.path("metadata").hasNonNull("deletionTimestamp"));
    }

    private static PodDetails details(JsonNode pod) {
        JsonNode metadata = pod.path("metadata");
        JsonNode spec = pod.path("spec");
        List<String> volumes = new ArrayList<>();
        spec.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
        List<PodDetails.ContainerDetails> containers = new ArrayList<>();
        pod.path("status").path("containerStatuses").forEach(container -> {
            JsonNode ended = container.path("state").path("terminated");
            JsonNode running = container.path("state").path("running");
            JsonNode before = container.path("lastState").path("terminated");
            containers.add(new PodDetails.ContainerDetails(
                    container(container),
                    container.path("image").asText(),
                    (ended.isObject() ? ended : running).path("startedAt").asText(),
                    ended.path("finishedAt").asText(),
                    container.path("restartCount").asInt(),
                    before.isObject() ? OptionalInt.of(before.path("exitCode").asInt()) : OptionalInt.empty()));
        });
        return new PodDetails(
                metadata.path("namespace").asText(),
                metadata.path("creationTimestamp").asText(),
                spec.path("serviceAccountName").asText(),
                volumes,
                pod.path("status").path("startTime").asText(),
                containers);
    }

    private static PodFacts pod(JsonNode pod) {
        JsonNode metadata = pod.path("metadata");
        JsonNode status = pod.path("status");
        List<ContainerFacts> containers = new ArrayList<>();
        status.path("initContainerStatuses")
                .forEach(container -> containers.add(container(container).asInit()));
        status.path("containerStatuses").forEach(container -> containers.add(container(container)));
        return new PodFacts(
                status.path("phase").asText("Pending"),
                status.path("reason").asText(),
                text(status.path("message")),
                pod.path("spec").path("nodeName").asText(),
                status.path("podIP").asText(),
                metadata.hasNonNull("deletionTimestamp"),
                metadata.path("deletionGracePeriodSeconds").asInt(),
                condition(status, "PodScheduled", "False", "message"),
                condition(status, "DisruptionTarget", "True", "reason"),
                containers,
                isNodeSilent(status));
    }

    /** Whether the node controller has marked a pod: it changes the condition Ready alone. */
    private static boolean isNodeSilent(JsonNode status) {
        return isMarked(status, "Ready", "False") && isMarked(status, "ContainersReady", "True");
    }

    private static boolean isMarked(JsonNode status, String type, String value) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText().equals(value)
                        && !condition.path("reason").asText().equals(GATES);
            }
        }
        return false;
    }

    private static ContainerFacts container(JsonNode container) {
        JsonNode state = container.path("state");
        JsonNode waiting = state.path("waiting");
        JsonNode ended = state.path("terminated");
        boolean hasEnded = ended.isObject();
        return new ContainerFacts(
                container.path("name").asText(),
                false,
                state.path("running").isObject(),
                waiting.path("reason").asText(),
                ended.path("reason").asText(),
                hasEnded ? OptionalInt.of(ended.path("exitCode").asInt()) : OptionalInt.empty(),
                text(hasEnded ? ended.path("message") : waiting.path("message")));
    }

    private static String condition(JsonNode status, String type, String value, String field) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)
                    && condition.path("status").asText().equals(value)) {
                String found = text(condition.path(field));
                return found.isEmpty() ? condition.path("reason").asText() : found;
            }
        }
        return "";
    }

    private static String text(JsonNode node) {
        String text = node.asText();
        return text.length() > MESSAGE_MAX ? text.substring(text.length() - MESSAGE_MAX) : text;
    }

    private static long seconds(String time) {
        try {
            return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
        } catch (DateTimeException malformed) {
            return 0; // shown as unknown; no decision depends on it
        }
    }
}
