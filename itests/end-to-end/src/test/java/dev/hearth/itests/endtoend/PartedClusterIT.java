package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver and two executors on three machines, as far as they know, parted from one another while jobs of all sorts run: every
 * result is right. With {@code -Pnet} alone, for it needs root and Linux.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.net", matches = "true")
class PartedClusterIT {
    private static final int DRIVER = 1;
    private static final int LEFT = 2;
    private static final int RIGHT = 3;
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final int LOOKS_MAX = 600;
    private static final String SILENCE = "hearth.rpc.silenceTimeout=3s";
    private static final Duration SHORT = Duration.ofSeconds(1); // less than that

    @TempDir
    Path scratch;

    private final List<AutoCloseable> started = new ArrayList<>();
    private Installation installation;
    private Net net;
    private Launched submit;
    private Path stop;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        stop = scratch.resolve("stop");
        net = Net.of(RIGHT);
        started.add(net);
        Launched.Ready master = daemon(DRIVER, "master", "--host", Net.host(DRIVER), "--port", "7077");
        for (int member : List.of(LEFT, RIGHT)) {
            String work = scratch.resolve("work" + member).toString();
            daemon(
                    member,
                    "worker",
                    "--host",
                    Net.host(member),
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    work,
                    master.line());
        }
        submit = Launched.start(
                scratch,
                net.as(
                        DRIVER,
                        command(
                                "bin/submit",
                                List.of(
                                        "--master",
                                        master.line(),
                                        "--executor-cores",
                                        "1",
                                        "--executor-memory",
                                        "512m",
                                        "--conf",
                                        "hearth.driver.host=" + Net.host(DRIVER),
                                        "--conf",
                                        "hearth.shuffle.io.retryWait=500ms",
                                        "--conf",
                                        "hearth.rpc.connectTimeout=1s",
                                        "--conf",
                                        "hearth.stage.maxConsecutiveAttempts=50",
                                        "--class",
                                        "dev.hearth.itests.endtoend.app.MixedJobs",
                                        installation.applications().toString(),
                                        stop.toString()))));
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
        awaitWord("could not be read from executor");
        net.heal(LEFT, RIGHT);
        assertRight();
    }

    @Test
    void anExecutorThatIsOutOfReachIsReplaced() throws Exception {
        net.part(DRIVER, RIGHT);
        awaitWord("is gone (");
        net.heal(DRIVER, RIGHT);
        assertRight();
    }

    @Test
    void aShortPartitionCostsNoExecutor() throws Exception {
        net.part(DRIVER, RIGHT);
        LockSupport.parkNanos(SHORT.toNanos());
        net.heal(DRIVER, RIGHT);
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
        Launched.Ready ready = Launched.startDaemon(scratch, net.as(member, command("bin/hearth", List.of(arguments))));
        started.add(ready.process());
        return ready;
    }

    /** The role goes first, then what all have in common. */
    private List<String> command(String script, List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of(installation.home().resolve(script).toString()));
        int first = script.endsWith("hearth") ? 1 : 0;
        command.addAll(arguments.subList(0, first));
        command.addAll(List.of("--conf", SILENCE, "--conf", "hearth.rpc.trustedNetwork=true"));
        command.addAll(arguments.subList(first, arguments.size()));
        return command;
    }

    private int jobs() throws IOException {
        Path count = Path.of(stop + ".jobs");
        return Files.exists(count) ? (int) Files.size(count) : 0;
    }

    private void awaitJobs(int count) throws IOException {
        for (int look = 0; jobs() < count; look++) {
            assertTrue(look < LOOKS_MAX, submit::errors);
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    private void awaitWord(String word) {
        for (int look = 0; !submit.errors().contains(word); look++) {
            assertTrue(look < LOOKS_MAX, submit::errors);
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }
}
