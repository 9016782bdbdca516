package dev.hearth.itests.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node without containers: it renews its lease, says that each of its pods runs, and removes those that are deleted. A
 * test makes pods fail. Its events are those of one watch; its requests are bounded.
 */
final class HollowKubelet implements AutoCloseable {
    private static final String MERGE = "application/merge-patch+json";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    private static final String CONTAINER = "spark-kubernetes-executor";
    private static final int REQUESTS_MAX = 32;
    private static final int GONE = 404;
    private static final int LEASE_SECONDS = 10;
    private static final Pattern TYPE = Pattern.compile("^\\{\"type\":\"(\\w+)\"");
    private static final Pattern NAME = Pattern.compile(
            "\"metadata\":\\{\"name\":\"([^\"]+)\",(?:\"generateName\":\"[^\"]*\",)?\"namespace\":\"([^\"]+)\"");
    private static final Pattern PHASE = Pattern.compile("\"status\":\\{\"phase\":\"(\\w+)\"");

    private final LabApi api;
    private final String node;
    private final Semaphore free = new Semaphore(REQUESTS_MAX);
    private final Map<String, String> phases = new ConcurrentHashMap<>(); // by namespace and name
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(3);
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final InputStream events;

    private HollowKubelet(LabApi api, String node, InputStream events) {
        this.api = api;
        this.node = node;
        this.events = events;
    }

    /** Registers the node {@code node}, for any number of pods, and begins to serve it. */
    static HollowKubelet start(LabApi api, String node) throws Exception {
        expect(api.post("/api/v1/nodes", registration(node)));
        expect(api.post(LEASES, lease(node, "\"metadata\":{\"name\":\"" + node + "\"},")));
        InputStream events = api.pass(
                        "GET",
                        "/api/v1/pods?watch=true&fieldSelector=spec.nodeName%3D" + node,
                        new String[0],
                        new byte[0])
                .body();
        HollowKubelet kubelet = new HollowKubelet(api, node, events);
        kubelet.threads.execute(kubelet::follow);
        kubelet.threads.execute(kubelet::work);
        kubelet.threads.scheduleAtFixedRate(kubelet::renew, LEASE_SECONDS, LEASE_SECONDS, TimeUnit.SECONDS);
        return kubelet;
    }

    /** What this node could not do. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Names of the pods of a namespace that run. */
    List<String> running(String namespace) {
        List<String> names = new ArrayList<>();
        phases.forEach((pod, phase) -> {
            if (phase.equals("Running") && pod.startsWith(namespace + "/")) {
                names.add(pod.substring(namespace.length() + 1));
            }
        });
        return names;
    }

    /** Makes pods fail for {@code reason}, and waits for the answers. */
    void fail(String namespace, List<String> pods, String reason) throws Exception {
        String state = "\"terminated\":{\"exitCode\":137,\"reason\":\"Error\"}";
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (String pod : pods) {
            answers.add(status(namespace + "/" + pod, "Failed", "\"reason\":\"" + reason + "\",", state));
        }
        for (CompletableFuture<Integer> answer : answers) {
            expect(answer);
        }
    }

    private void follow() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
            problems.add("the watch has ended");
        } catch (IOException failure) {
            problems.add("the watch: " + failure);
        }
    }

    /** Deals with the events on a thread of its own: the server ends a watch whose client is slow. */
    private void work() {
        try {
            while (true) {
                event(lines.take());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt(); // ends this thread
        } catch (IllegalStateException failure) {
            problems.add("an event: " + failure);
        }
    }

    private void event(String line) throws InterruptedException {
        Matcher type = TYPE.matcher(line);
        Matcher name = NAME.matcher(line);
        Matcher phase = PHASE.matcher(line);
        if (!type.find() || !name.find() || !phase.find()) {
            throw new IllegalStateException(line + " (expected: a pod)");
        }
        String pod = name.group(2) + "/" + name.group(1);
        if (type.group(1).equals("DELETED")) {
            phases.remove(pod);
            return;
        }
        phases.put(pod, phase.group(1));
        if (line.contains("\"deletionTimestamp\":")) {
            send("DELETE", path(pod), "application/json", "{\"gracePeriodSeconds\":0}");
        } else if (phase.group(1).equals("Pending")) {
            status(pod, "Running", "", "\"running\":{\"startedAt\":\"" + Instant.now() + "\"}");
        }
    }

    private CompletableFuture<Integer> status(String pod, String phase, String more, String state)
            throws InterruptedException {
        String json =
                "{\"status\":{\"phase\":\"" + phase + "\"," + more + "\"podIP\":\"192.0.2.7\",\"containerStatuses\":[{"
                        + "\"name\":\"" + CONTAINER
                        + "\",\"ready\":true,\"restartCount\":0,\"image\":\"none\",\"imageID\":\"none\","
                        + "\"state\":{" + state + "}}]}}";
        return send("PATCH", path(pod) + "/status", MERGE, json);
    }

    private CompletableFuture<Integer> send(String method, String path, String type, String json)
            throws InterruptedException {
        free.acquire();
        return api.send(method, path, type, json).whenComplete((status, failure) -> {
            free.release();
            if (failure != null || (status / 100 != 2 && status != GONE)) {
                problems.add(method + " " + path + ": " + (failure == null ? status : failure));
            }
        });
    }

    private void renew() {
        api.send("PATCH", LEASES + "/" + node, MERGE, lease(node, ""));
    }

    private static String path(String pod) {
        return "/api/v1/namespaces/" + pod.replace("/", "/pods/");
    }

    private static String registration(String node) {
        String capacity = "{\"cpu\":\"10000\",\"memory\":\"100000Gi\",\"pods\":\"10000\"}";
        return "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + node
                + "\"},\"status\":{\"capacity\":"
                + capacity + ",\"allocatable\":" + capacity
                + ",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
                + "\"reason\":\"KubeletReady\",\"lastHeartbeatTime\":\"" + now() + "\",\"lastTransitionTime\":\""
                + now()
                + "\"}]}}";
    }

    private static String lease(String node, String metadata) {
        return "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\"," + metadata
                + "\"spec\":{\"holderIdentity\":\""
                + node + "\",\"leaseDurationSeconds\":40,\"renewTime\":\""
                + Instant.now().toString().substring(0, 19)
                + ".000000Z\"}}";
    }

    private static String now() {
        return Instant.now().toString().substring(0, 19) + "Z";
    }

    private static void expect(CompletableFuture<Integer> answer) throws Exception {
        int status = answer.get(60, TimeUnit.SECONDS);
        if (status / 100 != 2) {
            throw new AssertionError("status " + status + " (expected: 200)");
        }
    }

    /** Stops to serve the node, and deletes it. */
    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        events.close();
        api.send("DELETE", "/api/v1/nodes/" + node, "application/json", "{}").join();
    }
}
