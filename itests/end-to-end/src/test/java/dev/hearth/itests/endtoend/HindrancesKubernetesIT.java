package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Reasons why no executors come, and how users read them. Names in comments are those of the specification. */
class HindrancesKubernetesIT extends PodClusterFixture {
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
}
