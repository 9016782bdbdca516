package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Drivers on this machine and in a pod of their own, with executors as pods. Names in comments are those of the specification. */
class ClientModeKubernetesIT extends PodClusterFixture {
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
        cluster.createDriverAccount();
        lab.create(cluster.namespace(), driverPod());
        long begin = System.nanoTime();
        cluster.awaitPod("driver", "Completed");
        figure("K2 a driver in a pod, Pi of 20 tasks, until the end of its pod", "%d ms", millisSince(begin));
        String log = lab.kubectl("-n", cluster.namespace(), "logs", "driver");
        assertTrue(log.contains("Pi is roughly 3."), log);
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
    void goesOnWhileItsBundleIsReplaced() throws Exception { // K28
        Installation own = Installation.in(Files.createDirectories(scratch.resolve("replaced")));
        Path jar;
        try (Stream<Path> files = Files.walk(own.home())) {
            jar = files.filter(file -> file.getFileName().toString().matches("hearth-kubernetes-\\d.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
        Path newer = ExternalPlugin.withVersion(jar, "99.0.0", scratch.resolve("newer.jar"));
        PodCluster other = PodCluster.of(lab, own, cluster.namespace());
        List<String> settings = List.of("hearth.log.level=info");
        String main = "dev.hearth.itests.endtoend.app.TwoContexts";
        try (Launched submit = other.submit(settings, main, String.valueOf(gate.port()))) {
            Gate.Visitor one =
                    PodCluster.visitors(gate, submit, "opened-one", 1).get(0);
            ExternalPlugin.replace(newer, own.home().resolve("deploy/hearth-kubernetes.jar"));
            awaitLine(submit, "hearth-kubernetes 99.0.0 (hearth-kubernetes.jar) runs");
            one.pass();
            Gate.Visitor both =
                    PodCluster.visitors(gate, submit, "opened-two", 1).get(0);
            assertEquals(4, other.executors(RUNNING).size());
            both.pass();
            Gate.Visitor closed =
                    PodCluster.visitors(gate, submit, "closed-both", 1).get(0);
            awaitLine(submit, " is gone");
            closed.pass();
            Gate.Visitor collected =
                    PodCluster.visitors(gate, submit, "collected", 1).get(0);
            awaitLine(submit, "the classes of hearth-kubernetes 0.1.0");
            collected.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(3, submit.output().split(" counts 3\n", -1).length - 1, submit::output);
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
        assertEquals(List.of(), cluster.secrets());
    }

    private static void awaitLine(Launched submit, String text) {
        Eventually.until(text, () -> submit.errors().contains(text), BOUND, submit::errors);
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
                    pods -> PodCluster.remaining(pods)
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
