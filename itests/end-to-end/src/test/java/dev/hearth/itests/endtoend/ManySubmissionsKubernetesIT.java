package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Many submissions at once from one process, on the servers of a cluster without nodes. */
@LabServers(node = false, controllers = "--kube-api-qps=300 --kube-api-burst=600") // a fast collector of objects
class ManySubmissionsKubernetesIT extends ControlPlaneFixture {
    private static final int SUBMISSIONS = 200;
    private static final int RATE_LEAST = 50;
    private static final int REPETITIONS_MAX = 5;
    private static final int SLACK = 10; // threads and connections that pools may keep
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration COLLECTOR_BOUND =
            Duration.ofMinutes(3); // for 660 objects, whatever else the machine does
    private static final Pattern ID = Pattern.compile("\"submissionId\" : \"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void acceptsTwoHundredSubmissionsAtOnce() throws Exception { // K30
        PodCluster cluster = PodCluster.create(lab, installation, "many");
        PodDrivers drivers = PodDrivers.create(lab, installation, cluster);
        double raw = rawRate(64, 500);
        Launched.Ready ready = installation.daemon(
                Map.of("KUBECONFIG", lab.kubeconfig()),
                "serve",
                "--conf",
                "hearth.rest.anonymous=true",
                "--conf",
                "hearth.master=k8s://" + lab.url());
        try (Launched serve = ready.process()) {
            String url = "http://" + ready.line().substring(ready.line().lastIndexOf(' ') + 1) + "/v1/submissions/";
            double cold = submit(url, cluster, 20, "warm").rate();
            Footprint before = Footprint.of(serve.pid());
            Batch batch = submit(url, cluster, SUBMISSIONS, "many");
            figure(
                    "K30 submissions at once through bin/hearth serve",
                    "%.0f submissions/s of %d; %.0f/s of the first 20 of a new process; a plain client creates %.0f pods/s",
                    batch.rate(),
                    SUBMISSIONS,
                    cold,
                    raw);
            assertEquals(SUBMISSIONS, batch.ids().size(), "ids are different");
            assertEquals(SUBMISSIONS + 20, drivers.pods().size());
            assertEquals(4L * (SUBMISSIONS + 20), drivers.objects().size(), "secret, pod, service and policy of each");
            lab.kubectl(
                    "-n",
                    cluster.namespace(),
                    "delete",
                    "pods",
                    "-l",
                    "spark-role=driver",
                    "--grace-period=0",
                    "--force",
                    "--wait=false");
            figure("K30 until the cluster has collected the objects", "%d ms", drivers.awaitNoObjects(COLLECTOR_BOUND));
            Eventually.until(
                    "nothing is left open",
                    () -> isLike(before, Footprint.of(serve.pid())),
                    BOUND,
                    () -> "open before " + before + " (expected: as much afterwards)");
            double least = Math.min(RATE_LEAST, raw / 10); // on a machine that is busy, everything takes longer
            assertTrue(
                    batch.rate() >= least,
                    () -> batch.rate() + " submissions/s (expected: at least " + least + ", with " + raw
                            + " pods/s of a plain client)");
        }
    }

    /** Ids that a batch of submissions got, and how many were accepted in a second. */
    private record Batch(Set<String> ids, double rate) {}

    private Batch submit(String url, PodCluster cluster, int count, String name) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + "create"))
                    .header("Content-Type", "application/json;charset=UTF-8")
                    .header("Idempotency-Key", cluster.namespace() + "-" + name + "-" + i)
                    .timeout(BOUND)
                    .POST(HttpRequest.BodyPublishers.ofString(submission(cluster, name + "-" + i)))
                    .build();
            answers.add(send(request, REPETITIONS_MAX));
        }
        Set<String> ids = new TreeSet<>();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.join();
            Matcher id = ID.matcher(response.body());
            assertTrue(response.statusCode() == 200 && id.find(), response::body);
            ids.add(id.group(1));
        }
        return new Batch(ids, count * 1e9 / (System.nanoTime() - begin));
    }

    /** Sends a request, and repeats it as clients do if the server has no answer of the cluster in time. */
    private CompletableFuture<HttpResponse<String>> send(HttpRequest request, int repetitions) {
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenCompose(response -> response.statusCode() == 503 && repetitions > 0
                        ? send(request, repetitions - 1)
                        : CompletableFuture.completedFuture(response));
    }

    private static String submission(PodCluster cluster, String name) {
        return """
                {
                  "action": "CreateSubmissionRequest",
                  "clientSparkVersion": "",
                  "appResource": "RESOURCE",
                  "mainClass": "dev.hearth.examples.Pi",
                  "appArgs": ["2"],
                  "environmentVariables": {},
                  "sparkProperties": {
                    "spark.master": "k8s://URL",
                    "spark.app.name": "APPLICATION",
                    "spark.submit.deployMode": "cluster",
                    "spark.kubernetes.namespace": "NAMESPACE",
                    "spark.kubernetes.driver.scheduler.name": "none",
                    "spark.kubernetes.authenticate.driver.serviceAccountName": "driver",
                    "spark.kubernetes.container.image": "IMAGE"
                  }
                }
                """.replace("RESOURCE", PodDrivers.EXAMPLES)
                .replace("URL", lab.url())
                .replace("NAMESPACE", cluster.namespace())
                .replace("APPLICATION", name)
                .replace("IMAGE", KubernetesLab.IMAGE);
    }

    /** Whether as few files, connections and threads are open {@code after} the many submissions as before. */
    private static boolean isLike(Footprint before, Footprint after) {
        return after.descriptors() <= before.descriptors() + SLACK && after.threads() <= before.threads() + SLACK;
    }
}
