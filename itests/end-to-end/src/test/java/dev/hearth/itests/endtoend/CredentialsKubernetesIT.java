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
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Drivers whose credentials come from a plug-in of their kubeconfig file, or from a token that expires. */
class CredentialsKubernetesIT extends PodClusterFixture {
    /** A kubeconfig file of this cluster whose user is the plug-in {@code script} beside it. */
    private Map<String, String> kubeconfig(String script) throws IOException {
        Path directory = Files.createDirectories(scratch.resolve(cluster.namespace()));
        Path plugin = Files.writeString(directory.resolve("get-token"), "#!/bin/bash\n" + script);
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
        Path config = Files.writeString(
                directory.resolve("config"),
                """
                apiVersion: v1
                kind: Config
                current-context: lab
                contexts: [{name: lab, context: {cluster: lab, user: me}}]
                clusters: [{name: lab, cluster: {server: "URL", certificate-authority: "CA"}}]
                users:
                - name: me
                  user:
                    exec:
                      apiVersion: client.authentication.k8s.io/v1beta1
                      command: ./get-token
                      env: [{name: TOKEN, value: "SECRET"}]
                """.replace("URL", lab.url()).replace("CA", lab.caFile()).replace("SECRET", lab.token()));
        return Map.of("KUBECONFIG", config.toString());
    }

    @Test
    void submitsWithAPluginForCredentials() throws Exception {
        Path runs = scratch.resolve("runs");
        Map<String, String> environment = kubeconfig(
                "echo run >> '" + runs + "'\n"
                        + "printf '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1beta1\","
                        + "\"status\":{\"token\":\"%s\",\"expirationTimestamp\":\"%s\"}}' \"$TOKEN\" \"$(date -ud '+1 hour' +%FT%TZ)\"\n");
        long begin = System.nanoTime();
        try (Launched submit = cluster.submit(environment, List.of(), PI, "20")) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().contains("Pi is roughly 3."), submit::output);
        }
        figure("a plug-in for credentials: Pi of 20 tasks", "%d ms", millisSince(begin));
        figure(
                "a plug-in for credentials: its runs",
                "%d",
                Files.readAllLines(runs).size());
        assertEquals(1, Files.readAllLines(runs).size());
    }

    @Test
    void goesOnWhileItsTokenHasExpired() throws Exception { // K21
        cluster.createDriverAccount();
        String good = cluster.driverToken();
        Path file = Files.writeString(scratch.resolve("token-" + cluster.namespace()), good);
        List<String> settings = new ArrayList<>(cluster.withToken(file));
        settings.add("hearth.task.maxFailures=1");
        Map<String, String> noKubeconfig =
                Map.of("KUBECONFIG", scratch.resolve("none").toString());
        try (Launched submit = cluster.submit(noKubeconfig, settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            replace(file, lab.expired(good));
            long failures = failedAuthentications();
            cluster.delete(tasks.get(0).pod());
            Eventually.until(
                    "the expired token is refused", () -> failedAuthentications() > failures, BOUND, submit::errors);
            long begin = System.nanoTime();
            replace(file, good);
            List<String> before = PodCluster.pods(tasks);
            cluster.awaitExecutors(
                    "another executor", BOUND, pods -> pods.stream().anyMatch(pod -> !before.contains(pod.name())));
            figure("K21 a good token instead of an expired one: until the next executor", "%d ms", millisSince(begin));
            for (Gate.Visitor task : tasks) {
                task.pass();
            }
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 1\n", submit.output());
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
        assertEquals(List.of(), cluster.secrets());
    }

    /** Replaces a token as the kubelet does: at once. */
    private static void replace(Path file, String token) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), token);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static long failedAuthentications() throws IOException, InterruptedException {
        return lab.api().count("authentication_attempts", "[^}]*result=\"(?:error|failure)\"[^}]*");
    }

    @Test
    void saysWhyAPluginForCredentialsFails() throws Exception {
        Map<String, String> environment = kubeconfig("echo 'Token has expired: run sso login' >&2; exit 3\n");
        long begin = System.nanoTime();
        try (Launched submit = cluster.submit(environment, List.of(), PI, "2")) {
            assertNotEquals(0, submit.status());
            figure("a plug-in for credentials that fails: until the end of bin/submit", "%d ms", millisSince(begin));
            assertTrue(submit.errors().contains("exit status 3, Token has expired: run sso login"), submit::errors);
            assertFalse(submit.errors().contains(lab.token()), "the token is not shown");
        }
    }
}
