package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Content of pods: the image, and parts that templates, patches and volumes add. Names in comments are those of the specification. */
class PodContentKubernetesIT extends PodClusterFixture {
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
        cluster.awaitPod("starts", "Completed");
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
}
