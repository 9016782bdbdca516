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
import org.junit.jupiter.api.Test;

/** Rates and numbers of requests, counted by a real API server without any node: pods are created and never run. */
class ScaleKubernetesIT extends ControlPlaneFixture {
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final int PODS = 1_000;
    private static final int IDLE_SECONDS = 120;
    private static final String ALL_PODS = "[^}]*resource=\"(?:pods|secrets)\",scope=\"namespace\"[^}]*";

    @Test
    void createsAThousandPodsAsFastAsTheServerAllows() throws Exception { // M1, K16
        for (int parallel : new int[] {1, 8, 32, 64}) {
            int pods = parallel == 1 ? 100 : PODS;
            double rate = rawRate(parallel, pods);
            figure("M1 raw creation of pods, " + parallel + " at once", "%.0f pods/s", rate);
        }
        double raw = rawRate(64, PODS);
        PodCluster cluster = PodCluster.create(lab, installation, "thousand");
        long before = created();
        try (Launched submit = submit(cluster, PODS)) {
            Eventually.until("the first pod", () -> pods(cluster, submit) >= 1, BOUND, submit::errors);
            long begin = System.nanoTime();
            Duration used = used(submit);
            Eventually.until("all pods", () -> pods(cluster, submit) >= PODS, BOUND, submit::errors);
            long took = millisSince(begin);
            figure(
                    "K16 creation of 1,000 pods",
                    "%d ms, %.2f of the raw rate; the driver took %d ms of CPU time for it",
                    took,
                    PODS * 1e3 / took / raw,
                    used(submit).minus(used).toMillis());
            assertTrue(took <= 50_000, () -> took + " ms (expected: less than Spark takes at 20 pods per second)");
            assertEquals(PODS, created() - before);
            assertEquals(PODS, cluster.executors().size());
            double same = rawRateOfExecutors(cluster, 64, PODS);
            figure(
                    "K16 pods of the same content by a plain client",
                    "%.0f pods/s; the driver: %.2f of it",
                    same,
                    PODS * 1e3 / took / same);
            long ended = System.nanoTime();
            submit.end();
            submit.status();
            figure("K16 end of the driver with 1,000 pending pods", "%d ms", millisSince(ended));
            cluster.awaitNoExecutors(BOUND);
        }
    }

    @Test
    void leavesDependentsToTheCollectorOfTheCluster() throws Exception { // M4
        PodCluster cluster = PodCluster.create(lab, installation, "collector");
        for (int dependents : new int[] {1, 10, 100}) {
            String owner = "owner-" + dependents;
            String maps = "/api/v1/namespaces/" + cluster.namespace() + "/configmaps";
            lab.kubectl("-n", cluster.namespace(), "create", "configmap", owner);
            String uid =
                    lab.kubectl("-n", cluster.namespace(), "get", "configmap", owner, "-o", "jsonpath={.metadata.uid}");
            for (int i = 0; i < dependents; i++) {
                String map = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"d" + i
                        + "\",\"labels\":{\"owner\":\"" + owner + "\"},\"ownerReferences\":[{\"apiVersion\":\"v1\","
                        + "\"kind\":\"ConfigMap\",\"name\":\"" + owner + "\",\"uid\":\"" + uid.strip() + "\"}]}}";
                assertEquals(201, lab.api().post(maps, map).join());
            }
            long begin = System.nanoTime();
            lab.kubectl("-n", cluster.namespace(), "delete", "configmap", owner, "--wait=false");
            Eventually.until(
                    "the dependents are deleted",
                    () -> lab.api()
                            .get(maps + "?labelSelector=owner%3D" + owner, "application/json")
                            .contains("\"items\":[]"),
                    BOUND);
            figure("M4 deletion of " + dependents + " dependents by the cluster", "%d ms", millisSince(begin));
        }
    }

    @Test
    void asksNothingWhileNothingChanges() throws Exception { // K18
        PodCluster cluster = PodCluster.create(lab, installation, "idle");
        try (Launched submit = submit(cluster, 100)) {
            Eventually.until("all pods", () -> pods(cluster, submit) >= 100, BOUND, submit::errors);
            Eventually.until("the watch knows them", () -> cluster.executors().size() == 100, BOUND, submit::errors);
            long requests = requests();
            long end = System.nanoTime() + Duration.ofSeconds(IDLE_SECONDS).toNanos();
            Eventually.until("two minutes are over", () -> System.nanoTime() - end > 0, BOUND.plusSeconds(30));
            long asked = requests() - requests;
            figure("K18 idle with 100 pods", "%d requests in %d s", asked, IDLE_SECONDS);
            figure("K18 memory of the driver with 100 pods", "%d MB", residentMebibytes(submit.pid()));
            assertTrue(asked <= 1, () -> asked + " requests (expected: no polling; one for a watch that ends)");
            submit.end();
            submit.status();
        }
        cluster.awaitNoExecutors(BOUND);
    }

    private static Duration used(Launched submit) {
        return ProcessHandle.of(submit.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /**
     * Number of requests for the pods or secrets of one namespace so far: lists, watches that ended, deletions of several.
     * The servers themselves ask for those of all namespaces, and for single ones.
     */
    private static long requests() throws IOException, InterruptedException {
        return lab.api().count(REQUESTS, ALL_PODS);
    }

    private static long residentMebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }
}
