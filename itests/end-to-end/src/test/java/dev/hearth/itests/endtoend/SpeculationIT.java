package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stops an executor for less than the silence timeout: a speculative copy of its task does the work, and no other task
 * runs twice.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class SpeculationIT {
    private static final int PARTITIONS = 8;

    @TempDir
    Path scratch;

    private Installation installation;
    private Gate gate;
    private String url = "";

    @BeforeEach
    void start() throws IOException {
        installation = Installation.in(scratch);
        gate = new Gate();
    }

    @AfterEach
    void stop() throws IOException {
        gate.close();
    }

    @Test
    void aCopyWritesWhatASlowExecutorDoesNot() throws Exception {
        Path output = scratch.resolve("output");
        try (Launched master = daemon("master", "--port", "0");
                Launched one = worker("127.0.0.2");
                Launched other = worker("127.0.0.3");
                Launched submit = submit(output)) {
            assertNotEquals(one.pid(), other.pid(), () -> master.pid() + " is their master");
            Gate.Visitor slow = gate.next();
            Gate.Visitor quick = gate.next();
            assertNotEquals(slow.pid(), quick.pid());
            Processes.signal("STOP", slow.pid());
            Gate.Visitor behind = quick;
            for (int tasks = 0; tasks < PARTITIONS; tasks++) { // the seven other tasks and the copy
                assertEquals("task", behind.who());
                assertEquals(quick.pid(), behind.pid());
                behind.pass();
                behind = gate.next();
            }
            assertEquals("written", behind.who(), "the job ends while the executor stands still");
            Processes.signal("CONT", slow.pid());
            slow.pass();
            behind.pass();
            Set<Long> later = new HashSet<>();
            Gate.Visitor first = gate.next();
            Gate.Visitor second = gate.next(); // one core each: the slow executor has ended its task
            later.add(first.pid());
            later.add(second.pid());
            assertEquals(Set.of(slow.pid(), quick.pid()), later);
            gate.open();
            first.pass();
            second.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(PARTITIONS + " written, " + PARTITIONS + " in the end\n", submit.output(), submit::errors);
        }
        assertWritten(output);
    }

    private static void assertWritten(Path output) throws IOException {
        try (Stream<Path> files = Files.walk(output)) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            List<String> lines = all.stream()
                    .filter(file -> file.getFileName().toString().startsWith("part-"))
                    .flatMap(SpeculationIT::lines)
                    .sorted()
                    .toList();
            assertEquals(
                    IntStream.range(0, PARTITIONS).mapToObj(String::valueOf).toList(), lines);
            assertTrue(all.stream().noneMatch(file -> file.toString().contains("temporary")), all::toString);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException failure) {
            throw new AssertionError(file + ": " + failure, failure);
        }
    }

    private Launched daemon(String... arguments) throws IOException {
        Launched.Ready ready = installation.daemon(arguments);
        url = arguments[0].equals("master") ? ready.line() : url;
        return ready.process();
    }

    /** Speculative copies run on other hosts than the first attempt, so each worker has its own address. */
    private Launched worker(String host) throws IOException {
        String work = scratch.resolve("work-" + host).toString();
        return daemon("worker", "--host", host, "--cores", "1", "--memory", "1g", "--work-dir", work, url);
    }

    private Launched submit(Path output) throws IOException {
        return installation.compute(
                "--master",
                url,
                "--executor-cores",
                "1",
                "--executor-memory",
                "256m",
                "--conf",
                "hearth.speculation=true",
                "--conf",
                "hearth.speculation.quantile=0.75",
                "--class",
                "dev.hearth.itests.endtoend.app.GatedOutput",
                installation.applications().toString(),
                String.valueOf(gate.port()),
                output.toString());
    }
}
