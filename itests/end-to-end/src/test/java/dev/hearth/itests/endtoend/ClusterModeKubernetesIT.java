package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.hearth.testkit.machine.Eventually;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Submissions in cluster mode: their way to a result, and the questions about them. Names in comments are those of the specification. */
class ClusterModeKubernetesIT extends PodClusterFixture {
    private static final String FINISHED = "Completed";
    private static final int UNKNOWN = 6; // as on the other clusters; Spark ends with 0
    private static final String SPARK = "bin/spark-submit";
    private static final String HEARTH = "bin/submit";
    private static final int LARGE_BYTES = 5 * 1024 * 1024;

    private PodDrivers drivers;

    @BeforeEach
    void prepare() throws Exception {
        drivers = PodDrivers.create(lab, installation, cluster);
    }

    @Test
    void bringsTheResultBack() throws Exception { // K1
        long[] first = new long[8];
        long[] whole = new long[first.length];
        for (int run = 0; run < first.length; run++) {
            long begin = System.nanoTime();
            try (Launched submit = drivers.submit(List.of(), GATED, String.valueOf(gate.port()), "2")) {
                PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
                List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 1);
                first[run] = millisSince(begin);
                tasks.get(0).pass();
                PodCluster.visitors(gate, submit, "task", 1).get(0).pass();
                assertEquals(0, submit.status(), submit::errors);
                whole[run] = millisSince(begin);
                assertTrue(submit.output().contains("sum is 1\n"), submit::output);
            }
            String pod = drivers.pod();
            assertEquals(FINISHED, drivers.pods().get(0).status());
            drivers.remove(pod);
            drivers.awaitNoObjects(GONE_WITHIN);
        }
        long[] warm = Arrays.copyOfRange(first, 1, first.length);
        figure("K1 submission in cluster mode to first task", "%s", PodCluster.milliseconds(warm));
        figure(
                "K1 submission in cluster mode to the end of bin/submit",
                "%s",
                PodCluster.milliseconds(Arrays.copyOfRange(whole, 1, whole.length)));
    }

    @Test
    void fetchesAJarAndReceivesALargeOne() throws Exception { // K3
        HttpServer http = HttpServer.create(new InetSocketAddress(lab.host(), 0), 0);
        try {
            byte[] jar = Files.readAllBytes(installation.applications());
            http.createContext("/app.jar", exchange -> {
                exchange.sendResponseHeaders(200, jar.length);
                exchange.getResponseBody().write(jar);
                exchange.close();
            });
            http.start();
            String hash = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(jar));
            String address = "http://" + lab.host() + ":" + http.getAddress().getPort() + "/app.jar#sha256=" + hash;
            Path large = PodDrivers.padded(installation.applications(), scratch.resolve("large.jar"), LARGE_BYTES);
            gate.open();
            for (String from : List.of(address, large.toString())) {
                long begin = System.nanoTime();
                try (Launched submit = drivers.submitJar(List.of(), from, GATED, String.valueOf(gate.port()), "2")) {
                    assertEquals(0, submit.status(), submit::errors);
                    assertTrue(submit.output().contains("sum is 1\n"), submit::output);
                }
                figure(
                        "K3 a jar " + (from.startsWith("http") ? "that the driver fetches" : "of 5 MiB that is sent"),
                        "%d ms for the whole application",
                        millisSince(begin));
            }
            try (Launched submit = drivers.submitJar(List.of(), PodDrivers.EXAMPLES, PI, "2")) {
                assertEquals(0, submit.status(), submit::errors);
                assertTrue(submit.output().contains("Pi is roughly"), submit::output);
            }
        } finally {
            http.stop(0);
        }
    }

    @Test
    void answersQuestionsAndEndsDrivers() throws Exception { // K26
        try (Launched submit = drivers.submit(List.of(), GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1);
            String pod = drivers.pod();
            String id = cluster.namespace() + ":" + pod;
            Answer running = ask(SPARK, "--status", id);
            assertEquals(0, running.status(), running::errors);
            assertTrue(running.errors().contains("Application status (driver): "), running::errors);
            assertTrue(running.errors().contains("\t pod name: " + pod), running::errors);
            Answer own = ask(HEARTH, "--status", id);
            assertTrue(own.output().startsWith(id + ": RUNNING on pod " + pod), own::output);

            String glob = cluster.namespace() + ":" + pod.substring(0, 6) + "*";
            assertTrue(ask(HEARTH, "--status", glob).output().contains(id), glob);
            Answer wrong = ask(SPARK, "--status", cluster.namespace() + ":no-such-driver");
            assertEquals(UNKNOWN, wrong.status(), wrong::errors);
            assertTrue(wrong.errors().contains("Application not found."), wrong::errors);
            assertEquals(UNKNOWN, ask(HEARTH, "--status", "default:" + pod).status());
            Answer none = ask(SPARK, "--kill", "default:" + pod.substring(0, 6) + "*");
            assertEquals(UNKNOWN, none.status(), none::errors);
            assertTrue(none.errors().contains("No applications found."), none::errors);
            assertTrue(submit.isAlive(), submit::errors);

            long begin = System.nanoTime();
            Answer killed = ask(SPARK, "--kill", glob);
            assertEquals(0, killed.status(), killed::errors);
            assertTrue(killed.errors().contains("Deleting driver pod: " + pod + "."), killed::errors);
            assertEquals(8, submit.status(), submit::errors);
            figure("K26 --kill to the end of the waiting bin/submit", "%d ms", millisSince(begin));
            drivers.remove(pod); // the kubelet of Kubernetes 1.20 takes up to half a minute
        }
        drivers.awaitNoObjects(GONE_WITHIN);
    }

    private Answer ask(String script, String... question) throws Exception {
        try (Launched asked = drivers.ask(script, question)) {
            return new Answer(asked.status(), asked.output(), asked.errors());
        }
    }

    private record Answer(int status, String output, String errors) {}

    @Test
    void printsWhatAirflowReads() throws Exception { // K25
        Pattern pod = Pattern.compile("\\s*pod name: ((.+?)-([a-z0-9]+)-driver$)");
        Pattern application = Pattern.compile("\\s*spark-app-selector -> (spark-([a-z0-9]+)), ");
        Pattern exit = Pattern.compile("\\s*[eE]xit code: (\\d+)");
        for (String status : List.of("0", "3")) {
            try (Launched submit = drivers.spark(List.of(), "dev.hearth.itests.endtoend.app.ExitsWith", status)) {
                assertEquals(Integer.parseInt(status), submit.status(), submit::output);
                assertEquals(drivers.pod(), found(pod, submit));
                assertEquals(
                        drivers.field(drivers.pod(), ".metadata.labels.spark-app-selector"),
                        found(application, submit));
                assertEquals(status, found(exit, submit));
            }
            drivers.remove(drivers.pod());
            drivers.awaitNoObjects(GONE_WITHIN);
        }
        try (Launched submit = drivers.spark(
                List.of("--conf", "spark.kubernetes.submission.waitAppCompletion=false"),
                "dev.hearth.itests.endtoend.app.ExitsWith",
                "0")) {
            assertEquals(0, submit.status(), submit::output);
            String line = "Deployed Spark application .* with application ID spark-[0-9a-f]+ and submission ID "
                    + cluster.namespace() + ":" + drivers.pod() + " into Kubernetes";
            assertTrue(Pattern.compile(line).matcher(submit.output()).find(), submit::output);
            assertFalse(submit.output().contains("pod name: "), submit::output);
        }
        Eventually.until(
                "the driver has ended", () -> drivers.pods().get(0).status().equals(FINISHED), BOUND);
    }

    /** The first group of the last match, line by line, as the hook searches. */
    private static String found(Pattern pattern, Launched submit) {
        String found = "";
        for (String line : submit.output().lines().toList()) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                found = matcher.group(1);
            }
        }
        return found;
    }
}
