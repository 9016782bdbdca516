package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks cached datasets on three executors, of which one is killed or all but one are decommissioned. */
@Timeout(180)
class BlockStoreIT {
    private static final int PARTITIONS = 9;
    private static final int EXECUTORS = 3;
    private static final Duration BOUND = Duration.ofMinutes(3);

    @TempDir
    Path scratch;

    private Installation installation;
    private Gate gate;
    private int port;

    @BeforeEach
    void start() throws IOException {
        installation = Installation.in(scratch);
        gate = new Gate();
        port = FreePort.draw();
    }

    @AfterEach
    void stop() throws IOException {
        gate.close();
    }

    @Test
    void computesNothingAgainOfWhatAReplicaIsLeft() throws Exception {
        try (Launched submit = submit("MEMORY_ONLY_2")) {
            List<Gate.Visitor> computing = compute();
            Gate.Visitor between = gate.next();
            assertEquals("between", between.who());
            String kept = await("storage/rdd/", blocks -> blocks(blocks) == 2 * PARTITIONS);
            assertTrue(kept.contains("2x Replicated"), kept);
            computing.get(0).kill();
            between.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("204 of 9, 204 of 0\n", submit.output());
        }
    }

    @Test
    void computesAgainWhatTheKilledExecutorAloneKept() throws Exception {
        try (Launched submit = submit("MEMORY_ONLY")) {
            List<Gate.Visitor> computing = compute();
            Gate.Visitor between = gate.next();
            await("storage/rdd/", blocks -> blocks(blocks) == PARTITIONS);
            Gate.Visitor killed = computing.get(0);
            long lost = computing.stream()
                    .filter(visitor -> visitor.pid() == killed.pid())
                    .count();
            killed.kill();
            await("storage/rdd/", blocks -> blocks(blocks) == PARTITIONS - lost);
            between.pass();
            gate.open();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("204 of 9, 204 of " + lost + "\n", submit.output());
        }
    }

    @Test
    void computesNothingAgainOfWhatExecutorsThatLeftHaveHandedOver() throws Exception {
        try (Launched submit = submit(
                "MEMORY_AND_DISK",
                "hearth.dynamicAllocation.enabled=true",
                "hearth.dynamicAllocation.initialExecutors=" + EXECUTORS,
                "hearth.dynamicAllocation.minExecutors=1",
                "hearth.dynamicAllocation.maxExecutors=" + EXECUTORS,
                "hearth.dynamicAllocation.executorIdleTimeout=1s",
                "hearth.dynamicAllocation.cachedExecutorIdleTimeout=1s",
                "hearth.decommission.enabled=true",
                "hearth.storage.decommission.enabled=true")) {
            compute();
            Gate.Visitor between = gate.next();
            await("storage/rdd/", kept -> blocks(kept) == PARTITIONS && executors(kept) == 1);
            between.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("204 of 9, 204 of 0\n", submit.output());
        }
    }

    /** Lets all executors compute their partitions; returns the executors that did. */
    private List<Gate.Visitor> compute() throws Exception {
        List<Gate.Visitor> computing = new ArrayList<>();
        for (int i = 0; i < EXECUTORS; i++) { // each executor runs one task at a time
            computing.add(gate.next());
        }
        assertEquals(
                EXECUTORS, computing.stream().map(Gate.Visitor::pid).distinct().count());
        for (Gate.Visitor visitor : computing) {
            visitor.pass();
        }
        while (computing.size() < PARTITIONS) {
            Gate.Visitor next = gate.next();
            assertEquals("task", next.who());
            next.pass();
            computing.add(next);
        }
        return computing;
    }

    private Launched submit(String level, String... settings) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String setting : settings) {
            arguments.addAll(List.of("--conf", setting));
        }
        arguments.addAll(List.of(
                "--master",
                "local-cluster[3,1,256]",
                "--conf",
                "hearth.localCluster.dir=" + scratch.resolve("work"),
                "--conf",
                "hearth.ui.enabled=true",
                "--conf",
                "hearth.ui.port=" + port,
                "--class",
                "dev.hearth.itests.endtoend.app.KeptSquares",
                installation.applications().toString(),
                String.valueOf(gate.port()),
                String.valueOf(PARTITIONS),
                level));
        return installation.compute(arguments.toArray(String[]::new));
    }

    /** The number of executors that cache any block. */
    private static long executors(String dataset) {
        return Pattern.compile("\"executors\"\\s*:\\s*\\[([^\\]]*)\\]")
                .matcher(dataset)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(",")))
                .map(String::strip)
                .distinct()
                .count();
    }

    /** The number of cached copies of a partition, over all executors. */
    private static long blocks(String dataset) {
        return Pattern.compile("\"executors\"\\s*:\\s*\\[([^\\]]*)\\]")
                .matcher(dataset)
                .results()
                .mapToLong(match -> match.group(1).split(",").length)
                .sum();
    }

    /** Polls the status of the one cached dataset until it fulfils the condition, and returns that status. */
    private String await(String what, Predicate<String> isSo) throws Exception {
        String applications = "http://127.0.0.1:" + port + "/api/v1/applications";
        Matcher id =
                Pattern.compile("\"id\"\\s*:\\s*\"(local-cluster-[^\"]+)\"").matcher(get(applications));
        assertTrue(id.find());
        String all = applications + "/" + id.group(1) + "/";
        AtomicReference<String> last = new AtomicReference<>("");
        Eventually.until(
                "kept as it should be",
                () -> {
                    Matcher dataset = Pattern.compile("\"id\"\\s*:\\s*(\\d+)").matcher(get(all + "storage/rdd"));
                    last.set(dataset.find() ? get(all + what + dataset.group(1)) : "");
                    return isSo.test(last.get());
                },
                BOUND,
                last::get);
        return last.get();
    }

    private static String get(String address) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer::body);
        return answer.body();
    }
}
