package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.TestingNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Partitions a driver and two executors, each in its own network namespace, while jobs of many kinds run: every result
 * is right. Runs only with {@code -Pnet}, because it needs root and Linux.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.net", matches = "true")
class PartedClusterIT {
    private static final int DRIVER = 1;
    private static final int LEFT = 2;
    private static final int RIGHT = 3;
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final List<String> IN_COMMON =
            List.of("--conf", "hearth.rpc.silenceTimeout=3s", "--conf", "hearth.rpc.trustedNetwork=true");

    @TempDir
    Path scratch;

    private final List<AutoCloseable> started = new ArrayList<>();
    private Installation installation;
    private TestingNetwork net;
    private Launched submit;
    private Path stop;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        stop = scratch.resolve("stop");
        net = TestingNetwork.of(RIGHT);
        started.add(net);
        Launched.Ready master = daemon(DRIVER, "master", "--host", TestingNetwork.host(DRIVER), "--port", "7077");
        for (int member : List.of(LEFT, RIGHT)) {
            String work = scratch.resolve("work" + member).toString();
            daemon(
                    member,
                    "worker",
                    "--host",
                    TestingNetwork.host(member),
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    work,
                    master.line());
        }
        submit = Launched.start(scratch, net.as(DRIVER, submission(master.line())));
        started.add(submit);
        awaitJobs(2);
    }

    @AfterEach
    void end() throws Exception {
        for (int last = started.size() - 1; last >= 0; last--) {
            started.get(last).close();
        }
    }

    @Test
    void readersThatCannotReachAnOutputHaveItMadeAgain() throws Exception {
        net.part(LEFT, RIGHT);
        awaitWord("could not be fetched from executor");
        net.heal(LEFT, RIGHT);
        assertRight();
    }

    @Test
    void anExecutorThatIsOutOfReachIsReplaced() throws Exception {
        net.part(DRIVER, RIGHT);
        awaitWord("is lost (");
        net.heal(DRIVER, RIGHT);
        assertRight();
    }

    @Test
    void aShortPartitionCostsNoExecutor() throws Exception {
        assertTrue(net.reaches(DRIVER, RIGHT));
        net.part(DRIVER, RIGHT);
        assertFalse(net.reaches(DRIVER, RIGHT)); // takes half a second, which is less than the silence timeout
        net.heal(DRIVER, RIGHT);
        Eventually.until("they reach one another again", () -> net.reaches(DRIVER, RIGHT), BOUND);
        assertRight();
        assertFalse(submit.errors().contains("is gone"), submit::errors);
    }

    private void assertRight() throws Exception {
        awaitJobs(jobs() + 5);
        Files.createFile(stop);
        assertEquals(0, submit.status(), submit::errors);
        assertEquals("0 wrong of many: true\n", submit.output(), submit::errors);
    }

    private Launched.Ready daemon(int member, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(1, IN_COMMON); // the role comes first
        Launched.Ready ready = Launched.startDaemon(scratch, net.as(member, installation.daemonCommand(all)));
        started.add(ready.process());
        return ready;
    }

    private List<String> submission(String master) {
        List<String> command = new ArrayList<>(
                List.of(installation.home().resolve("bin/submit").toString()));
        command.addAll(IN_COMMON);
        command.addAll(List.of("--master", master, "--executor-cores", "1", "--executor-memory", "512m"));
        for (String setting : List.of(
                "hearth.driver.host=" + TestingNetwork.host(DRIVER),
                "hearth.shuffle.io.retryWait=500ms",
                "hearth.rpc.connectTimeout=1s",
                "hearth.stage.maxConsecutiveAttempts=50")) {
            command.addAll(List.of("--conf", setting));
        }
        command.addAll(List.of("--class", "dev.hearth.itests.endtoend.app.MixedJobs"));
        command.addAll(List.of(installation.applications().toString(), stop.toString()));
        return command;
    }

    private int jobs() throws IOException {
        Path count = Path.of(stop + ".jobs");
        return Files.exists(count) ? (int) Files.size(count) : 0;
    }

    private void awaitJobs(int count) throws IOException {
        Eventually.until(count + " rounds of jobs", () -> jobs() >= count, BOUND, submit::errors);
    }

    private void awaitWord(String word) {
        Eventually.until("a line with '" + word + "'", () -> submit.errors().contains(word), BOUND, submit::errors);
    }
}
