package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Executors that are deleted or evicted, and an API server that does not answer. Names in comments are those of the specification. */
class ExecutorLossKubernetesIT extends PodClusterFixture {
    /** A task that fails by itself ends the job: what the cluster does must not count. */
    private static final String NO_FAILURE = "hearth.task.maxFailures=1";

    @Test
    void letsADeletedExecutorFinishItsTask() throws Exception { // K8
        try (Launched submit = cluster.submit(List.of(NO_FAILURE), GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            long begin = System.nanoTime();
            cluster.delete(tasks.get(0).pod());
            cluster.awaitExecutors("a third executor", BOUND, pods -> PodCluster.named(pods, "-exec-3"));
            figure("K8 an executor deleted: until its replacement exists", "%d ms", millisSince(begin));
            for (Gate.Visitor task : tasks) {
                task.pass();
            }
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 1\n", submit.output());
            figure("K8 an executor deleted: until the end of bin/submit", "%d ms", millisSince(begin));
        }
        cluster.awaitNoExecutorProcess(GONE_WITHIN);
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void runsTheTaskOfAnEvictedExecutorAgainWithoutAChargedFailure() throws Exception { // K8
        List<String> settings = List.of(NO_FAILURE, "hearth.kubernetes.executor.terminationGracePeriodSeconds=3s");
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            long begin = System.nanoTime();
            evict(tasks.get(0).pod());
            cluster.awaitExecutors("a third executor", BOUND, pods -> PodCluster.named(pods, "-exec-3"));
            figure("K8 an executor evicted: until its replacement exists", "%d ms", millisSince(begin));
            tasks.get(1).pass();
            Gate.Visitor again = PodCluster.visitors(gate, submit, "task", 1).get(0);
            figure("K8 an executor evicted: until its task runs again", "%d ms", millisSince(begin));
            assertNotEquals(tasks.get(0).pod(), again.pod());
            again.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 1\n", submit.output());
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void saysThatAnExecutorLacksMemory() throws Exception { // K9
        List<String> settings = List.of(NO_FAILURE, "hearth.executor.extraJavaOptions=-XX:MaxDirectMemorySize=2g");
        try (Launched submit =
                cluster.submit(settings, "dev.hearth.itests.endtoend.app.FillsMemory", "1024", "in a task")) {
            assertNotEquals(0, submit.status());
            assertTrue(submit.errors().contains("OUT_OF_MEMORY"), submit::errors);
            assertTrue(submit.errors().contains("raise hearth.executor.memory"), submit::errors);
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void goesOnWithoutASidecarAndNamesAnInitContainerThatFails() throws Exception { // K9
        String sidecar =
                "spec: {containers: [{name: main}, {name: side, image: 'localhost/k8s/busybox:1', command: [/bin/false]}]}";
        Path template = Files.writeString(scratch.resolve("sidecar.yaml"), sidecar);
        String key = "spark.kubernetes.executor.podTemplateFile=";
        gate.open();
        try (Launched submit = cluster.submit(List.of(key + template), GATED, String.valueOf(gate.port()), "2")) {
            assertEquals(0, submit.status(), submit::errors);
            assertFalse(submit.errors().contains("lost"), submit::errors);
        }
        String init =
                "spec: {initContainers: [{name: prepare, image: 'localhost/k8s/busybox:1', command: [/bin/false]}]}";
        Files.writeString(template, init);
        List<String> settings = List.of(key + template, "hearth.starvation.timeout=2s");
        try (Launched submit = cluster.submit(settings, PI, "2")) {
            Eventually.until(
                    "the init container that fails",
                    () -> submit.errors().contains("prepare (an init container) ended with exit status 1"),
                    BOUND,
                    submit::errors);
            submit.end();
            submit.status();
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void endsItsExecutorsWithoutTheCollectorOfTheCluster() throws Exception { // K14
        try (Launched submit = cluster.submit(List.of(), GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            lab.suspend("kube-controller-manager");
            try {
                for (Gate.Visitor task : tasks) {
                    task.pass();
                }
                assertEquals(0, submit.status(), submit::errors);
                cluster.awaitNoExecutorProcess(GONE_WITHIN);
                figure(
                        "K14 without the collector of the cluster: no executor",
                        "%d ms",
                        cluster.awaitNoExecutors(BOUND));
                assertEquals(List.of(), cluster.secrets());
            } finally {
                lab.resume("kube-controller-manager");
            }
        }
    }

    @Test
    void losesNoExecutorWhileTheApiServerIsAway() throws Exception { // K10
        List<String> settings = List.of(NO_FAILURE, "hearth.log.level=info");
        try (Launched submit = cluster.submit(settings, ROUNDS, String.valueOf(gate.port()), "6")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            List<String> before = PodCluster.pods(tasks);
            lab.suspend("kube-apiserver");
            try {
                long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
                for (Gate.Visitor task : tasks) {
                    task.pass();
                }
                List<Gate.Visitor> meanwhile = PodCluster.visitors(gate, submit, "task", 2);
                assertEquals(before, PodCluster.pods(meanwhile));
                Eventually.until("60 s are over", () -> System.nanoTime() - end > 0, Duration.ofSeconds(70));
                for (Gate.Visitor task : meanwhile) {
                    task.pass();
                }
                tasks = PodCluster.visitors(gate, submit, "task", 2);
                assertEquals(before, PodCluster.pods(tasks));
            } finally {
                lab.resume("kube-apiserver");
            }
            long begin = System.nanoTime();
            Eventually.until("the API server answers", this::answers, BOUND);
            cluster.delete(tasks.get(0).pod());
            cluster.awaitExecutors("a third executor", BOUND, pods -> PodCluster.named(pods, "-exec-3"));
            figure(
                    "K10 API server away 60 s: from its return to a replacement of an executor deleted then",
                    "%d ms",
                    millisSince(begin));
            assertFalse(submit.errors().contains("lost"), submit::errors);
            gate.open();
            for (Gate.Visitor task : tasks) {
                task.pass();
            }
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sums are 21 and 1\n", submit.output());
        }
    }

    private void evict(String pod) throws Exception {
        String eviction = "{\"apiVersion\":\"policy/v1beta1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"" + pod
                + "\",\"namespace\":\"" + cluster.namespace() + "\"}}";
        String path = "/api/v1/namespaces/" + cluster.namespace() + "/pods/" + pod + "/eviction";
        assertEquals(201, lab.api().post(path, eviction).get(10, TimeUnit.SECONDS));
    }

    private boolean answers() throws IOException, InterruptedException {
        return lab.api().get("/readyz", "*/*").equals("ok");
    }
}
