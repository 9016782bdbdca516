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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Credentials of drivers that are replaced while they are used, and those of plug-ins. Names behind methods are those of the specification. */
class CredentialsKubernetesIT extends PodClusterFixture {
    /** A task that fails by itself ends the job: what the cluster does must not count. */
    private static final String NO_FAILURE = "hearth.task.maxFailures=1";

    /** Failed attempts to authenticate, as the API server counts them. */
    private long refusedTokens() throws IOException, InterruptedException {
        return lab.api().count("authentication_attempts", "[^}]*result=\"(?:error|failure)\"[^}]*");
    }

    private static Path replace(String name, String text) throws IOException {
        Path next = Files.writeString(scratch.resolve(name + ".next"), text);
        return Files.move(
                next, scratch.resolve(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Map<String, String> withoutKubeconfig() throws IOException {
        return Map.of("KUBECONFIG", replace("empty", "kind: Config\n").toString());
    }

    private List<String> settings(Path authorities, Path token) {
        return List.of(
                NO_FAILURE,
                "hearth.log.level=info",
                "hearth.kubernetes.authenticate.caCertFile=" + authorities,
                "hearth.kubernetes.authenticate.oauthTokenFile=" + token);
    }

    /** Waits for a pod of another name; one whose creation was refused leaves a gap in the numbers. */
    private void awaitReplacement(List<Gate.Visitor> tasks) throws Exception {
        List<String> known = PodCluster.pods(tasks);
        cluster.awaitExecutors(
                "a further executor", BOUND, pods -> pods.stream().anyMatch(pod -> !known.contains(pod.name())));
    }

    /** Ends the job of {@code tasks}, whose first pod was deleted, and checks that the user saw no failure. */
    private void finish(Launched submit, List<Gate.Visitor> tasks) throws Exception {
        gate.open();
        for (Gate.Visitor task : tasks) {
            task.pass();
        }
        assertEquals(0, submit.status(), submit::errors);
        assertEquals("sums are 10 and 1\n", submit.output());
        assertFalse(submit.errors().contains("Unauthorized"), submit::errors);
        assertFalse(submit.errors().contains("WARN"), submit::errors);
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    @Test
    void goesOnWhenItsTokenIsReplaced() throws Exception { // K21
        Path token = replace("token", lab.token());
        try (Launched submit = cluster.submit(
                withoutKubeconfig(),
                settings(Path.of(lab.caFile()), token),
                ROUNDS,
                String.valueOf(gate.port()),
                "4")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            long refused = refusedTokens();
            replace("token", "an.expired.token");
            cluster.delete(tasks.get(0).pod());
            Eventually.until(
                    "the API server refuses the token", () -> refusedTokens() > refused, BOUND, submit::errors);
            replace("token", lab.token());
            long begin = System.nanoTime();
            awaitReplacement(tasks);
            figure("K21 a good token after an expired one: until a pod is created", "%d ms", millisSince(begin));
            finish(submit, tasks);
        }
    }

    @Test
    void goesOnWhenTheAuthorityIsWrittenAgain() throws Exception { // H6
        String authorities = Files.readString(Path.of(lab.caFile()));
        Path file = replace("ca", authorities);
        try (Launched submit = cluster.submit(
                withoutKubeconfig(),
                settings(file, replace("token", lab.token())),
                ROUNDS,
                String.valueOf(gate.port()),
                "4")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            replace("ca", "# renewed\n" + authorities);
            long begin = System.nanoTime();
            cluster.delete(tasks.get(0).pod());
            awaitReplacement(tasks);
            figure(
                    "H6 an authority written again, an executor deleted: until a pod is created",
                    "%d ms",
                    millisSince(begin));
            finish(submit, tasks);
        }
    }

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
