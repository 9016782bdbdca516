package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.CountsNodes;
import dev.hearth.itests.endtoend.app.GatedRounds;
import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of a real YARN that vanish, fail, leave, come back, and hold the data (rows Y12, Y19, Y20 and Y23). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class NodesYarnIT {
    /** Makes a container so large that a node has one. */
    private static final String ONE_PER_NODE = "hearth.executor.memoryOverhead=2048m";

    private static final Duration NODE_EXPIRY = Duration.ofSeconds(15);
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final int STATUS_SECONDS_MAX = 180;
    private static final int BLOCKS = 20;
    private static final int BLOCK_BYTES = 1 << 20;
    private static final Pattern COUNT = Pattern.compile("(127\\.[\\d.]+)=(\\d+)");

    @TempDir
    static Path scratch;

    private static YarnNodes nodes;

    @BeforeAll
    static void start() throws Exception {
        nodes = YarnNodes.start(scratch);
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    private static Launched rounds(Gate gate, String... settings) throws Exception {
        return nodes.submit(
                nodes.yarn().program(GatedRounds.class, String.valueOf(gate.port()), String.valueOf(YarnNodes.NODES)),
                settings);
    }

    /** Lets the driver pass and returns the two tasks of the first job, by the number of their node. */
    private static List<Gate.Visitor> tasks(Gate gate) throws Exception {
        gate.next().pass();
        List<Gate.Visitor> tasks = new ArrayList<>(List.of(gate.next(), gate.next()));
        if (YarnNodes.hostOf(tasks.get(0).pid()).equals(nodes.lab().host(2))) {
            tasks.add(tasks.remove(0));
        }
        assertEquals(nodes.lab().host(2), YarnNodes.hostOf(tasks.get(1).pid()), "one task on each node");
        return tasks;
    }

    private static void finish(Gate gate, List<Gate.Visitor> waiting, Launched launched) throws Exception {
        gate.open();
        for (Gate.Visitor visitor : waiting) {
            visitor.pass();
        }
        assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
        assertTrue(launched.output().contains("sums are 3 and 1"), launched.output() + launched.errors());
    }

    /** Y12. */
    @Test
    void losesTheExecutorsOfAVanishedNodeAndEndsTheirProcesses() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = rounds(gate, ONE_PER_NODE)) {
            List<Gate.Visitor> tasks = tasks(gate);
            ProcessHandle orphan = ProcessHandle.of(tasks.get(1).pid()).orElseThrow();
            long killedAt = System.nanoTime();
            nodes.lab().kill(HadoopLab.nodeManager(2));
            YarnNodes.awaitWords(launched, "(HOST_LOST)", BOUND);
            Duration told = Duration.ofNanos(System.nanoTime() - killedAt);
            orphan.onExit().get(5, java.util.concurrent.TimeUnit.SECONDS);
            Duration gone = Duration.ofNanos(System.nanoTime() - killedAt);
            System.out.println("Y12: lost after " + told.toMillis() + " ms of a node that expires after "
                    + NODE_EXPIRY.toMillis() + " ms; its process gone after " + gone.toMillis() + " ms");
            finish(gate, tasks.subList(0, 1), launched);
            assertTrue(told.compareTo(NODE_EXPIRY.plusSeconds(5)) < 0, told.toString());
        } finally {
            nodes.lab().startDaemon(HadoopLab.nodeManager(2));
            nodes.lab().awaitReady();
        }
    }

    /** Y19: a node whose Java is gone. */
    @Test
    void excludesANodeThatStartsNoExecutor() throws Exception {
        nodes.lab().breakJava(HadoopLab.nodeManager(2), true);
        try (Gate gate = new Gate();
                Launched launched = rounds(
                        gate,
                        "hearth.executor.memoryOverhead=1024m", // three on a node
                        "hearth.executor.instances=4",
                        "hearth.scheduler.minRegisteredResourcesRatio=0.5",
                        "hearth.yarn.executor.launch.excludeOnFailure.enabled=true",
                        "hearth.excludeOnFailure.application.maxFailedExecutorsPerNode=1")) {
            gate.next().pass();
            List<Gate.Visitor> tasks = List.of(gate.next(), gate.next());
            for (Gate.Visitor task : tasks) {
                assertEquals(nodes.lab().host(1), YarnNodes.hostOf(task.pid()));
            }
            Eventually.until(
                    "two executors have failed on the other node",
                    () -> YarnNodes.occurrences(launched.errors(), "is lost (NEVER_CAME)") == 2,
                    BOUND,
                    launched::errors);
            finish(gate, tasks, launched);
            int lost = YarnNodes.occurrences(launched.errors(), "is lost (NEVER_CAME)");
            System.out.println("Y19: " + lost + " executors failed on a node without Java, then none");
            assertEquals(2, lost, launched::errors);
        } finally {
            nodes.lab().breakJava(HadoopLab.nodeManager(2), false);
        }
    }

    /** Y19: all nodes are such. */
    @Test
    void givesUpIfEveryNodeStartsNoExecutor() throws Exception {
        nodes.lab().breakJava(HadoopLab.nodeManager(1), true);
        nodes.lab().breakJava(HadoopLab.nodeManager(2), true);
        try (Gate gate = new Gate();
                Launched launched = rounds(
                        gate,
                        "hearth.executor.maxNumFailures=100",
                        "hearth.yarn.executor.launch.excludeOnFailure.enabled=true",
                        "hearth.excludeOnFailure.application.maxFailedExecutorsPerNode=1")) {
            gate.open();
            assertNotEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
            String words = "Due to executor failures all available nodes are excluded";
            assertTrue(launched.errors().contains(words), launched::errors);
            System.out.println("Y19: ended with status " + launched.status(STATUS_SECONDS_MAX) + " after "
                    + YarnNodes.occurrences(launched.errors(), "is lost (NEVER_CAME)") + " failures on "
                    + YarnNodes.NODES
                    + " nodes");
        } finally {
            nodes.lab().breakJava(HadoopLab.nodeManager(1), false);
            nodes.lab().breakJava(HadoopLab.nodeManager(2), false);
        }
    }

    /** Y20. */
    @Test
    void leavesANodeThatIsDecommissionedAndStaysIfItIsTakenBack() throws Exception {
        Duration within = Duration.ofMinutes(2);
        List<String> second = List.of(nodes.lab().host(2));
        try (Gate gate = new Gate();
                Launched launched = rounds(gate, ONE_PER_NODE)) {
            List<Gate.Visitor> tasks = tasks(gate);
            nodes.lab().decommission(second, within);
            YarnNodes.awaitWords(launched, "is decommissioned: ", BOUND);
            nodes.lab().decommission(List.of(), within);
            YarnNodes.awaitWords(launched, "is no longer decommissioned", BOUND);
            nodes.lab().decommission(second, within);
            Eventually.until(
                    "the executor is to leave again",
                    () -> YarnNodes.occurrences(launched.errors(), "is decommissioned: ") == 2,
                    BOUND,
                    launched::errors);
            ProcessHandle leaver = ProcessHandle.of(tasks.get(1).pid()).orElseThrow();
            assertTrue(leaver.isAlive(), "an executor that leaves ends its tasks first");
            long passedAt = System.nanoTime();
            tasks.get(1).pass();
            leaver.onExit().get(within.toSeconds() / 2, java.util.concurrent.TimeUnit.SECONDS);
            System.out.println("Y20: left "
                    + Duration.ofNanos(System.nanoTime() - passedAt).toMillis() + " ms after its last task, of "
                    + within.toMillis() + " ms");
            finish(gate, tasks.subList(0, 1), launched);
            assertEquals(0, YarnNodes.occurrences(launched.errors(), "task failed"), launched::errors);
        } finally {
            nodes.lab().decommission(List.of(), within);
            nodes.lab().kill(HadoopLab.nodeManager(2)); // a node that is decommissioned ends
            nodes.lab().startDaemon(HadoopLab.nodeManager(2));
            nodes.lab().awaitReady();
        }
    }

    /** Y23. */
    @Test
    void readsBlocksWhereTheyAre() throws Exception {
        String file = blocksOnTheFirstNode();
        int local = 0;
        try (Gate gate = new Gate();
                Launched launched = nodes.submit(
                        nodes.yarn().program(CountsNodes.class, String.valueOf(gate.port()), file, "2"),
                        ONE_PER_NODE)) {
            List<Gate.Visitor> tasks = List.of(gate.next(), gate.next());
            assertEquals(
                    2,
                    tasks.stream()
                            .map(task -> YarnNodes.hostOf(task.pid()))
                            .distinct()
                            .count());
            finishCount(gate, tasks, launched);
            local = on(1, launched.output());
            System.out.println(
                    "Y23: " + local + " of " + BLOCKS + " tasks where their block is, executors on both nodes");
        }
        assertTrue(local >= BLOCKS * 9 / 10, local + " of " + BLOCKS);
    }

    /** Y23: executors that tasks want are asked for where the blocks are. */
    @Test
    void asksForExecutorsWhereBlocksAre() throws Exception {
        String file = blocksOnTheFirstNode();
        try (Gate gate = new Gate();
                Launched launched = nodes.submit(
                        nodes.yarn().program(CountsNodes.class, String.valueOf(gate.port()), file, "0"),
                        "hearth.executor.instances=0",
                        "hearth.dynamicAllocation.enabled=true",
                        "hearth.dynamicAllocation.maxExecutors=2")) {
            finishCount(gate, List.of(), launched);
            System.out.println("Y23: " + launched.output().strip() + ", executors by dynamic allocation");
            assertEquals(BLOCKS, on(1, launched.output()), launched.output() + launched.errors());
        }
    }

    private static void finishCount(Gate gate, List<Gate.Visitor> waiting, Launched launched) throws Exception {
        gate.open();
        for (Gate.Visitor visitor : waiting) {
            visitor.pass();
        }
        assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
    }

    private static int on(int node, String output) {
        Matcher counts = COUNT.matcher(output);
        int found = 0;
        int all = 0;
        while (counts.find()) {
            int count = Integer.parseInt(counts.group(2));
            all += count;
            found += counts.group(1).equals(nodes.lab().host(node)) ? count : 0;
        }
        assertEquals(BLOCKS, all, output);
        return found;
    }

    /** A file whose blocks are on the first node alone. */
    private static String blocksOnTheFirstNode() throws Exception {
        String name = "/blocks";
        Path local = scratch.resolve("blocks");
        if (!Files.exists(local)) {
            StringBuilder line = new StringBuilder();
            while (line.length() < 1023) {
                line.append((char) ('a' + line.length() % 26));
            }
            Files.writeString(local, (line + "\n").repeat(BLOCKS * BLOCK_BYTES / 1024));
            nodes.lab().kill(HadoopLab.dataNode(2));
            nodes.lab().dfs("-D", "dfs.blocksize=" + BLOCK_BYTES, "-put", local.toString(), name);
            nodes.lab().startDaemon(HadoopLab.dataNode(2));
            nodes.lab().awaitReady();
        }
        return nodes.lab().files() + name;
    }
}
