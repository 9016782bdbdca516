package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An API server that serves few changes at once and closes connections. Names in comments are those of the specification. */
@OnKubernetes
class ThrottledKubernetesIT {
    private static final int PODS = 500;
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final String REQUESTS = "apiserver_request_total";

    @RegisterExtension
    static final SharedLab LABORATORY = SharedLab.withoutNode(Map.of(
            "K8S_APISERVER_ARGS",
            "--max-mutating-requests-inflight=5 --goaway-chance=0.02 --http2-max-streams-per-connection=16"
                    + " --feature-gates=APIPriorityAndFairness=false"));

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static KubernetesLab lab;

    @BeforeAll
    static void start() throws Exception {
        installation = Installation.in(scratch);
        lab = LABORATORY.lab();
    }

    @Test
    void createsEachPodOnceUnderThrottling() throws Exception { // K19
        PodCluster cluster = PodCluster.create(lab, installation, "throttled");
        long before = count("code=\"201\"");
        long begin = System.nanoTime();
        List<String> settings = List.of(
                "hearth.executor.instances=" + PODS,
                "hearth.kubernetes.executor.scheduler.name=none",
                "hearth.driver.host=192.0.2.1",
                "hearth.driver.bindAddress=127.0.0.1");
        try (Launched submit = cluster.submit(settings, "dev.hearth.examples.Pi", "2")) {
            Eventually.until("all pods", () -> lab.api().podCount(cluster.namespace()) >= PODS, BOUND, submit::errors);
            figure(
                    "K19 500 pods, 5 changes at once: from the start of bin/submit",
                    "%d ms, %d requests refused",
                    millisSince(begin),
                    lab.api().count("apiserver_dropped_requests_total", "[^}]*utating[^}]*"));
            List<LabApi.Pod> pods = cluster.executors();
            assertEquals(PODS, pods.size());
            assertEquals(PODS, new HashSet<>(pods).size());
            assertEquals(PODS, count("code=\"201\"") - before, "each pod is created once");
            assertTrue(submit.isAlive(), submit::errors);
            submit.end();
            submit.status();
        }
        cluster.awaitNoExecutors(BOUND);
    }

    private static long count(String code) throws Exception {
        return lab.api().count(REQUESTS, "[^}]*" + code + "[^}]*resource=\"pods\"[^}]*verb=\"POST\"[^}]*");
    }
}
