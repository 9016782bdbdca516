package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Claims on demand, and templates of both kinds of pods. The comment of a method names the rows of the specification. */
class VolumesKubernetesIT extends PodClusterFixture {
    private static final String CLAIM = ".volumes.persistentVolumeClaim.";
    private static final String TEMPLATE = """
            metadata: {labels: {team: data}}
            spec:
              tolerations: [{key: none, operator: Exists}]
              affinity:
                podAntiAffinity:
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - weight: 1
                    podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {team: other}}}
              containers:
              - name: main
              - name: sidecar
                image: localhost/k8s/busybox:1
                command: [/bin/sh, -c, "sleep 3"]
              - name: extra
                image: localhost/k8s/busybox:1
                command: [/bin/sh, -c, "sleep 3"]
            """;

    /** Creates volumes of this machine, of a class of their own, which is returned. */
    private String createVolumes(int count) throws Exception {
        String storage = "class-" + cluster.namespace();
        for (int i = 1; i <= count; i++) {
            Path directory = Files.createDirectories(scratch.resolve(storage + "-" + i));
            directory.toFile().setWritable(true, false);
            lab.create(cluster.namespace(), """
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata: {name: NAME}
                    spec:
                      capacity: {storage: 2Gi}
                      accessModes: [ReadWriteOnce]
                      storageClassName: CLASS
                      persistentVolumeReclaimPolicy: Retain
                      hostPath: {path: PATH}
                    """.replace("NAME", storage + "-" + i)
                    .replace("CLASS", storage)
                    .replace("PATH", directory.toRealPath().toString()));
        }
        return storage;
    }

    private static List<String> claim(String role, String volume, String path, String storage) {
        String prefix = "spark.kubernetes." + role + CLAIM + volume;
        return List.of(
                prefix + ".mount.path=" + path,
                prefix + ".options.claimName=OnDemand",
                prefix + ".options.storageClass=" + storage,
                prefix + ".options.sizeLimit=1Gi");
    }

