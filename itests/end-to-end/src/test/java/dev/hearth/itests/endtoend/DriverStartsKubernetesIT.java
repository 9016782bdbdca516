package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drivers in pods that cannot start, and what bin/submit says. Names in comments are those of the specification. */
class DriverStartsKubernetesIT extends PodClusterFixture {
    private static final int HOPELESS_MILLIS_MAX = 20_000; // 15 s, and time for its deletion

    private PodDrivers drivers;

    @BeforeEach
    void prepare() throws Exception {
        drivers = PodDrivers.create(lab, installation, cluster);
    }

    @Test
    void endsADriverWhoseImageCannotExist() throws Exception { // K5
        List<Launched> submits = new ArrayList<>();
        try {
            submits.add(pi("localhost/k8s/none:1", "Never"));
            submits.add(pi("localhost/k8s/NONE:1", "IfNotPresent"));
            List<String> words = List.of("ErrImageNeverPull", "InvalidImageName");
            for (int i = 0; i < submits.size(); i++) {
                Launched submit = submits.get(i);
                String why = words.get(i);
                Eventually.until(why, () -> submit.errors().contains("does not start: " + why), BOUND, submit::errors);
                long begin = System.nanoTime();
                assertEquals(7, submit.status(), submit::errors);
                long took = millisSince(begin);
                if (i == 0) { // the other one ends meanwhile
                    figure("K5 a driver's image, " + why + ": from the first report to the end", "%d ms", took);
                }
                assertTrue(submit.errors().contains("localhost/k8s/"), submit::errors);
                assertTrue(took <= HOPELESS_MILLIS_MAX, () -> took + " ms (expected: 15 s)");
            }
        } finally {
            submits.forEach(Launched::close);
        }
        for (LabApi.Pod pod : drivers.pods()) {
            drivers.remove(pod.name());
        }
        drivers.awaitNoObjects(GONE_WITHIN);
    }

    @Test
    void waitsForARegistryThatDoesNotAnswer() throws Exception { // K5
        long begin = System.nanoTime();
        try (Launched submit = pi("127.0.0.1:1/hearth:1", "IfNotPresent")) {
            Eventually.until(
                    "the reason",
                    () -> submit.errors().contains("does not start: ErrImagePull"),
                    BOUND,
                    submit::errors);
            figure("K5 a registry that does not answer: until the user reads it", "%d ms", millisSince(begin));
            assertTrue(submit.errors().contains("127.0.0.1:1/hearth:1"), submit::errors);
            assertTrue(submit.isAlive(), submit::errors);
            String pod = drivers.pod();
            drivers.remove(pod);
            assertEquals(8, submit.status(), submit::errors);
        }
        drivers.awaitNoObjects(GONE_WITHIN);
    }

    @Test
    void startsOnceANodeFits() throws Exception { // K7
        List<String> flags = List.of("--conf", "hearth.kubernetes.driver.node.selector.hearth-it=fits");
        long begin = System.nanoTime();
        try (Launched submit = drivers.submit(flags, GATED, String.valueOf(gate.port()), "1")) {
            Eventually.until(
                    "the words of the scheduler",
                    () -> submit.errors().contains("waits for a node: 0/1 nodes are available"),
                    BOUND,
                    submit::errors);
            figure("K7 a driver without a node: until the user reads it", "%d ms", millisSince(begin));
            String node = lab.kubectl("get", "nodes", "-o", "name").strip();
            long labelled = System.nanoTime();
            lab.kubectl("label", node, "hearth-it=fits");
            try {
                Gate.Visitor driver =
                        PodCluster.visitors(gate, submit, "driver", 1).get(0);
                figure("K7 a node that fits: until the driver runs", "%d ms", millisSince(labelled));
                driver.pass();
                gate.open();
                assertEquals(0, submit.status(), submit::errors);
            } finally {
                lab.kubectl("label", node, "hearth-it-");
            }
        }
    }

    private Launched pi(String image, String policy) throws Exception {
        return drivers.submitJar(
                List.of(
                        "--conf",
                        "hearth.kubernetes.driver.container.image=" + image,
                        "--conf",
                        "hearth.kubernetes.container.image.pullPolicy=" + policy),
                PodDrivers.EXAMPLES,
                PI,
                "2");
    }
}
