package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Decommissions a worker of processes by its signal and by HTTP, while an application runs there. */
@Timeout(300)
class DecommissionIT extends GatedFixture {
    private static final int PARTITIONS = 2;

    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = startCluster();
    }

    @Test
    void aWorkerEndsWhenItsTasksHaveEndedAndTheApplicationGoesOnElsewhere() throws Exception {
        try (Launched submit = installation.submit(
                "--master",
                cluster.url(),
                "--driver-memory",
                "256m",
                "--executor-memory",
                "256m",
                "--total-executor-cores",
                "1",
                "--class",
                "dev.hearth.itests.endtoend.app.GatedRounds",
                installation.applications().toString(),
                String.valueOf(gate.port()),
                String.valueOf(PARTITIONS))) {
            expect(submit, "driver").pass();
            Gate.Visitor first = expect(submit, "task");
            readPagesOfTheWorker();
            Launched.Ready other = installation.daemon(
                    "worker",
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    scratch.resolve("other").toString(),
                    cluster.url());
            try (Launched second = other.process()) {
                Processes.signal("PWR", cluster.worker().pid());
                Gate.Visitor elsewhere = expect(submit, "task");
                assertNotEquals(first.pid(), elsewhere.pid(), "an executor of the other worker has taken it");
                assertTrue(cluster.worker().isAlive(), "its task has not ended");
                assertTrue(workers().contains("decommissioned"), this::workers);
                first.pass();
                assertEquals(0, cluster.worker().status());
                elsewhere.pass();
                expect(submit, "pause").pass();
                Gate.Visitor last = expect(submit, "task");
                assertEquals(elsewhere.pid(), last.pid());
                last.pass();
                assertEquals(0, submit.status(), submit::errors);
                assertEquals("sums are 3 and 1\n", submit.output());

                assertEquals(404, decommission("nowhere"));
                assertEquals(200, decommission("127.0.0.1"));
                assertEquals(0, second.status(), "nothing runs there");
            }
        }
    }

    /** Follows the links from the state of the master to that of its worker, and to an output of the executor there. */
    private void readPagesOfTheWorker() throws Exception {
        String master = get(http(cluster.url()) + "/json/");
        String worker = found("\"webuiaddress\":\"([^\"]+)\"", master);
        String application = found("\"activeapps\":\\[\\{\"id\":\"([^\"]+)\"", master);
        String state = get(worker + "/json");
        assertTrue(state.contains("\"masterurl\":\"" + cluster.url() + "\""), state);
        assertEquals("0", found("\"executors\":\\[\\{\"id\":\"(\\d+)\"", state));
        String log = get(worker + "/log?logType=stderr&byteLength=10&executorId=0&appId=" + application);
        assertTrue(log.matches("(?s)==== Bytes \\d+-\\d+ of \\d+ of " + application + "/0/stderr ====\n.{0,10}"), log);
    }

    private static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), () -> pattern + " in " + text);
        return matcher.group(1);
    }

    private static String get(String page) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(page)).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer::body);
        return answer.body();
    }

    private static String http(String url) {
        return url.replace("hearth://", "http://");
    }

    private int decommission(String host) throws Exception {
        URI page = URI.create(http(cluster.url()) + "/workers/kill/?host=" + host);
        HttpRequest request = HttpRequest.newBuilder(page)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private String workers() {
        try (Launched workers =
                installation.hearth("exec", "--to", cluster.url().replace("hearth://", ""), "workers")) {
            assertEquals(0, workers.status(), workers::errors);
            return workers.output();
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError("workers: " + failure, failure);
        }
    }
}