    private String get(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("-n", cluster.namespace(), "get"));
        all.addAll(List.of(arguments));
        return lab.kubectl(all.toArray(new String[0]));
    }

    private void awaitNoClaims() throws Exception {
        long begin = System.nanoTime();
        Eventually.until(
                "no claim is left",
                () -> get("pvc", "-o", "name").isBlank(),
                BOUND.multipliedBy(2),
                () -> "claims are left");
        figure("K23 from the end of the application until no claim is left", "%d ms", millisSince(begin));
    }

    @Test
    void givesTheVolumeOfAnExecutorToTheNext() throws Exception { // K23
        String storage = createVolumes(1); // a second claim would stay unbound
        List<String> settings = new ArrayList<>(claim("executor", "spark-local-dir-1", "/claimed", storage));
        settings.add("hearth.executor.instances=1");
        settings.add("hearth.kubernetes.driver.waitToReusePersistentVolumeClaim=true");
        String path = "jsonpath={.spec.volumes[?(@.name==\"spark-local-dir-1\")].persistentVolumeClaim.claimName}";
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            Gate.Visitor first = PodCluster.visitors(gate, submit, "task", 1).get(0);
            String claim = get("pod", first.pod(), "-o", path);
            assertEquals(
                    "[ReadWriteOnce]",
                    get("pvc", claim, "-o", "jsonpath={.spec.accessModes}").replace("\"", ""));
            assertEquals("Bound", get("pvc", claim, "-o", "jsonpath={.status.phase}"));
            long begin = System.nanoTime();
            // at once: the kubelet of Kubernetes 1.20 takes up to a minute to remove a pod that has ended by itself
            lab.kubectl(
                    "-n",
                    cluster.namespace(),
                    "delete",
                    "pod",
                    first.pod(),
                    "--grace-period=0",
                    "--force",
                    "--wait=false");
            Gate.Visitor second = PodCluster.visitors(gate, submit, "task", 1).get(0);
            figure("K23 an executor deleted: until a task runs with its volume", "%d ms", millisSince(begin));
            assertNotEquals(first.pod(), second.pod());
            assertEquals(claim, get("pod", second.pod(), "-o", path));
            second.pass();
            PodCluster.visitors(gate, submit, "task", 1).get(0).pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 1\n", submit.output());
        }
        awaitNoClaims();
        lab.kubectl("delete", "pv", storage + "-1", "--wait=false");
    }

    @Test
    void customisesADriverOnTheClusterAndItsExecutors() throws Exception { // K23, K24
        String storage = createVolumes(2);
        cluster.createDriverAccount(
                "resources: [secrets], verbs: [patch]",
                "resources: [services], verbs: [delete]",
                "resources: [persistentvolumeclaims], verbs: [create, get, list, delete, deletecollection]");
        Path template = Files.writeString(scratch.resolve("both.yaml"), TEMPLATE);
        Path patch = Files.writeString(
                scratch.resolve("both.json"), "{\"metadata\":{\"annotations\":{\"patched\":\"yes\"}}}");
        List<String> settings = new ArrayList<>(List.of(
                "spark.kubernetes.driver.podTemplateFile=" + template,
                "spark.kubernetes.executor.podTemplateFile=" + template,
                "hearth.kubernetes.driver.patchFile=" + patch,
                "hearth.kubernetes.executor.patchFile=" + patch,
                "hearth.executor.instances=1",
                "hearth.executorEnv.GATE_HOST=" + lab.host(),
                "hearth.kubernetes.driverEnv.GATE_HOST=" + lab.host(),
                "hearth.kubernetes.driver.pod.name=customised",
                "spark.kubernetes.driver.memoryOverhead=400m", // former names
                "spark.kubernetes.executor.memoryOverhead=500m",
                "hearth.kubernetes.authenticate.driver.serviceAccountName=driver"));
        settings.addAll(claim("driver", "data", "/data", storage));
        settings.addAll(claim("executor", "data", "/data", storage));
        long begin = System.nanoTime();
        try (Launched submit = submitToCluster(settings)) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            Gate.Visitor task = PodCluster.visitors(gate, submit, "task", 1).get(0);
            figure("K24 cluster mode with claims and templates: until the first task", "%d ms", millisSince(begin));
            assertCustomised(task.pod());
            assertEquals(2, get("pvc", "-o", "name").lines().count());
            task.pass();
            assertEquals(0, submit.status(), submit::errors);
        }
        // a claim that is deleted stays until the kubelet has removed its pod
        String deleted = get("pvc", "-o", "jsonpath={range .items[*]}{.metadata.deletionTimestamp}{'\\n'}{end}");
        assertTrue(
                deleted.lines().filter(String::isBlank).count() <= 1,
                () -> "times of deletion: " + deleted + "(expected: one of the claim of the executor)");
        cluster.delete("customised");
        awaitNoClaims();
        lab.kubectl("delete", "pv", storage + "-1", storage + "-2", "--wait=false");
    }

    /** Checks what templates, patches and former names of settings have done to the driver's pod and to {@code executor}. */
    private void assertCustomised(String executor) throws Exception {
        for (String pod : List.of("customised", executor)) {
            assertEquals(
                    "data yes none 1 sidecar extra",
                    get(
                            "pod",
                            pod,
                            "-o",
                            "jsonpath={.metadata.labels.team} {.metadata.annotations.patched}"
                                    + " {.spec.tolerations[0].key} {.spec.affinity.podAntiAffinity"
                                    + ".preferredDuringSchedulingIgnoredDuringExecution[0].weight}"
                                    + " {.spec.containers[1].name} {.spec.containers[2].name}"));
        }
        String memory =
                "jsonpath={.spec.containers[?(@.image==\"" + KubernetesLab.IMAGE + "\")].resources.limits.memory}";
        assertEquals("656Mi", get("pod", "customised", "-o", memory));
        assertEquals("756Mi", get("pod", executor, "-o", memory));
    }

    private Launched submitToCluster(List<String> settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--master",
                "k8s://" + lab.url(),
                "--deploy-mode",
                "cluster",
                "--kubernetes-namespace",
                cluster.namespace(),
                "--driver-memory",
                "256m",
                "--executor-memory",
                "256m"));
        List<String> conf = new ArrayList<>(List.of(
                "hearth.kubernetes.container.image=" + KubernetesLab.IMAGE,
                "hearth.kubernetes.container.image.pullPolicy=Never",
                "hearth.kubernetes.driver.request.cores=50m",
                "hearth.kubernetes.executor.request.cores=50m"));
        conf.addAll(settings);
        conf.forEach(setting -> all.addAll(List.of("--conf", setting)));
        all.addAll(List.of("--class", GATED, installation.applications().toString(), String.valueOf(gate.port()), "1"));
        return installation.submit(Map.of("KUBECONFIG", lab.kubeconfig()), all);
    }
}
