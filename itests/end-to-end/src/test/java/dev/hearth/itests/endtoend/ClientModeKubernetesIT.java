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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drivers on this machine and in pods, with executors as pods of a real Kubernetes: what kills, refuses and delays them. Names in
 * brackets are those of the specification's tests.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.kubernetes", matches = "true")
class ClientModeKubernetesIT {
    private static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";
    private static final String ROUNDS = "dev.hearth.itests.endtoend.app.GatedRounds";
    private static final String PI = "dev.hearth.examples.Pi";
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration GONE_WITHIN = Duration.ofSeconds(10);
    private static final String RUNNING = "Running";
    /** A task that fails by itself ends the job: what the cluster does must not count. */
    private static final String NO_FAILURE = "hearth.task.maxFailures=1";

    private static final String SIDECAR = """
            metadata: {labels: {team: data}}
            spec:
              tolerations: [{key: none, operator: Exists}]
              containers:
              - name: main
                volumeMounts: [{name: shared, mountPath: /shared}]
              - name: sidecar
                image: localhost/k8s/busybox:1
                command: [/bin/sh, -c, "echo side > /shared/file; sleep 3600"]
                volumeMounts: [{name: shared, mountPath: /shared}]
              volumes: [{name: shared, emptyDir: {}}]
            """;

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static KubernetesLab lab;
    private PodCluster cluster;
    private Gate gate;

    @BeforeAll
    static void start() throws Exception {
        installation = Installation.in(scratch);
        lab = KubernetesLab.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (lab != null) {
            lab.stop();
        }
    }

    @BeforeEach
    void open(TestInfo test) throws Exception {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        String unique = "t" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet() + "-";
        cluster = PodCluster.create(lab, installation, unique + name.substring(0, Math.min(40, name.length())));
        gate = cluster.gate();
    }

    @AfterEach
    void close() throws Exception {
        gate.close();
        for (ProcessHandle left : installation.processes()) {
            left.onExit().get(GONE_WITHIN.toSeconds(), TimeUnit.SECONDS);
        }
        lab.kubectl("delete", "namespace", cluster.namespace(), "--wait=false");
    }

    @Test
    void runsAJobAndLeavesNothing() throws Exception { // K1, K2
        long[] first = new long[6];
        long[] ended = new long[first.length];
        for (int run = 0; run < first.length; run++) {
            long begin = System.nanoTime();
            try (Launched submit = cluster.submit(List.of(), GATED, String.valueOf(gate.port()), "2")) {
                PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
                List<Gate.Visitor> tasks = new ArrayList<>(PodCluster.visitors(gate, submit, "task", 1));
                first[run] = millisSince(begin);
                tasks.addAll(PodCluster.visitors(gate, submit, "task", 1));
                assertEquals(2, Set.copyOf(PodCluster.pods(tasks)).size(), "each executor has one core");
                for (Gate.Visitor task : tasks) {
                    task.pass();
                }
                assertEquals(0, submit.status(), submit::errors);
                assertEquals("sum is 1\n", submit.output());
            }
            assertEquals(List.of(), cluster.secrets());
            ended[run] = cluster.awaitNoExecutorProcess(GONE_WITHIN);
            cluster.awaitNoExecutors(GONE_WITHIN);
        }
        figure("K2 end of bin/submit to the end of the executors", "%s", PodCluster.milliseconds(ended));
        long[] warm = Arrays.copyOfRange(first, 1, first.length);
        figure("K2 submission to first task, driver on this machine", "%s", PodCluster.milliseconds(warm));
    }

