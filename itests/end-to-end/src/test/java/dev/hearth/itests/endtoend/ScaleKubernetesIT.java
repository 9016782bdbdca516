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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Rates and numbers of requests, counted by a real API server without any node: pods are created and never run. */
@OnKubernetes
class ScaleKubernetesIT {
    private static final String PI = "dev.hearth.examples.Pi";
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final int PODS = 1_000;
    private static final int IDLE_SECONDS = 120;
    private static final String REQUESTS = "apiserver_request_total";
    private static final String CREATED = "[^}]*code=\"201\"[^}]*resource=\"pods\"[^}]*verb=\"POST\"[^}]*";
    private static final String ALL_PODS = "[^}]*resource=\"(?:pods|secrets)\",scope=\"namespace\"[^}]*";

    @RegisterExtension
    static final SharedLab LABORATORY = SharedLab.withoutNode(Map.of());

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static KubernetesLab lab;

    @BeforeAll
    static void start() throws Exception {
        installation = Installation.in(scratch);
        lab = LABORATORY.lab();
    }

    @AfterEach
    void leaveNoProcess() {
        assertEquals(List.of(), installation.processes());
    }

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
            Eventually.until("the first pod", () -> has(cluster, 1, submit), BOUND, submit::errors);
            long begin = System.nanoTime();
            Duration used = used(submit);
            Eventually.until("all pods", () -> has(cluster, PODS, submit), BOUND, submit::errors);
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
            long ended = System.nanoTime();
            submit.end();
            submit.status();
            figure("K16 end of the driver with 1,000 pending pods", "%d ms", millisSince(ended));
            cluster.awaitNoExecutors(BOUND);
        }
    }

    @Test
    void asksNothingWhileNothingChanges() throws Exception { // K18
        PodCluster cluster = PodCluster.create(lab, installation, "idle");
        long before = created();
        try (Launched submit = submit(cluster, 100)) {
            Eventually.until("all pods", () -> hasCreated(before + 100, submit), BOUND, submit::errors);
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

    private static boolean has(PodCluster cluster, int pods, Launched submit) throws Exception {
        if (!submit.isAlive()) {
            throw new AssertionError("bin/submit ended: " + submit.errors());
        }
        return lab.api().podCount(cluster.namespace()) >= pods;
    }

    private static Duration used(Launched submit) {
        return ProcessHandle.of(submit.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /** Pods per second that the server creates for a plain client with {@code parallel} requests under way. */
    private static double rawRate(int parallel, int pods) throws Exception {
        String namespace = "raw-" + parallel + "-" + System.nanoTime() % 100_000;
        lab.kubectl("create", "namespace", namespace);
        Semaphore free = new Semaphore(parallel);
        AtomicInteger failed = new AtomicInteger();
        CompletableFuture<?>[] answers = new CompletableFuture<?>[pods];
        long begin = System.nanoTime();
        for (int i = 0; i < pods; i++) {
            free.acquire();
            String pod = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p" + i
                    + "\"},\"spec\":{\"nodeName\":\"none\",\"automountServiceAccountToken\":false,"
                    + "\"containers\":[{\"name\":\"c\",\"image\":\"none\"}]}}";
            answers[i] = lab.api()
                    .post("/api/v1/namespaces/" + namespace + "/pods", pod)
                    .whenComplete((status, failure) -> {
                        free.release();
                        if (failure != null || status != 201) {
                            failed.incrementAndGet();
                        }
                    });
        }
        CompletableFuture.allOf(answers).join();
        long took = System.nanoTime() - begin;
        assertEquals(0, failed.get(), "requests that failed");
        lab.kubectl("-n", namespace, "delete", "pods", "--all", "--grace-period=0", "--force", "--wait=false");
        return pods * 1e9 / took;
    }

    /** Starts a driver whose address no pod needs. */
    private static Launched submit(PodCluster cluster, int executors) throws IOException {
        return cluster.submit(settings(executors), PI, "2");
    }

    private static List<String> settings(int executors) {
        return List.of(
                "hearth.executor.instances=" + executors,
                "hearth.kubernetes.executor.scheduler.name=none", // the scheduler would write each pod again
                "hearth.driver.host=192.0.2.1",
                "hearth.driver.bindAddress=127.0.0.1");
    }

    private static boolean hasCreated(long pods, Launched submit) throws IOException, InterruptedException {
        if (!submit.isAlive()) {
            throw new AssertionError("bin/submit ended: " + submit.errors());
        }
        return created() >= pods;
    }

    private static long created() throws IOException, InterruptedException {
        return lab.api().count(REQUESTS, CREATED);
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
