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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Decommissions a worker of processes by its signal and by HTTP, while an application runs there. */
@Timeout(120)
class DecommissionIT {
    private static final int PARTITIONS = 2;

    @TempDir
    Path scratch;

    private Installation installation;
    private Cluster cluster;
    private Gate gate;

    @BeforeEach
    void start() throws IOException {
        installation = Installation.in(scratch);
        cluster = Cluster.start(installation);
        gate = new Gate();
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        gate.close();
        cluster.close();
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), installation.processes());
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

    private int decommission(String host) throws Exception {
        URI page = URI.create(cluster.url().replace("hearth://", "http://") + "/workers/kill/?host=" + host);
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

    private Gate.Visitor expect(Launched submit, String who) throws InterruptedException {
        Gate.Visitor visitor = gate.next();
        assertEquals(who, visitor.who(), submit::errors);
        return visitor;
    }
}