    @Test
    void runsADriverInAPodWithTheLeastRights() throws Exception { // K2, K20, K22
        lab.create(cluster.namespace(), role());
        lab.create(cluster.namespace(), driverPod());
        long begin = System.nanoTime();
        awaitPod("driver", "Completed");
        figure("K2 a driver in a pod, Pi of 20 tasks, until the end of its pod", "%d ms", millisSince(begin));
        String log = lab.kubectl("-n", cluster.namespace(), "logs", "driver");
        assertTrue(log.contains("Pi is roughly 3."), log);
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void startsFasterWithTheArchiveOfClassesInTheImage() throws Exception { // M2
        lab.create(cluster.namespace(), """
                apiVersion: v1
                kind: Pod
                metadata: {name: starts, labels: {app: starts}}
                spec:
                  restartPolicy: Never
                  containers:
                  - name: starts
                    image: IMAGE
                    imagePullPolicy: Never
                    args:
                    - bash
                    - -c
                    - |
                      TIMEFORMAT='%3R'
                      for way in archive off java archive off java archive off java archive off java archive off java; do
                        export HEARTH_CDS=off
                        command=(submit --version)
                        case $way in archive) export HEARTH_CDS=/opt/hearth.jsa ;; java) command=(java -version) ;; esac
                        time=$( { time "${command[@]}" >/dev/null 2>&1; } 2>&1 )
                        echo "$way $time"
                      done
                """.replace("IMAGE", KubernetesLab.IMAGE));
        awaitPod("starts", "Completed");
        String log = lab.kubectl("-n", cluster.namespace(), "logs", "starts");
        double archive = median(log, "archive");
        double off = median(log, "off");
        figure(
                "M2 in the image: java -version, bin/submit --version with the archive of classes, without it",
                "%.2f, %.2f, %.2f s",
                median(log, "java"),
                archive,
                off);
        assertTrue(archive < off, log);
    }

    private static double median(String log, String way) {
        double[] times = log.lines()
                .filter(line -> line.startsWith(way + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(way.length() + 1)))
                .sorted()
                .toArray();
        return times[times.length / 2];
    }

    @Test
    void letsADeletedExecutorFinishItsTask() throws Exception { // K8
        try (Launched submit = cluster.submit(List.of(NO_FAILURE), GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            long begin = System.nanoTime();
            cluster.delete(tasks.get(0).pod());
            cluster.awaitExecutors("a third executor", BOUND, pods -> named(pods, "-exec-3"));
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
            cluster.awaitExecutors("a third executor", BOUND, pods -> named(pods, "-exec-3"));
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

    private void evict(String pod) throws Exception {
        String eviction = "{\"apiVersion\":\"policy/v1beta1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"" + pod
                + "\",\"namespace\":\"" + cluster.namespace() + "\"}}";
        String path = "/api/v1/namespaces/" + cluster.namespace() + "/pods/" + pod + "/eviction";
        assertEquals(201, lab.api().post(path, eviction).get(10, TimeUnit.SECONDS));
    }

    @Test
    void mergesTemplatesAndMountsVolumes() throws Exception { // K22, K24
        Path template = Files.writeString(scratch.resolve("template.yaml"), SIDECAR);
        Path patch = Files.writeString(scratch.resolve("patch.json"), "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
        Path fast = Files.createDirectories(scratch.resolve("fast"));
        fast.toFile().setWritable(true, false);
        List<String> settings = List.of(
                "hearth.kubernetes.executor.security=restricted",
                "spark.kubernetes.executor.podTemplateFile=" + template,
                "hearth.kubernetes.executor.patchFile=" + patch,
                "spark.kubernetes.executor.volumes.hostPath.spark-local-dir-1.mount.path=/fast",
                "spark.kubernetes.executor.volumes.hostPath.spark-local-dir-1.options.path=" + fast.toRealPath());
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            String pod = tasks.get(0).pod();
            String kept = lab.kubectl(
                    "-n",
                    cluster.namespace(),
                    "get",
                    "pod",
                    pod,
                    "-o",
                    "jsonpath={.metadata.labels.team} {.metadata.annotations.a} {.spec.tolerations[0].key}");
            assertEquals("data b none", kept);
            assertEquals(
                    "side\n",
                    lab.kubectl("-n", cluster.namespace(), "exec", pod, "-c", "sidecar", "--", "cat", "/shared/file"));
            String[] touch = {"exec", pod, "-c", "spark-kubernetes-executor", "--", "touch", "/fast/by-executor"};
            lab.kubectl(Stream.concat(Stream.of("-n", cluster.namespace()), Stream.of(touch))
                    .toArray(String[]::new));
            assertTrue(Files.exists(fast.resolve("by-executor")), "the executor writes to the volume");
            String user = lab.kubectl(
                    "-n", cluster.namespace(), "exec", pod, "-c", "spark-kubernetes-executor", "--", "id", "-u");
            assertEquals("185\n", user);
            for (Gate.Visitor task : tasks) {
                task.pass();
            }
            assertEquals(0, submit.status(), submit::errors);
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void endsExecutorsWhoseDriverIsKilled() throws Exception {
        try (Launched submit = cluster.submit(List.of(), GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            PodCluster.visitors(gate, submit, "task", 2);
            long begin = System.nanoTime();
            submit.kill();
            cluster.awaitExecutors(
                    "executors that have ended",
                    BOUND,
                    pods -> pods.stream().noneMatch(pod -> pod.status().equals(RUNNING)));
            figure("a killed driver: until its executors have ended", "%d ms", millisSince(begin));
        }
        List<String> secrets = cluster.secrets();
        assertEquals(1, secrets.size(), "the secret that owns the pods");
        lab.kubectl("-n", cluster.namespace(), "delete", secrets.get(0));
        figure("a killed driver: until the pods go with their secret", "%d ms", cluster.awaitNoExecutors(BOUND));
    }

    @Test
    void namesAnImageThatDoesNotExist() throws Exception { // K5
        List<String> settings = List.of(
                "hearth.kubernetes.executor.container.image=localhost/k8s/none:1", "hearth.starvation.timeout=2s");
        long begin = System.nanoTime();
        try (Launched submit = cluster.submit(settings, PI, "2")) {
            Eventually.until(
                    "the warning names the image",
                    () -> submit.errors().contains("ErrImageNeverPull")
                            && submit.errors().contains("localhost/k8s/none:1"),
                    BOUND,
                    submit::errors);
            figure("K5 an image that does not exist: until the user reads it", "%d ms", millisSince(begin));
            Set<String> seen = new TreeSet<>();
            long end = System.nanoTime() + Duration.ofSeconds(45).toNanos();
            Eventually.until(
                    "45 seconds are over",
                    () -> {
                        cluster.executors().forEach(pod -> seen.add(pod.name()));
                        return System.nanoTime() - end > 0;
                    },
                    BOUND);
            figure("K5 an image that does not exist: pods within 45 s", "%d", seen.size());
            assertTrue(seen.size() <= 8, () -> seen + " (expected: no storm of pods)");
            submit.end();
            assertNotEquals(0, submit.status());
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void growsWhenAQuotaIsRaised() throws Exception { // K6
        lab.kubectl("-n", cluster.namespace(), "create", "quota", "small", "--hard=pods=2");
        List<String> settings = List.of(
                "hearth.executor.instances=4",
                "hearth.scheduler.minRegisteredResourcesRatio=0.5",
                "hearth.starvation.timeout=2s");
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "4")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = new ArrayList<>(PodCluster.visitors(gate, submit, "task", 2));
            assertEquals(2, cluster.executors().size());
            long begin = System.nanoTime();
            lab.kubectl(
                    "-n",
                    cluster.namespace(),
                    "patch",
                    "quota",
                    "small",
                    "-p",
                    "{\"spec\":{\"hard\":{\"pods\":\"9\"}}}");
            tasks.addAll(PodCluster.visitors(gate, submit, "task", 2));
            long grown = millisSince(begin);
            figure("K6 a quota raised: until tasks run on the further executors", "%d ms", grown);
            assertTrue(grown <= 35_000, () -> grown + " ms (expected: at most 35 s)");
            assertEquals(4, Set.copyOf(PodCluster.pods(tasks)).size());
            for (Gate.Visitor task : tasks) {
                task.pass();
            }
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 14\n", submit.output());
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
            cluster.awaitExecutors("a third executor", BOUND, pods -> named(pods, "-exec-3"));
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

    @Test
    void growsAndShrinksWithTheBacklog() throws Exception { // K27
        List<String> settings = List.of(
                "hearth.dynamicAllocation.enabled=true",
                "hearth.dynamicAllocation.minExecutors=0",
                "hearth.dynamicAllocation.maxExecutors=4",
                "hearth.dynamicAllocation.executorIdleTimeout=2s");
        try (Launched submit = cluster.submit(settings, ROUNDS, String.valueOf(gate.port()), "4")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            long begin = System.nanoTime();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 4);
            figure("K27 from no executor to four tasks", "%d ms", millisSince(begin));
            assertEquals(4, Set.copyOf(PodCluster.pods(tasks)).size());
            for (Gate.Visitor task : tasks) {
                task.pass();
            }
            Gate.Visitor pause = PodCluster.visitors(gate, submit, "pause", 1).get(0);
            figure(
                    "K27 from the last task to the end of all executors",
                    "%d ms",
                    cluster.awaitNoExecutorProcess(BOUND));
            cluster.awaitNoExecutors(GONE_WITHIN);
            pause.pass();
            PodCluster.visitors(gate, submit, "task", 1).get(0).pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sums are 10 and 1\n", submit.output());
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void keepsThreeApplicationsOfOneNamespaceApart() throws Exception { // K31
        List<Launched> submits = new ArrayList<>();
        List<Gate> gates = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                gates.add(cluster.gate());
                submits.add(cluster.submit(
                        List.of("hearth.executor.instances=1"),
                        GATED,
                        String.valueOf(gates.get(i).port()),
                        "1"));
            }
            List<Gate.Visitor> tasks = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                PodCluster.visitors(gates.get(i), submits.get(i), "driver", 1)
                        .get(0)
                        .pass();
            }
            for (int i = 0; i < 3; i++) {
                tasks.addAll(PodCluster.visitors(gates.get(i), submits.get(i), "task", 1));
            }
            assertEquals(3, cluster.executors(RUNNING).size());
            submits.get(1).end();
            assertNotEquals(0, submits.get(1).status());
            cluster.awaitExecutors(
                    "the executors of the two others",
                    GONE_WITHIN,
                    pods -> remaining(pods)
                            .equals(Set.of(tasks.get(0).pod(), tasks.get(2).pod())));
            for (int i = 0; i < 3; i += 2) {
                tasks.get(i).pass();
                assertEquals(0, submits.get(i).status(), submits.get(i)::errors);
                assertEquals("sum is 0\n", submits.get(i).output());
            }
        } finally {
            for (Launched submit : submits) {
                submit.close();
            }
            for (Gate each : gates) {
                each.close();
            }
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
        assertEquals(List.of(), cluster.secrets());
    }

    @Test
    void saysWhatAnAccountWithoutRightsLacks() throws Exception { // K20
        lab.kubectl("-n", cluster.namespace(), "create", "serviceaccount", "nobody");
        String[] secret = {""};
        Eventually.until(
                "the account has a token",
                () -> {
                    secret[0] = lab.kubectl(
                            "-n",
                            cluster.namespace(),
                            "get",
                            "serviceaccount",
                            "nobody",
                            "-o",
                            "jsonpath={.secrets[0].name}");
                    return !secret[0].isBlank();
                },
                BOUND);
        String coded =
                lab.kubectl("-n", cluster.namespace(), "get", "secret", secret[0], "-o", "jsonpath={.data.token}");
        Path token = Files.write(scratch.resolve("token"), Base64.getDecoder().decode(coded));
        Path empty = Files.writeString(scratch.resolve("kubeconfig"), "apiVersion: v1\nkind: Config\n");
        long begin = System.nanoTime();
        List<String> arguments = List.of(
                "--master",
                "k8s://" + lab.url(),
                "--kubernetes-namespace",
                cluster.namespace(),
                "--conf",
                "hearth.driver.host=" + lab.host(),
                "--conf",
                "hearth.driver.port=0",
                "--conf",
                "hearth.kubernetes.container.image=" + KubernetesLab.IMAGE,
                "--conf",
                "hearth.kubernetes.authenticate.caCertFile=" + lab.caFile(),
                "--conf",
                "hearth.kubernetes.authenticate.oauthTokenFile=" + token,
                "--class",
                PI,
                installation.examples().toString(),
                "2");
        try (Launched submit = installation.submit(Map.of("KUBECONFIG", empty.toString()), arguments)) {
            assertNotEquals(0, submit.status());
            figure("K20 an account without rights: until the end of bin/submit", "%d ms", millisSince(begin));
            assertTrue(submit.errors().contains("nobody"), submit::errors);
            assertTrue(submit.errors().contains("secrets"), submit::errors);
        }
    }

    private boolean answers() throws IOException, InterruptedException {
        return lab.api().get("/readyz", "*/*").equals("ok");
    }

    /** Names of the pods that nothing deletes. */
    private static Set<String> remaining(List<LabApi.Pod> pods) {
        return pods.stream()
                .filter(pod -> !pod.status().equals("Terminating"))
                .map(LabApi.Pod::name)
                .collect(Collectors.toSet());
    }

    private static boolean named(List<LabApi.Pod> pods, String end) {
        return pods.stream().anyMatch(pod -> pod.name().endsWith(end));
    }

    private void awaitPod(String name, String status) throws Exception {
        String[] found = {""};
        Eventually.until(
                name + " is " + status,
                () -> {
                    found[0] =
                            lab.api().pods(cluster.namespace(), "app=" + name).toString();
                    return found[0].contains("status=" + status);
                },
                BOUND,
                () -> found[0]);
    }

    private static String role() {
        return """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: driver}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: hearth-driver}
                rules:
                - {apiGroups: [""], resources: [pods], verbs: [create, get, list, watch, deletecollection]}
                - {apiGroups: [""], resources: [secrets], verbs: [create, get, delete]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: hearth-driver}
                subjects: [{kind: ServiceAccount, name: driver}]
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: hearth-driver}
                """;
    }

    private static String driverPod() {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: driver, labels: {app: driver}}
                spec:
                  restartPolicy: Never
                  serviceAccountName: driver
                  securityContext: {runAsUser: 12345, runAsNonRoot: true}
                  volumes: [{name: tmp, emptyDir: {}}]
                  containers:
                  - name: driver
                    image: IMAGE
                    imagePullPolicy: Never
                    securityContext: {readOnlyRootFilesystem: true, allowPrivilegeEscalation: false}
                    env: [{name: HOME, value: /tmp}]
                    volumeMounts: [{name: tmp, mountPath: /tmp}]
                    args: [submit, --master, k8s, --driver-memory, 256m, --executor-memory, 256m,
                      --conf, hearth.kubernetes.driver.pod.name=driver,
                      --conf, hearth.kubernetes.container.image=IMAGE,
                      --conf, hearth.kubernetes.container.image.pullPolicy=Never,
                      --conf, hearth.kubernetes.executor.request.cores=50m,
                      --class, dev.hearth.examples.Pi, /opt/hearth-home/examples/hearth-examples.jar, "20"]
                """.replace("IMAGE", KubernetesLab.IMAGE);
    }
}
