package dev.hearth.itests.endtoend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kubelet of a node without containers, for pods that only have to look as if they ran. It lists pods page by page and writes
 * their statuses with several requests at once. It has no watch, which a server under load may end.
 */
final class PodStatusWriter {
    /** Node of the pods, which this process registers. */
    static final String NODE = "hollow";

    private static final String CONTAINER = "spark-kubernetes-executor";

    private final LabApi api;
    private final String namespace;
    private final int parallel;

    PodStatusWriter(LabApi api, String namespace, int parallel) {
        this.api = api;
        this.namespace = namespace;
        this.parallel = parallel;
    }

    /** Registers the node, without which the cluster would delete its pods. */
    void registerNode() {
        String node = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + NODE
                + "\"},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}";
        int status = api.post("/api/v1/nodes", node).join();
        if (status != 201) {
            throw new AssertionError("node " + NODE + ": " + status + " (expected: 201)");
        }
    }

    /** Removes the node. */
    void removeNode() {
        api.send("DELETE", "/api/v1/nodes/" + NODE, "application/json", "").join();
    }

    /** Names of the pods of executors that nothing deletes. */
    List<String> executors() throws Exception {
        List<String> names = new ArrayList<>();
        for (LabApi.Pod pod : api.pages(namespace, "spark-role=executor", 250)) {
            if (!pod.status().equals("Terminating")) {
                names.add(pod.name());
            }
        }
        return names;
    }

    /** Writes that the containers of {@code pods} run; returns the time of the last answer. */
    long run(List<String> pods) throws Exception {
        return write(
                pods,
                "{\"status\":{\"phase\":\"Running\",\"podIP\":\"10.1.0.1\",\"containerStatuses\":[{\"name\":\""
                        + CONTAINER + "\",\"image\":\"none\",\"imageID\":\"none\",\"ready\":true,\"restartCount\":0,"
                        + "\"state\":{\"running\":{\"startedAt\":\"2026-01-01T00:00:00Z\"}}}]}}");
    }

    /** Writes that the node of {@code pods} was shut down; returns the time of the last answer. */
    long shutDown(List<String> pods) throws Exception {
        return write(
                pods,
                "{\"status\":{\"phase\":\"Failed\",\"reason\":\"Shutdown\",\"message\":\"Node is shutting, evicting pods\"}}");
    }

    private long write(List<String> pods, String status) throws Exception {
        Semaphore free = new Semaphore(parallel);
        AtomicInteger failed = new AtomicInteger();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (String pod : pods) {
            free.acquire();
            String path = "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/status";
            answers.add(api.send("PATCH", path, "application/merge-patch+json", status)
                    .whenComplete((answer, failure) -> {
                        free.release();
                        if (failure != null || answer != 200) {
                            failed.incrementAndGet();
                        }
                    }));
        }
        CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0])).join();
        long last = System.nanoTime();
        if (failed.get() > 0) {
            throw new AssertionError(failed + " of " + pods.size() + " statuses were not written (expected: none)");
        }
        return last;
    }
}
