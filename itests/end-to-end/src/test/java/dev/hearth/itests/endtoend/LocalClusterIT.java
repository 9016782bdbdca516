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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Uses a local cluster, whose executors the driver starts on its own machine, and kills some of them. After each test
 * no process of the installation may run.
 */
@Timeout(180)
class LocalClusterIT extends GatedFixture {
    private static final int PARTITIONS = 6;
    private static final String SUM = "sum is 55\n";
    private static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";

    private Map<String, String> environment = Map.of();

    @Test
    void runsAnApplication() throws Exception {
        try (Launched submit = submit(
                "--class", "dev.hearth.examples.Pi", installation.examples().toString(), "20")) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().startsWith("Pi is roughly 3.1"), submit::output);
            assertEquals("", submit.errors());
        }
    }

    @Test
    void replacesAKilledExecutorAndShowsItsExecutors() throws Exception {
        int port = FreePort.draw();
        environment = Map.of("HEARTH_JAVA_OPTS", "-Dhearth.log.level=info");
        try (Launched submit = submitGated(
                "--conf",
                "hearth.ui.enabled=true",
                "--conf",
                "hearth.ui.port=" + port,
                "--conf",
                "hearth.blockManager.port=" + FreePort.draw(), // one executor gets it, the other one of the next ports
                "--conf",
                "spark.logConf=true",
                "--conf",
                "spark.logLineage=true")) {
            gate.next().pass();
            Gate.Visitor first = gate.next();
            Gate.Visitor second = gate.next();
            assertNotEquals(first.pid(), second.pid());
            assertEquals(List.of("0", "1"), executors(port));
            first.kill();
            second.pass();
            gate.open();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(SUM, submit.output());
            String told = submit.errors();
            assertTrue(told.contains("exit status 137 (killed by SIGKILL)"), told);
            assertTrue(told.contains("application gated sum: setting hearth.app.id=local-cluster-"), told);
            assertTrue(told.contains("job 0: (" + PARTITIONS + ") dataset "), told);
        }
    }

    @Test
    void runsWhatIsLeftByAnExecutorThatCameForAKilledOne() throws Exception {
        try (Launched submit = submitGated("--executor-cores", "1", "--conf", "hearth.cores.max=1")) {
            gate.next().pass();
            Gate.Visitor only = gate.next();
            only.kill();
            Gate.Visitor next = gate.next();
            assertEquals("task", next.who());
            assertNotEquals(only.pid(), next.pid());
            next.pass();
            gate.open();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(SUM, submit.output());
        }
    }

    @Test
    void endsTheApplicationWhenNoExecutorStays() throws Exception {
        Path jar = scratch.resolve("short-lived.jar");
        Files.copy(installation.applications(), jar);
        try (Launched submit = launch(List.of(), jar)) {
            Gate.Visitor driver = gate.next();
            Files.delete(jar); // executors need the jar; the driver has already opened it
            driver.pass();
            assertEquals(1, submit.status(), submit::errors);
            String last =
                    submit.errors().lines().reduce((first, second) -> second).orElse("");
            assertTrue(last.contains("4 executors failed (expected: at most 3, as hearth.executor"), last);
            assertTrue(last.contains("exit status 3") && last.contains("short-lived.jar"), last);
        }
    }

    @Test
    void leavesNoExecutorBehindWhenItsDriverIsKilled() throws Exception {
        try (Launched submit = submitGated()) {
            gate.next().pass();
            List<ProcessHandle> executors = List.of(handle(gate.next()), handle(gate.next()));
            submit.kill();
            Processes.waitForTheEndOf(executors);
        }
    }

    @Test
    @SuppressWarnings("try") // closing the server ends it
    void leavesNoExecutorBehindWhenItIsToldToEnd() throws Exception {
        try (Launched submit = submitGated()) {
            gate.next().pass();
            List<ProcessHandle> executors = List.of(handle(gate.next()), handle(gate.next()));
            submit.end();
            assertEquals(143, submit.status(), submit::errors);
            Processes.waitForTheEndOf(executors);
        }
    }

    @Test
    void refusesMoreMemoryThanItsExecutorsHave() throws Exception {
        try (Launched submit = submit(
                "--executor-memory",
                "2g",
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString())) {
            assertEquals(2, submit.status(), submit::errors);
            assertEquals(
                    "error: hearth.executor.memory: 2g (expected: at most 256m, the memory of each executor in the"
                            + " master URL); from --executor-memory",
                    submit.errors().strip());
        }
    }

    private Launched submit(String... rest) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--master", "local-cluster[2,1,256]", "--conf", "hearth.localCluster.dir=" + scratch.resolve("work")));
        arguments.addAll(List.of(rest));
        return installation.submit(environment, arguments);
    }

    private Launched submitGated(String... flags) throws IOException {
        return launch(List.of(flags), installation.applications());
    }

    private Launched launch(List<String> flags, Path jar) throws IOException {
        List<String> arguments = new ArrayList<>(flags);
        arguments.addAll(
                List.of("--class", GATED, jar.toString(), String.valueOf(gate.port()), String.valueOf(PARTITIONS)));
        return submit(arguments.toArray(String[]::new));
    }

    /** The ids of the executors that the status API shows. */
    private static List<String> executors(int port) throws IOException, InterruptedException {
        String applications = "http://127.0.0.1:" + port + "/api/v1/applications";
        Matcher id =
                Pattern.compile("\"id\"\\s*:\\s*\"(local-cluster-[^\"]+)\"").matcher(get(applications));
        assertTrue(id.find());
        String shown = get(applications + "/" + id.group(1) + "/executors");
        assertTrue(shown.contains("\"stdout\" : \"file://127.0.0.1/"), shown);
        return Pattern.compile("\"id\"\\s*:\\s*\"(\\d+)\"")
                .matcher(shown)
                .results()
                .map(match -> match.group(1))
                .sorted()
                .toList();
    }

    private static String get(String address) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer::body);
        return answer.body();
    }

    private static ProcessHandle handle(Gate.Visitor visitor) {
        return ProcessHandle.of(visitor.pid()).orElseThrow();
    }
}
