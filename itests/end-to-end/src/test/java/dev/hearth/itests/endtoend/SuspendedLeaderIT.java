package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The leader is suspended until its session with ZooKeeper has ended, and goes on afterwards: drill 4. It finds requests and
 * messages that arrived meanwhile, on which it would act; another master has acted on the state of the cluster in its place. No
 * order of it has any effect. Runs with {@code -Pcrash}.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(600)
class SuspendedLeaderIT {
    private static final int MASTERS = 3;
    private static final int CORES = 4;
    private static final int PARTITIONS = 2;
    private static final int ANSWER_SECONDS_MAX = 120;
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final Pattern ID = Pattern.compile("driver-\\d{14}-\\d{4,}");
    private static final List<String> IMPATIENT = List.of("--conf", "hearth.rpc.silenceTimeout=4s");

    @TempDir
    Path scratch;

    private final HttpClient http = HttpClient.newHttpClient();
    private Installation installation;
    private MasterGroup masters;
    private Launched worker;

    @Test
    void obeysNoOrderOfALeaderThatWasReplaced() throws Exception {
        installation = Installation.in(scratch);
        try (ZooKeeperProcess server = ZooKeeperProcess.in(scratch);
                MasterGroup group =
                        MasterGroup.start(installation, MASTERS, number -> MasterGroup.inZooKeeper(server.port()))) {
            masters = group;
            worker = masters.worker(masters.url(), "work", CORES, IMPATIENT.toArray(String[]::new));
            try (Gate gate = new Gate();
                    Launched driver = submit("cluster", gate, 1)) {
                gate.next().pass();
                Gate.Visitor task = gate.next();
                runsOn(gate, driver, task);
            } finally {
                worker.close();
            }
        }
    }

    /** The cluster has four cores: a driver and its task, a task of {@code short}, and one of two tasks of {@code wants}. */
    private void runsOn(Gate gate, Launched driver, Gate.Visitor itsTask) throws Exception {
        try (Launched shortLived = submit("client", gate, 1)) {
            gate.next().pass();
            Gate.Visitor inTheWay = gate.next();
            try (Launched wants = submit("client", gate, PARTITIONS)) {
                gate.next().pass();
                Gate.Visitor one = gate.next();
                int former = masters.awaitLeader();
                CompletableFuture<String> created;
                Gate.Visitor other;
                Processes.signal("STOP", masters.process(former).pid());
                long stopped = System.nanoTime();
                try {
                    CompletableFuture<String> killed = post(former, "kill/" + id(driver), "");
                    created = post(former, "create", body());
                    shortLived.kill();
                    ProcessHandle.of(inTheWay.pid())
                            .ifPresent(executor -> executor.onExit().join());
                    masters.awaitLeaderBut(former);
                    other = gate.next(); // on the core that is free now, by an order of the next leader
                    print("leader suspended: an executor of the next one has a task", stopped);
                    assertFalse(killed.isDone() || created.isDone(), "the leader is not suspended");
                    Processes.signal("CONT", masters.process(former).pid());
                    String answer = killed.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
                    assertFalse(answer.contains("\"success\" : true"), answer);
                } finally {
                    Processes.signal("CONT", masters.process(former).pid());
                }
                masters.awaitStandby(former);
                requireKnownIfAcknowledged(created.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
                assertTrue(masters.process(former).isAlive());
                for (Gate.Visitor task : List.of(itsTask, one, other)) {
                    assertTrue(ProcessHandle.of(task.pid()).isPresent(), "an executor has ended");
                    task.pass();
                }
                requireResult(driver, "sum is 0");
                requireResult(wants, "sum is 1");
                assertEquals(3 + 4, gate.visitors(), "a driver or a task has come again");
            }
        }
        Eventually.until(
                "a cluster without applications",
                () -> masters.page(masters.awaitLeader(), "/json/activeapps").contains("[]"),
                BOUND,
                () -> masters.page(masters.awaitLeader(), "/json"));
    }

    /** A request that the former leader has acknowledged, although it led no more, would have to be known to the next one. */
    private void requireKnownIfAcknowledged(String created) {
        Matcher id = ID.matcher(created);
        if (created.contains("\"success\" : true") && id.find()) {
            String known = masters.page(masters.awaitLeader(), "/json");
            assertTrue(known.contains(id.group()), () -> created + known);
        }
        System.out.println("answer of the former leader: " + created.replaceAll("\\s+", " "));
    }

    private static void requireResult(Launched submit, String result) throws InterruptedException {
        assertEquals(0, submit.status(), submit::errors);
        assertTrue(submit.output().contains(result), submit::output);
    }

    private static String id(Launched submit) {
        Matcher id = ID.matcher(submit.errors());
        assertTrue(id.find(), submit::errors);
        return id.group();
    }

    private CompletableFuture<String> post(int master, String path, String body) {
        URI uri = URI.create("http://127.0.0.1:" + masters.port(master) + "/v1/submissions/" + path);
        return http.sendAsync(
                        HttpRequest.newBuilder(uri)
                                .version(HttpClient.Version.HTTP_1_1)
                                .header("Content-Type", "application/json;charset=UTF-8")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .handle((answer, failure) -> answer == null ? "none: " + failure : answer.body());
    }

    private String body() {
        return """
                {"action": "CreateSubmissionRequest", "clientSparkVersion": "4.2.0", "appResource": "%s",
                 "mainClass": "dev.hearth.itests.endtoend.app.AppendsLine", "appArgs": ["%s", "x"],
                 "environmentVariables": {},
                 "sparkProperties": {"spark.master": "spark://h:7077", "spark.driver.memory": "64m"}}
                """.formatted(installation.applications().toUri(), scratch.resolve("lines"));
    }

    private Launched submit(String mode, Gate gate, int partitions) throws IOException {
        List<String> arguments = new ArrayList<>(IMPATIENT);
        arguments.addAll(List.of("--master", masters.url(), "--deploy-mode", mode));
        arguments.addAll(List.of("--driver-memory", "96m", "--executor-memory", "96m", "--executor-cores", "1"));
        arguments.addAll(List.of("--total-executor-cores", String.valueOf(partitions)));
        arguments.addAll(List.of("--class", "dev.hearth.itests.endtoend.app.GatedSum"));
        arguments.addAll(List.of(
                installation.applications().toString(), String.valueOf(gate.port()), String.valueOf(partitions)));
        return installation.submit(arguments.toArray(String[]::new));
    }

    private static void print(String what, long since) {
        System.out.println(
                what + " after " + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
    }
}
