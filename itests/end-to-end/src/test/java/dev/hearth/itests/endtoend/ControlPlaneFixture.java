package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests on the servers of a Kubernetes without any node: pods are created and never run. */
@OnKubernetes
@LabServers(node = false)
@ExtendWith(SharedLab.class)
abstract class ControlPlaneFixture {
    static final String PI = "dev.hearth.examples.Pi";
    static final String REQUESTS = "apiserver_request_total";

    @TempDir
    static Path scratch;

    static Installation installation;
    static KubernetesLab lab;

    @BeforeAll
    static void start() throws Exception {
        installation = Installation.in(scratch);
        lab = SharedLab.lab();
    }

    @AfterEach
    void leaveNoProcess() {
        assertEquals(List.of(), installation.processes());
    }

    /** Starts a driver whose address no pod needs, with further settings. */
    static Launched submit(PodCluster cluster, int executors, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "hearth.executor.instances=" + executors,
                "hearth.kubernetes.executor.scheduler.name=none", // the scheduler would write each pod again
                "hearth.driver.host=192.0.2.1",
                "hearth.driver.bindAddress=127.0.0.1"));
        all.addAll(List.of(settings));
        // with settings that name a token, no kubeconfig file
        Map<String, String> environment = all.stream().anyMatch(setting -> setting.contains("oauthTokenFile="))
                ? Map.of("KUBECONFIG", scratch.resolve("none").toString())
                : Map.of();
        return cluster.submit(environment, all, PI, "2");
    }

    /** Number of pods in the namespace of {@code cluster}; fails if the driver {@code submit} has ended. */
    static int pods(PodCluster cluster, Launched submit) throws IOException, InterruptedException {
        if (!submit.isAlive()) {
            throw new AssertionError("bin/submit ended: " + submit.errors());
        }
        return lab.api().podCount(cluster.namespace());
    }

    /** Requests so far that have created a pod. */
    static long created() throws IOException, InterruptedException {
        return lab.api().count(REQUESTS, "[^}]*code=\"201\"[^}]*resource=\"pods\"[^}]*verb=\"POST\"[^}]*");
    }

    /** Pods per second that the server creates for a plain client with {@code parallel} requests under way. */
    static double rawRate(int parallel, int pods) throws Exception {
        return rawRate(
                parallel,
                pods,
                "}",
                "{\"nodeName\":\"none\",\"automountServiceAccountToken\":false,"
                        + "\"containers\":[{\"name\":\"c\",\"image\":\"none\"}]}");
    }

    /** As {@link #rawRate(int, int)}, for pods that equal an executor's pod of {@code cluster}. */
    static double rawRateOfExecutors(PodCluster cluster, int parallel, int pods) throws Exception {
        String pod = cluster.executors().get(0).name();
        String labels = lab.kubectl("-n", cluster.namespace(), "get", "pod", pod, "-o", "jsonpath={.metadata.labels}");
        String spec = lab.kubectl("-n", cluster.namespace(), "get", "pod", pod, "-o", "jsonpath={.spec}");
        return rawRate(parallel, pods, ",\"labels\":" + labels.strip() + "}", spec.strip());
    }

    private static double rawRate(int parallel, int pods, String endOfMetadata, String spec) throws Exception {
        String namespace = "raw-" + parallel + "-" + System.nanoTime() % 100_000;
        lab.kubectl("create", "namespace", namespace);
        Semaphore free = new Semaphore(parallel);
        AtomicInteger failed = new AtomicInteger();
        CompletableFuture<?>[] answers = new CompletableFuture<?>[pods];
        long begin = System.nanoTime();
        for (int i = 0; i < pods; i++) {
            free.acquire();
            String pod = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p" + i + "\"" + endOfMetadata
                    + ",\"spec\":" + spec + "}";
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
}
