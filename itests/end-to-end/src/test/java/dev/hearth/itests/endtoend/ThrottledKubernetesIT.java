package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An API server that serves few changes at once and closes connections. Names in comments are those of the specification. */
@LabServers(
        node = false,
        apiServer = "--max-mutating-requests-inflight=5 --goaway-chance=0.02 --http2-max-streams-per-connection=16"
                + " --feature-gates=APIPriorityAndFairness=false")
class ThrottledKubernetesIT extends ControlPlaneFixture {
    private static final int PODS = 500;
    /** Other clients, each with one request under way, more than are served at once. */
    private static final int FLOOD = 12;

    private static final Duration FLOOD_TIME = Duration.ofSeconds(10);

    private static final Duration BOUND = Duration.ofMinutes(3);

    @Test
    void createsEachPodOnceUnderThrottling() throws Exception { // K19
        PodCluster cluster = PodCluster.create(lab, installation, "throttled");
        cluster.createDriverAccount();
        String token = cluster.driverToken();
        Path file = Files.writeString(scratch.resolve("token"), token);
        long before = created();
        long begin = System.nanoTime();
        String[] settings = cluster.withToken(file).toArray(String[]::new);
        try (Launched submit = submit(cluster, PODS, settings)) {
            Eventually.until("the first pod", () -> pods(cluster, submit) >= 1, BOUND, submit::errors);
            long refusedBefore = refusedChanges();
            long floodEnd = System.nanoTime() + FLOOD_TIME.toNanos();
            RequestFlood flood = new RequestFlood(lab.api(token), cluster.namespace(), FLOOD);
            try (flood) {
                Eventually.until("the flood is over", () -> System.nanoTime() - floodEnd > 0, BOUND, submit::errors);
            }
            int meanwhile = pods(cluster, submit);
            Eventually.until("all pods", () -> pods(cluster, submit) >= PODS, BOUND, submit::errors);
            long refused = refusedChanges() - refusedBefore - flood.refused();
            figure(
                    "K19 500 pods, 5 changes at once",
                    "%d ms from the start of bin/submit; %d of them after %d s beside %d other clients, of which %d"
                            + " requests were served and %d refused; %d changes of the driver and the controllers refused",
                    millisSince(begin),
                    meanwhile,
                    FLOOD_TIME.toSeconds(),
                    FLOOD,
                    flood.served(),
                    flood.refused(),
                    refused);
            assertTrue(refused > 0, "the driver meets refusals");
            assertTrue(refused < PODS, () -> refused + " refusals (expected: it slows down)");
            List<LabApi.Pod> pods = cluster.executors();
            assertEquals(PODS, pods.size());
            assertEquals(PODS, new HashSet<>(pods).size());
            assertEquals(PODS, created() - before - flood.served(), "each pod is created once");
            assertTrue(submit.isAlive(), submit::errors);
            submit.end();
            submit.status();
        }
        cluster.awaitNoExecutors(BOUND);
    }

    /** Changes so far that were refused because there were too many. */
    private static long refusedChanges() throws IOException, InterruptedException {
        return lab.api().count("apiserver_dropped_requests_total", "[^}]*utating[^}]*");
    }
}
