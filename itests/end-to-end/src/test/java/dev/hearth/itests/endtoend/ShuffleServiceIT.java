package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Executors of a standalone cluster are killed or released after the map stage: the reduce stage reads their outputs
 * from the worker, and no map task runs again.
 */
@Timeout(180)
class ShuffleServiceIT extends GatedFixture {
    private static final String MAIN = "dev.hearth.itests.endtoend.app.GatedShuffle";
    private static final int MAPS = 6;
    private static final int READERS = 4;
    private static final int GONE_WITHIN_SECONDS = 60;
    private static final Duration REMOVED_WITHIN = Duration.ofMinutes(1);
    private static final int TIMED_RUNS = 3;
    private static final double SLOWER_MAX = 1.05;
    /** Set with {@code -Pcrash}. */
    private static final String LONG = "hearth.crash.kills";

    private static final String ENABLED = "hearth.shuffle.service.enabled=true";

    @Test
    void noMapTaskRunsAgainAlthoughAllExecutorsAreKilled() throws Exception {
        killAllExecutors(false, true);
    }

    @Test
    @EnabledIfSystemProperty(named = LONG, matches = "\\d+")
    void executorsReadTheFilesOfKilledOnesFromTheirHost() throws Exception {
        killAllExecutors(true, false);
    }

