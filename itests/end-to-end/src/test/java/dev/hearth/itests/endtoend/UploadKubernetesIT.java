package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files of this machine that are sent to a driver in a pod. */
class UploadKubernetesIT extends PodClusterFixture {
    private static final int BYTES = 5 * 1024 * 1024;

    /** The examples with further bytes that cannot be compressed. */
    private static Path largeJar() throws IOException {
        Path jar = Files.copy(installation.examples(), scratch.resolve("large.jar"));
        byte[] content = new byte[BYTES];
        new Random(BYTES).nextBytes(content);
        try (FileSystem archive = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
            Files.write(archive.getPath("filler"), content);
        }
        return jar;
    }

    @Test
    void sendsALargeJarToItsDriver() throws Exception { // K3
        lab.create(cluster.namespace(), """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: driver}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: hearth-driver}
                subjects: [{kind: ServiceAccount, name: driver}]
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
                """);
        Path jar = largeJar();
        long begin = System.nanoTime();
        List<String> arguments = List.of(
                "--master",
                "k8s://" + lab.url(),
                "--deploy-mode",
                "cluster",
                "--kubernetes-namespace",
                cluster.namespace(),
                "--driver-memory",
                "256m",
                "--executor-memory",
                "256m",
                "--conf",
                "hearth.kubernetes.container.image=" + KubernetesLab.IMAGE,
                "--conf",
                "hearth.kubernetes.container.image.pullPolicy=Never",
                "--conf",
                "hearth.kubernetes.authenticate.driver.serviceAccountName=driver",
                "--conf",
                "hearth.kubernetes.driver.request.cores=50m",
                "--conf",
                "hearth.kubernetes.executor.request.cores=50m",
                "--class",
                PI,
                jar.toString(),
                "20");
        try (Launched submit = installation.submit(Map.of("KUBECONFIG", lab.kubeconfig()), arguments)) {
            assertEquals(0, submit.status(), submit::errors);
            String all = submit.output() + submit.errors();
            assertTrue(all.contains("Pi is roughly 3."), all);
            figure("K3 a jar of 5 MiB sent to a driver in a pod, Pi of 20 tasks", "%d ms", millisSince(begin));
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }
}
