package dev.hearth.kubernetes.internal.following;

import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Lines about the pod of a driver, byte for byte those of Spark, because programs parse them. Pure. */
public final class PodLines {
    private static final String NONE = "N/A";

    private PodLines() {}

    /** The state of the pod, after {@code begin}; lines of several containers are separated by an empty one. */
    public static List<String> state(String begin, ObjectFacts pod) {
        PodDetails details = pod.details().orElse(PodDetails.NONE);
        List<String> lines = new ArrayList<>(List.of(begin));
        pair(1, "pod name", pod.name(), lines);
        pair(1, "namespace", details.namespace(), lines);
        pair(
                1,
                "labels",
                pod.labels().entrySet().stream()
                        .map(label -> label.getKey() + " -> " + label.getValue())
                        .collect(Collectors.joining(", ")),
                lines);
        pair(1, "pod uid", pod.uid(), lines);
        pair(1, "creation time", details.created(), lines);
        pair(1, "service account name", details.serviceAccount(), lines);
        pair(1, "volumes", String.join(", ", details.volumes()), lines);
        pair(1, "node name", pod.requirePod().node(), lines);
        pair(1, "start time", details.started(), lines);
        pair(1, "phase", pod.requirePod().phase(), lines);
        if (details.containers().isEmpty()) {
            pair(1, "container status", "", lines);
        } else {
            lines.add("\t container status: "); // Spark's value begins with a line break
            containers(2, details, lines);
        }
        return lines;
    }

    /** The final states of the containers. */
    public static List<String> ends(ObjectFacts pod) {
        List<String> lines = new ArrayList<>(List.of("Container final statuses:", "", ""));
        containers(1, pod.details().orElse(PodDetails.NONE), lines);
        return lines;
    }

    private static void containers(int indent, PodDetails details, List<String> lines) {
        boolean later = false;
        for (PodDetails.ContainerDetails container : details.containers()) {
            if (later) {
                lines.add("");
                lines.add("");
            }
            later = true;
            ContainerFacts facts = container.facts();
            pair(indent, "container name", facts.name(), lines);
            pair(indent, "container image", container.image(), lines);
            if (facts.running()) {
                pair(indent, "container state", "running", lines);
                pair(indent, "container started at", container.started(), lines);
            } else if (facts.hasEnded()) {
                pair(indent, "container state", "terminated", lines);
                pair(indent, "container started at", container.started(), lines);
                pair(indent, "container finished at", container.finished(), lines);
                pair(indent, "exit code", String.valueOf(facts.exitCode().getAsInt()), lines);
                pair(indent, "termination reason", facts.ended(), lines);
            } else if (!facts.waiting().isEmpty()) {
                pair(indent, "container state", "waiting", lines);
                pair(indent, "pending reason", facts.waiting(), lines);
            } else {
                pair(indent, "container state", NONE, lines);
            }
        }
    }

    private static void pair(int indent, String key, String value, List<String> lines) {
        lines.add("\t".repeat(indent) + " " + key + ": " + (value.isEmpty() ? NONE : value));
    }
}
