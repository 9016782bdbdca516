package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ends of drivers in pods: by themselves, by kills, and followed by a restart. Names in comments are those of the specification. */
class DriverEndsKubernetesIT extends PodClusterFixture {
    private static final String EXITS = "dev.hearth.itests.endtoend.app.ExitsWith";
    private static final String FILLS = "dev.hearth.itests.endtoend.app.FillsMemory";
    private static final String FAILS_FIRST = "dev.hearth.itests.endtoend.app.FailsFirst";
    private static final int KILLED = 137;
    private static final int LARGE_BYTES = 5 * 1024 * 1024;
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(5);

    private PodDrivers drivers;

    @BeforeEach
    void prepare() throws Exception {
        drivers = PodDrivers.create(lab, installation, cluster);
    }

    @Test
    void endsWithTheStatusOfTheDriver() throws Exception { // K4
        expectEnd(3, "exit status 3", List.of(), EXITS, "3");
        expectEnd(1, "NumberFormatException", List.of(), EXITS, "not a number");
        expectEnd(
                KILLED,
                "OOMKilled: raise hearth.driver.memory",
                List.of("--driver-memory", "64m", "--driver-java-options", "-XX:MaxDirectMemorySize=2g"),
                FILLS,
                "1024");
    }

    private void expectEnd(int status, String words, List<String> flags, String main, String argument)
            throws Exception {
        try (Launched submit = drivers.submit(flags, main, argument)) {
            assertEquals(status, submit.status(), submit::errors);
            assertTrue((submit.output() + submit.errors()).contains(words), submit::errors);
            assertFalse(submit.output().contains("setlocale"), submit::output);
        }
        drivers.remove(drivers.pod());
        drivers.awaitNoObjects(GONE_WITHIN);
    }

    @Test
    void tellsThatTheDriverWasKilled() throws Exception { // K4
        try (Launched submit = drivers.submit(List.of(), GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            PodCluster.visitors(gate, submit, "task", 2);
            long begin = System.nanoTime();
            drivers.kill();
            assertEquals(KILLED, submit.status(), submit::errors);
            long told = millisSince(begin);
            figure("K4 a driver killed: until bin/submit ends with its status", "%d ms", told);
            assertTrue(told <= TOLD_WITHIN.toMillis(), () -> told + " ms (expected: at most " + TOLD_WITHIN + ")");
            assertTrue(submit.errors().contains("SIGKILL"), submit::errors);
            figure(
                    "K4 a driver killed: until its executors have ended",
                    "%d ms",
                    cluster.awaitNoExecutorProcess(GONE_WITHIN));
        }
    }

    @Test
    void leavesNothingWhereverTheDriverIsKilledOrDeleted() throws Exception { // K11
        long seed = Long.getLong("hearth.test.seed", System.nanoTime());
        figure("K11 seed", "%d", seed);
        Random random = new Random(seed);
        List<Long> gone = new ArrayList<>();
        for (int run = 0; run < 6; run++) {
            boolean kills = run % 2 == 0;
            long delay = random.nextLong(4_000);
            gate.open();
            try (Launched submit = drivers.submitJar(List.of(), PodDrivers.EXAMPLES, PI, "20000")) {
                String pod = drivers.pod();
                if (kills) {
                    drivers.process();
                }
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delay);
                Eventually.until("a random time", () -> System.nanoTime() - end >= 0, TOLD_WITHIN);
                if (kills) {
                    drivers.kill();
                } else {
                    drivers.delete(pod);
                }
                int status = submit.status();
                assertNotEquals(0, status, () -> "run " + pod + " after " + delay + " ms: " + submit.errors());
                cluster.awaitNoExecutorProcess(GONE_WITHIN);
                drivers.remove(pod);
                gone.add(drivers.awaitNoObjects(GONE_WITHIN));
            }
        }
        figure("K11 a driver killed or deleted: until no object is left", "ms %s", gone);
    }

    @Test
    void startsADriverAgainUntilItSucceeds() throws Exception { // K13
        Path jar = PodDrivers.padded(installation.applications(), scratch.resolve("large.jar"), LARGE_BYTES);
        List<String> flags = List.of("--supervise");
        try (Launched submit = drivers.submitJar(flags, jar.toString(), FAILS_FIRST, port(), "2")) {
            List<Gate.Visitor> first = PodCluster.visitors(gate, submit, "task", 2);
            String pod = drivers.pod();
            String uid = drivers.field(pod, ".metadata.uid");
            pass(first);
            List<Gate.Visitor> second = PodCluster.visitors(gate, submit, "task", 2);
            assertEquals(Set.of(), common(first, second), "each start has executors of its own");
            assertEpoch(2, second);
            Eventually.until(
                    "the executors of the first start have ended",
                    () -> cluster.executors(RUNNING).size() == 2,
                    GONE_WITHIN);
            long failed = System.nanoTime();
            pass(second);
            Eventually.until("it has failed again", () -> submit.errors().contains("start 3 follows"), BOUND);
            Launched status = drivers.ask("bin/submit", "--status", cluster.namespace() + ":" + pod);
            assertEquals(0, status.status(), status::errors);
            String answer = status.output() + status.errors();
            assertTrue(answer.contains("RELAUNCHING") && answer.contains("attempt 2"), answer);
            List<Gate.Visitor> third = PodCluster.visitors(gate, submit, "task", 2);
            assertEpoch(3, third);
            pass(third);
            figure("K13 a second failure of a driver: until tasks of the third start", "%d ms", millisSince(failed));
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().contains("start 3 has sum 3\n"), submit::output);
            assertTrue(submit.errors().contains(": exit status 1; start 2 follows"), submit::errors);
            assertEquals(uid, drivers.field(pod, ".metadata.uid"));
            assertEquals("2", drivers.field(pod, ".status.containerStatuses[0].restartCount"));
            cluster.awaitNoExecutorProcess(GONE_WITHIN);
            drivers.remove(pod);
            drivers.awaitNoObjects(GONE_WITHIN);
        }
    }

    /** Checks the number of the driver that has created the executors of {@code visitors}. */
    private void assertEpoch(int epoch, List<Gate.Visitor> visitors) throws Exception {
        for (String pod : PodCluster.pods(visitors)) {
            assertTrue(pod.contains("-exec-" + (epoch - 1) + "0000"), pod);
            assertEquals(String.valueOf(epoch), drivers.field(pod, ".metadata.labels.hearth\\.dev/epoch"));
        }
    }

    @Test
    void endsASupervisedDriverBetweenTwoStarts() throws Exception { // K13
        try (Launched submit = drivers.submit(List.of("--supervise"), EXITS, "1")) {
            Eventually.until("it waits", () -> submit.errors().contains("start 3 follows"), BOUND, submit::errors);
            try (Launched kill = drivers.ask("bin/submit", "--kill", cluster.namespace() + ":" + drivers.pod())) {
                assertEquals(0, kill.status(), kill::errors);
            }
            assertEquals(8, submit.status(), submit::errors);
        }
        drivers.awaitNoObjects(GONE_WITHIN);
    }

    private String port() {
        return String.valueOf(gate.port());
    }

    private static void pass(List<Gate.Visitor> visitors) throws Exception {
        for (Gate.Visitor visitor : visitors) {
            visitor.pass();
        }
    }

    private static Set<String> common(List<Gate.Visitor> first, List<Gate.Visitor> second) {
        Set<String> pods = new TreeSet<>(PodCluster.pods(first));
        pods.retainAll(PodCluster.pods(second));
        return pods;
    }
}