    private void killAllExecutors(boolean hostDisks, boolean encrypted) throws Exception {
        try (Cluster cluster = Cluster.start(installation, "--conf", ENABLED);
                Launched submit = submit(
                        cluster,
                        "--conf",
                        ENABLED,
                        "--conf",
                        "hearth.io.encryption.enabled=" + encrypted,
                        "--conf",
                        "hearth.shuffle.readHostLocalDisk=" + hostDisks)) {
            Set<Long> pids = new LinkedHashSet<>();
            Gate.Visitor between = mapped(pids);
            assertTrue(outputs() >= MAPS, "the outputs are with the worker");
            for (long pid : pids) {
                Processes.kill(pid);
            }
            between.pass();
            assertReducesAlone(pids);
            assertRight(submit);
            Eventually.until("no file of the application that has ended", () -> outputs() == 0, REMOVED_WITHIN);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = LONG, matches = "\\d+")
    void noMapTaskRunsAgainAlthoughTheWorkerIsKilledAndStartedAgain() throws Exception {
        try (Cluster cluster = Cluster.start(installation, "--conf", ENABLED);
                Launched submit = submit(cluster, "--conf", ENABLED, "--conf", "hearth.shuffle.service.awayMax=2m")) {
            Set<Long> pids = new LinkedHashSet<>();
            Gate.Visitor between = mapped(pids);
            Processes.kill(cluster.worker().pid());
            cluster.worker().status();
            String id = cluster.workerId();
            try (Launched again = installation
                    .daemon(
                            "worker",
                            "--port",
                            id.substring(id.lastIndexOf('-') + 1),
                            "--cores",
                            "2",
                            "--memory",
                            "2g",
                            "--work-dir",
                            scratch.resolve("work").toString(),
                            cluster.url(),
                            "--conf",
                            ENABLED)
                    .process()) {
                assertTrue(again.pid() > 0);
                between.pass();
                assertReducesAlone(pids);
                assertRight(submit);
                Eventually.until("no file of the application that has ended", () -> outputs() == 0, REMOVED_WITHIN);
            }
        }
    }

    @Test
    @EnabledIfSystemProperty(named = LONG, matches = "\\d+")
    void idleExecutorsAreReleasedAndTheirOutputsStay() throws Exception {
        try (Cluster cluster = Cluster.start(installation, "--conf", ENABLED);
                Launched submit = submit(
                        cluster,
                        "--conf",
                        ENABLED,
                        "--conf",
                        "hearth.dynamicAllocation.enabled=true",
                        "--conf",
                        "hearth.dynamicAllocation.executorIdleTimeout=1s")) {
            Set<Long> pids = new LinkedHashSet<>();
            Gate.Visitor between = mapped(pids);
            for (long pid : pids) {
                ProcessHandle.of(pid)
                        .ifPresent(process -> process.onExit()
                                .orTimeout(GONE_WITHIN_SECONDS, TimeUnit.SECONDS)
                                .join());
            }
            between.pass();
            assertReducesAlone(pids);
            assertRight(submit);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = LONG, matches = "\\d+")
    void anApplicationThatAsksForTheServiceIsRefusedByAWorkerWithoutIt() throws Exception {
        try (Cluster cluster = Cluster.start(installation);
                Launched submit = submit(cluster, "--conf", ENABLED)) {
            gate.open();
            assertNotEquals(0, submit.status(), submit::output);
            assertTrue(submit.errors().contains("this worker has no shuffle service"), submit::errors);
        }
    }

    /** Runs the same shuffle with and without the service, in turn. The shortest times are compared, as others disturb. */
    @Test
    @EnabledIfSystemProperty(named = LONG, matches = "\\d+")
    @Timeout(600)
    void isAsFastAsExecutors() throws Exception {
        long[] shortest = {Long.MAX_VALUE, Long.MAX_VALUE};
        try (Cluster cluster = Cluster.start(installation, "--conf", ENABLED)) {
            for (int run = 0; run < 2 * TIMED_RUNS; run++) {
                boolean isServed = run % 2 == 0;
                try (Launched submit = timed(cluster, isServed)) {
                    assertEquals(0, submit.status(), submit::errors);
                    long time = Long.parseLong(submit.output().split(" ", 2)[0]);
                    shortest[run % 2] = Math.min(shortest[run % 2], time);
                    System.out.println(
                            (isServed ? "served " : "kept ") + submit.output().strip());
                }
            }
        }
        double ratio = shortest[0] / (double) shortest[1];
        System.out.println("shuffle with the service / without: " + ratio);
        assertTrue(ratio <= SLOWER_MAX, () -> "ratio " + ratio);
    }

    private Launched timed(Cluster cluster, boolean isServed) throws IOException {
        return installation.submit(
                "--master",
                cluster.url(),
                "--driver-memory",
                "256m",
                "--executor-memory",
                "512m",
                "--executor-cores",
                "1",
                "--conf",
                "hearth.shuffle.service.enabled=" + isServed,
                "--class",
                "dev.hearth.itests.endtoend.app.TimedShuffle",
                installation.applications().toString(),
                "16",
                "400000",
                "16",
                "12");
    }

    /** Lets the first job pass. Returns the driver, which waits between both jobs, and adds the executors to {@code pids}. */
    private Gate.Visitor mapped(Set<Long> pids) throws Exception {
        Gate.Visitor visitor = gate.next();
        while (!visitor.who().equals("between")) {
            assertEquals("map", visitor.who());
            pids.add(visitor.pid());
            visitor.pass();
            visitor = gate.next();
        }
        return visitor;
    }

    private void assertReducesAlone(Set<Long> gone) throws Exception {
        List<String> seen = new ArrayList<>();
        while (seen.size() < READERS) {
            Gate.Visitor visitor = gate.next();
            seen.add(visitor.who());
            assertTrue(!gone.contains(visitor.pid()), "an executor that is gone");
            visitor.pass();
        }
        gate.open();
        assertEquals(List.of("reduce", "reduce", "reduce", "reduce"), seen, "what ran in the second job");
    }

    private Launched submit(Cluster cluster, String... flags) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--master",
                cluster.url(),
                "--driver-memory",
                "256m",
                "--executor-memory",
                "256m",
                "--executor-cores",
                "1"));
        arguments.addAll(List.of(flags));
        arguments.addAll(List.of("--class", MAIN, installation.applications().toString()));
        arguments.addAll(
                Stream.of(gate.port(), MAPS, READERS, 1).map(String::valueOf).toList());
        return installation.compute(arguments.toArray(String[]::new));
    }

    private void assertRight(Launched submit) throws Exception {
        assertEquals(0, submit.status(), submit::errors);
        assertEquals("right\n", submit.output(), submit::errors);
    }

    /** Number of index files of the shuffle service below the worker's directory. */
    private int outputs() throws IOException {
        Path parent = scratch.resolve("work").resolve("hearth-shuffle");
        if (!Files.isDirectory(parent)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(parent)) {
            return (int) all.filter(file -> file.toString().contains("/index/") && Files.isRegularFile(file))
                    .count();
        }
    }
}
