package dev.hearth.kubernetes.internal.following;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodDetails;
import dev.hearth.kubernetes.internal.api.PodDetails.ContainerDetails;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The lines about drivers, byte for byte, and the expressions by which programs read them. */
class PodLinesTest {
    /** Expressions of the hook of Apache Airflow for spark-submit. */
    private static final Pattern POD = Pattern.compile("\\s*pod name: ((.+?)-([a-z0-9]+)-driver$)");

    private static final Pattern APPLICATION = Pattern.compile("\\s*spark-app-selector -> (spark-([a-z0-9]+)), ");
    private static final Pattern EXIT = Pattern.compile("\\s*[eE]xit code: (\\d+)");

    private static final ContainerFacts ENDED = ContainerFacts.ended(DriverObjects.CONTAINER, 0, "Completed", "");
    private static final String NAME = "spark-pi-0123456789abcdef-driver";

    private static ObjectFacts pod(PodFacts state, ContainerDetails... containers) {
        return ObjectFacts.of(NAME, "u-1", "7")
                .labelled(Map.of("spark-app-selector", "spark-" + "0a".repeat(16), "spark-role", "driver"))
                .with(state)
                .with(new PodDetails(
                        "spark",
                        "2026-01-01T00:00:00Z",
                        "driver",
                        List.of("hearth-orders", "kube-api-access"),
                        "2026-01-01T00:00:01Z",
                        List.of(containers)));
    }

    @Test
    void printsTheStateOfAPod() {
        ObjectFacts pod = pod(
                PodFacts.PENDING.on("node-1").in("Succeeded", ENDED),
                new ContainerDetails(ENDED, "hearth:1", "2026-01-01T00:00:02Z", "2026-01-01T00:00:09Z"));
        assertEquals(
                List.of(
                        "State changed, new state: ",
                        "\t pod name: " + NAME,
                        "\t namespace: spark",
                        "\t labels: spark-app-selector -> spark-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a, spark-role -> driver",
                        "\t pod uid: u-1",
                        "\t creation time: 2026-01-01T00:00:00Z",
                        "\t service account name: driver",
                        "\t volumes: hearth-orders, kube-api-access",
                        "\t node name: node-1",
                        "\t start time: 2026-01-01T00:00:01Z",
                        "\t phase: Succeeded",
                        "\t container status: ",
                        "\t\t container name: spark-kubernetes-driver",
                        "\t\t container image: hearth:1",
                        "\t\t container state: terminated",
                        "\t\t container started at: 2026-01-01T00:00:02Z",
                        "\t\t container finished at: 2026-01-01T00:00:09Z",
                        "\t\t exit code: 0",
                        "\t\t termination reason: Completed"),
                PodLines.state("State changed, new state: ", pod));
    }

    @Test
    void printsWhatIsMissing() {
        ObjectFacts pod =
                ObjectFacts.of(NAME, "u-1", "7").with(PodFacts.PENDING).with(PodDetails.NONE);
        List<String> lines = PodLines.state("x", pod);
        assertTrue(lines.contains("\t namespace: N/A"));
        assertTrue(lines.contains("\t container status: N/A"));
    }

    @Test
    void printsTheEndsOfContainers() {
        ContainerFacts waiting = ContainerFacts.waiting("sidecar", "ImagePullBackOff", "");
        ContainerFacts running = ContainerFacts.running("other");
        ObjectFacts pod = pod(
                PodFacts.PENDING,
                new ContainerDetails(ENDED, "hearth:1", "a", "b"),
                new ContainerDetails(waiting, "s:1", "", ""),
                new ContainerDetails(running, "o:1", "c", ""));
        assertEquals(
                "Container final statuses:\n\n\n\t container name: spark-kubernetes-driver\n\t container image: hearth:1"
                        + "\n\t container state: terminated\n\t container started at: a\n\t container finished at: b"
                        + "\n\t exit code: 0\n\t termination reason: Completed\n\n\n\t container name: sidecar"
                        + "\n\t container image: s:1\n\t container state: waiting\n\t pending reason: ImagePullBackOff"
                        + "\n\n\n\t container name: other\n\t container image: o:1\n\t container state: running"
                        + "\n\t container started at: c",
                String.join("\n", PodLines.ends(pod)));
    }

    @Test
    void isReadByTheExpressionsOfAirflow() {
        ObjectFacts pod = pod(PodFacts.PENDING.in("Failed", ENDED), new ContainerDetails(ENDED, "hearth:1", "a", "b"));
        List<String> found = new ArrayList<>();
        for (String line : PodLines.state("State changed, new state: ", pod)) {
            for (Pattern pattern : List.of(POD, APPLICATION, EXIT)) {
                Matcher matcher = pattern.matcher(line.strip()); // Airflow strips lines
                if (matcher.find()) {
                    found.add(matcher.group(1));
                }
            }
        }
        assertEquals(List.of(NAME, "spark-" + "0a".repeat(16), "0"), found);
    }
}
