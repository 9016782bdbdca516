package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Anchors of drivers on this machine, with executors as pods of a real Kubernetes: drivers that are killed, two drivers of one
 * application, anchors that strangers delete, and sweeps. Names in brackets are those of the specification's tests.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.kubernetes", matches = "true")
class AnchorKubernetesIT extends PodClusterFixture {
    private static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";
    private static final Duration SWEEP_BOUND = Duration.ofSeconds(90);
    private static final List<String> ONE_APPLICATION = List.of(
            "hearth.kubernetes.submission.application=spark-0123456789abcdef0123456789abcdef",
            "hearth.kubernetes.submission.namePrefix=shared");

    /** Runs the command, and returns what it prints; with {@code account}, as the account with this token. */
    private String sweep(String... arguments) throws Exception {
        String[] command = Stream.concat(
                        Stream.of("exec", "sweep", "--master", "k8s://" + lab.url()),
                        Stream.concat(Stream.of("--namespace", cluster.namespace()), Stream.of(arguments)))
                .toArray(String[]::new);
        try (Launched swept = installation.hearth(Map.of("KUBECONFIG", lab.kubeconfig()), command)) {
            assertEquals(0, swept.status(), swept::errors);
            return swept.output();
        }
    }

    @Test
    void leavesNothingOfAKilledDriverAfterTheSweep() throws Exception {
        List<Integer> sweeps = new ArrayList<>();
        try (Launched submit = cluster.submit(List.of(), GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            PodCluster.visitors(gate, submit, "task", 2);
            Eventually.until("the anchor stood still, and its executors run", () -> keeps(sweeps), SWEEP_BOUND);
            assertEquals(1, cluster.secrets().size());
            assertEquals(2, cluster.executors(RUNNING).size());
            long begin = System.nanoTime();
            submit.kill();
            cluster.awaitExecutors(
                    "executors that have ended",
                    SWEEP_BOUND,
                    pods -> pods.stream().noneMatch(pod -> pod.status().equals(RUNNING)));
            figure("a killed driver: until its executors have ended", "%d ms", millisSince(begin));
        }
        long begin = System.nanoTime();
        String said = sweep("--older-than", "1s");
        figure("hearth exec sweep of a namespace with one anchor, with the start of Java", "%d ms", millisSince(begin));
        assertTrue(said.contains("-orders: deleted"), said);
        assertEquals(List.of(), cluster.secrets());
        figure("an anchor swept: until the executors' pods are gone", "%d ms", cluster.awaitNoExecutors(SWEEP_BOUND));
        assertEquals("nothing is left in namespace " + cluster.namespace() + "\n", sweep("--older-than", "1s"));
    }

    /** Sweeps, and says whether the sweep has found an anchor that stands still while its executors run. */
    private boolean keeps(List<Integer> sweeps) {
        try {
            sweeps.add(sweeps.size());
            String said = sweep("--older-than", "1s");
            assertTrue(!said.contains("deleted"), said);
            return said.contains("kept, its executors run");
        } catch (Exception failure) {
            throw new AssertionError("sweep: " + failure, failure);
        }
    }

    @Test
    void letsOneOfTwoDriversGoOn() throws Exception { // K32
        try (Launched first = cluster.submit(ONE_APPLICATION, GATED, String.valueOf(gate.port()), "2");
                Gate other = cluster.gate()) {
            PodCluster.visitors(gate, first, "driver", 1).get(0).pass();
            List<Gate.Visitor> lost = PodCluster.visitors(gate, first, "task", 2);
            long begin = System.nanoTime();
            try (Launched second = cluster.submit(ONE_APPLICATION, GATED, String.valueOf(other.port()), "2")) {
                PodCluster.visitors(other, second, "driver", 1).get(0).pass();
                assertNotEquals(0, first.status(), "the first is superseded");
                figure("K32 from the start of a second driver to the end of the first", "%d ms", millisSince(begin));
                assertTrue(first.errors().contains("another driver, number 2"), first::errors);
                List<Gate.Visitor> tasks = PodCluster.visitors(other, second, "task", 2);
                assertTrue(
                        PodCluster.pods(tasks).stream().allMatch(pod -> pod.contains("-exec-10000")), tasks::toString);
                assertTrue(PodCluster.pods(lost).stream().noneMatch(pod -> pod.contains("-exec-10000")));
                cluster.awaitExecutors(
                        "the executors of the second alone",
                        GONE_WITHIN,
                        pods -> pods.stream()
                                .filter(pod -> !pod.status().equals("Terminating"))
                                .allMatch(pod -> pod.name().contains("-exec-10000")));
                assertEquals(List.of("secret/shared-orders"), cluster.secrets());
                for (Gate.Visitor task : tasks) {
                    task.pass();
                }
                assertEquals(0, second.status(), second::errors);
                assertEquals("sum is 1\n", second.output());
            }
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
        assertEquals(List.of(), cluster.secrets());
    }

    @Test
    void goesOnWhenAStrangerDeletesTheAnchor() throws Exception {
        List<String> settings =
                List.of("hearth.task.maxFailures=1", "hearth.kubernetes.executor.terminationGracePeriodSeconds=3s");
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            PodCluster.visitors(gate, submit, "task", 2);
            List<String> before = cluster.secrets();
            long begin = System.nanoTime();
            lab.kubectl("-n", cluster.namespace(), "delete", before.get(0));
            Eventually.until("the anchor is there again", () -> secrets().equals(before), SWEEP_BOUND);
            figure("an anchor deleted by a stranger: until it is there again", "%d ms", millisSince(begin));
            for (Gate.Visitor task : PodCluster.visitors(gate, submit, "task", 2)) {
                task.pass();
            }
            figure("an anchor deleted by a stranger: until its tasks run again", "%d ms", millisSince(begin));
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 1\n", submit.output());
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
        assertEquals(List.of(), cluster.secrets());
    }

    private List<String> secrets() {
        try {
            return cluster.secrets();
        } catch (Exception failure) {
            throw new AssertionError("secrets: " + failure, failure);
        }
    }

    @Test
    void acceptsTheManifestsThatTheCommandsPrint() throws Exception { // K20
        try (Launched printed = installation.hearth(
                "exec", "kubernetes-role", "driver", "--account", "team", "--namespace", cluster.namespace())) {
            assertEquals(0, printed.status(), printed::errors);
            lab.create(cluster.namespace(), printed.output());
        }
        String job = sweep("--cron", "--image", KubernetesLab.IMAGE);
        lab.create(cluster.namespace(), job.replace("batch/v1\n", "batch/v1beta1\n")); // this cluster is of 1.20
        assertEquals(
                "hearth-sweep",
                lab.kubectl(
                        "-n",
                        cluster.namespace(),
                        "get",
                        "cronjob",
                        "hearth-sweep",
                        "-o",
                        "jsonpath={.metadata.name}"));
        lab.kubectl("-n", cluster.namespace(), "create", "job", "now", "--from=cronjob/hearth-sweep");
        Eventually.until("the job has swept the namespace", this::hasSucceeded, SWEEP_BOUND);
    }

    private boolean hasSucceeded() {
        try {
            String found = lab.kubectl(
                    "-n",
                    cluster.namespace(),
                    "get",
                    "job",
                    "now",
                    "-o",
                    "jsonpath={.status.succeeded}{.status.failed}");
            assertTrue(found.isEmpty() || found.equals("1"), found);
            return found.equals("1") && log().contains("nothing is left");
        } catch (Exception failure) {
            throw new AssertionError("job: " + failure, failure);
        }
    }

    private String log() throws Exception {
        return lab.kubectl("-n", cluster.namespace(), "logs", "job/now");
    }
}
