package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.FillsMemory;
import dev.hearth.itests.endtoend.app.GatedRounds;
import dev.hearth.itests.endtoend.app.GatedShuffle;
import dev.hearth.itests.endtoend.app.TwoProfiles;
import dev.hearth.itests.endtoend.app.TwoSizes;
import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers of a real YARN: too little memory, preemption, relays and drivers out of reach, dynamic allocation and
 * executors of two sizes (rows Y9, Y10, Y15, Y17, Y18, Y21 and Y22).
 */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class ContainersYarnIT {
    /** Makes a container of 1,280 MiB, of which a node has three. */
    private static final String THREE_PER_NODE = "hearth.executor.memoryOverhead=1024m";

    private static final int CONTAINERS = 6;
    /** Requests that stay open beyond the headroom: one, and twice as many each 30 s without a grant. */
    private static final int BEYOND_HEADROOM_MAX = 4;

    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final int STATUS_SECONDS_MAX = 180;
    private static final Pattern PENDING = Pattern.compile("\"containersPending\":(\\d+)");
    private static final Pattern MEMORY = Pattern.compile("\"allocatedMB\":\"?(\\d+)");

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

    private static String[] rounds(Gate gate, int tasks) {
        return nodes.yarn().program(GatedRounds.class, String.valueOf(gate.port()), String.valueOf(tasks));
    }

    /** Y9. */
    @Test
    void saysHowMuchMemoryAnExecutorNeeds() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = nodes.submit(
                        nodes.yarn().program(FillsMemory.class, "700", "task", String.valueOf(gate.port())),
                        "hearth.executor.instances=1",
                        "hearth.executor.memoryOverhead=128m",
                        "hearth.executor.extraJavaOptions=-XX:MaxDirectMemorySize=2g",
                        "hearth.task.maxFailures=1")) {
            assertEquals(1, launched.status(STATUS_SECONDS_MAX), launched::errors);
            Matcher words = Pattern.compile("Container killed by YARN for exceeding physical memory limits\\. ([^\n]*?)"
                            + " limit 384 MiB = heap 256 MiB \\+ off-heap 0 MiB \\+ overhead 128 MiB;"
                            + " set hearth\\.executor\\.memoryOverhead to (\\d+)m")
                    .matcher(launched.errors());
            assertTrue(words.find(), launched::errors);
            assertTrue(launched.errors().contains("-104"), launched::errors);
            int advised = Integer.parseInt(words.group(2));
            System.out.println("Y9: " + words.group());
            assertTrue(advised > 128 && advised <= 1_024, words.group());
        }
    }

    /** Y10. */
    @Test
    void movesMapOutputsBeforeItsContainersArePreempted() throws Exception {
        try (Gate gate = new Gate();
                Gate urgentGate = new Gate();
                Launched launched = nodes.submit(
                        nodes.yarn()
                                .program(
                                        GatedShuffle.class,
                                        String.valueOf(gate.port()),
                                        String.valueOf(CONTAINERS),
                                        "4",
                                        "1"),
                        THREE_PER_NODE,
                        "hearth.executor.instances=" + CONTAINERS,
                        "hearth.storage.decommission.enabled=true")) {
            Set<Long> executors = runMaps(gate);
            Gate.Visitor between = gate.next();
            assertEquals("between", between.who());
            long wantedAt = System.nanoTime();
            try (Launched urgent = nodes.submit(rounds(urgentGate, 2), THREE_PER_NODE, "hearth.yarn.queue=urgent")) {
                urgentGate.next().pass();
                List<Gate.Visitor> tasks = List.of(urgentGate.next(), urgentGate.next());
                Duration yielded = Duration.ofNanos(System.nanoTime() - wantedAt);
                List<Long> left = executors.stream()
                        .filter(pid -> ProcessHandle.of(pid).isEmpty())
                        .toList();
                gate.open();
                between.pass();
                assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
                assertTrue(launched.output().contains("right"), launched.output());
                System.out.println(
                        "Y10: " + left.size() + " of " + CONTAINERS + " executors left for another queue, its"
                                + " tasks ran " + yielded.toMillis() + " ms after its submission, notice "
                                + YarnNodes.PREEMPTION_NOTICE.toMillis() + " ms");
                assertEquals(2, left.size(), launched::errors);
                urgentGate.open();
                for (Gate.Visitor task : tasks) {
                    task.pass();
                }
                assertEquals(0, urgent.status(STATUS_SECONDS_MAX), urgent::errors);
            }
            assertFalse(launched.errors().contains("is lost (PREEMPTED)"), launched::errors);
            assertTrue(launched.errors().contains("4 tasks in 1 stage (1 skipped)"), launched::errors);
        }
    }

    /** Lets the map tasks pass; returns the pids of their executors, one for each. */
    private static Set<Long> runMaps(Gate gate) throws Exception {
        List<Gate.Visitor> maps = new ArrayList<>();
        Set<Long> executors = new TreeSet<>();
        for (int i = 0; i < CONTAINERS; i++) {
            maps.add(gate.next());
            executors.add(maps.get(i).pid());
        }
        assertEquals(CONTAINERS, executors.size(), "each map task runs in an executor of its own");
        for (Gate.Visitor map : maps) {
            map.pass();
        }
        return executors;
    }

    /** Y21: placement constraints, and what the scheduler's rounding leaves over. */
    @Test
    void keepsExecutorsApartAndFillsTheirContainers() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = nodes.submit(
                        rounds(gate, 2),
                        "hearth.yarn.executor.placementConstraint=notin,node,hearth-executor",
                        "hearth.yarn.executor.fillContainer=true",
                        "hearth.executor.memoryOverhead=300m")) {
            gate.next().pass();
            List<Gate.Visitor> tasks = List.of(gate.next(), gate.next());
            Set<String> hosts = new TreeSet<>();
            for (Gate.Visitor task : tasks) {
                hosts.add(YarnNodes.hostOf(task.pid()));
                String command = Installation.commandLine(task.pid());
                assertTrue(command.contains("-Xmx340m"), command); // of 640 MiB that come for 556
            }
            System.out.println("Y21: executors on " + hosts + ", their heap fills the container");
            assertEquals(YarnNodes.NODES, hosts.size(), launched::errors);
            gate.open();
            for (Gate.Visitor task : tasks) {
                task.pass();
            }
            assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
        }
    }

    /** Y15. */
    @Test
    void losesTheClusterWhenNoFurtherRelayMayStart() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = nodes.yarn()
                        .submit(OnYarn.join(
                                new String[] {"--conf", "hearth.yarn.maxAppAttempts=1"}, rounds(gate, 2)))) {
            gate.next().pass();
            List<Gate.Visitor> tasks = List.of(gate.next(), gate.next());
            String application = nodes.yarn().lastApplication();
            long killedAt = System.nanoTime();
            OnYarn.kill(nodes.yarn().processes(application, "am").get(0));
            assertNotEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
            Duration ended = Duration.ofNanos(System.nanoTime() - killedAt);
            assertTrue(launched.errors().contains("failed 1 times"), launched::errors);
            nodes.yarn().awaitNothingLeft(application);
            System.out.println("Y15: status " + launched.status(STATUS_SECONDS_MAX) + " after " + ended.toMillis()
                    + " ms, for " + tasks.size() + " tasks");
        }
    }

    /** Y17. */
    @Test
    void saysWhichAddressOfTheDriverExecutorsDoNotReach() throws Exception {
        String unreachable = "127.0.0.99";
        try (Gate gate = new Gate();
                Launched launched = nodes.submit(
                        rounds(gate, 2),
                        "hearth.executor.maxNumFailures=4",
                        "hearth.executor.instances=1",
                        "hearth.driver.bindAddress=127.0.0.1",
                        "hearth.driver.host=" + unreachable)) {
            gate.open();
            assertNotEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
            System.out.println("Y17: " + launched.errors().replaceAll("(?m)^(?!.*is lost).*\n", ""));
            assertEquals(4, YarnNodes.occurrences(launched.errors(), "is lost (NEVER_CAME)"), launched::errors);
            assertTrue(launched.errors().contains(unreachable), launched::errors);
            assertTrue(launched.errors().contains("hearth.driver.host"), launched::errors);
            assertTrue(launched.errors().contains("Max number of executor failures (4) reached"), launched::errors);
        }
    }

    /** Y18. */
    @Test
    void wantsNoMoreThanTheHeadroomAndGivesIdleExecutorsBack() throws Exception {
        int tasks = 20;
        try (Gate gate = new Gate();
                Launched launched = nodes.submit(
                        rounds(gate, tasks),
                        THREE_PER_NODE,
                        "hearth.executor.cores=1",
                        "hearth.dynamicAllocation.enabled=true",
                        "hearth.executor.instances=0",
                        "hearth.dynamicAllocation.maxExecutors=" + tasks,
                        "hearth.dynamicAllocation.executorIdleTimeout=1s")) {
            gate.next().pass();
            List<Gate.Visitor> running = new ArrayList<>();
            for (int i = 0; i < CONTAINERS; i++) {
                running.add(gate.next());
            }
            String application = nodes.yarn().lastApplication();
            assertEquals(
                    CONTAINERS, nodes.yarn().processes(application, "executor").size());
            Eventually.until(
                    "requests beyond the headroom are gone",
                    () -> pending() <= BEYOND_HEADROOM_MAX,
                    Duration.ofSeconds(10),
                    launched::errors);
            System.out.println("Y18: " + running.size() + " of " + tasks + " executors fit, " + pending()
                    + " requests are open beyond them");
            for (int i = 0; i < tasks; i++) {
                (i < running.size() ? running.get(i) : gate.next()).pass();
            }
            Gate.Visitor pause = gate.next();
            assertEquals("pause", pause.who());
            long idleAt = System.nanoTime();
            Eventually.until(
                    "idle executors have ended",
                    () -> nodes.yarn().processes(application, "executor").isEmpty(),
                    BOUND,
                    launched::errors);
            System.out.println("Y18: all gone "
                    + Duration.ofNanos(System.nanoTime() - idleAt).toMillis()
                    + " ms after the last task, idle timeout 1000 ms");
            gate.open();
            pause.pass();
            assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
            assertTrue(launched.output().contains("sums are 210 and 1"), launched.output());
        }
    }

    private static int pending() throws Exception {
        Matcher pending = PENDING.matcher(nodes.lab().page("resourcemanager.webapp.address", "/ws/v1/cluster/metrics"));
        return pending.find() ? Integer.parseInt(pending.group(1)) : Integer.MAX_VALUE;
    }

    /** Y22: in cluster mode the contexts of a driver share one application. */
    @Test
    void runsExecutorsOfTwoSizesInOneApplication() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = nodes.yarn()
                        .submit(OnYarn.join(
                                new String[] {"--deploy-mode", "cluster"},
                                nodes.yarn().program(TwoSizes.class, String.valueOf(gate.port()), "128m", "384m")))) {
            Gate.Visitor driver = gate.next();
            String application = nodes.yarn().lastApplication();
            assertEquals(application + "," + application + "-2", driver.who());
            List<Integer> sizes = sizes(application);
            System.out.println("Y22: containers of " + sizes + " MiB in " + driver.who());
            assertEquals(List.of(512, 640, 768), sizes); // the driver's is the second
            gate.open();
            driver.pass();
            assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
        }
    }

    /** Y22: the executors of each resource profile have the size that it asks for, and ids of one series. */
    @Test
    void runsStagesOnExecutorsOfTheirProfiles() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = nodes.submit(
                        nodes.yarn().program(TwoProfiles.class, String.valueOf(gate.port())),
                        "hearth.executor.instances=0",
                        "hearth.executor.memoryOverhead=128m",
                        "hearth.executor.extraJavaOptions=-Dexecutor={{EXECUTOR_ID}}",
                        "hearth.dynamicAllocation.enabled=true",
                        "hearth.dynamicAllocation.maxExecutors=1")) {
            Gate.Visitor map = gate.next();
            Set<String> executors = new TreeSet<>(List.of(executor(map, 256)));
            map.pass();
            Gate.Visitor reduce = gate.next();
            assertEquals("reduce", reduce.who(), launched::errors);
            executors.add(executor(reduce, 400));
            String application = nodes.yarn().lastApplication();
            List<Integer> sizes = sizes(application);
            System.out.println("Y22: executors " + executors + " of two profiles in containers of " + sizes + " MiB");
            assertEquals(List.of(384, 640), sizes, launched::errors);
            assertEquals(Set.of("1", "2"), executors);
            gate.open();
            reduce.pass();
            assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
            assertEquals("[sum is 6]\n", launched.output());
        }
    }

    /** Id of the executor in which {@code task} runs, whose heap has {@code mebibytes}. */
    private static String executor(Gate.Visitor task, int mebibytes) {
        String command = Installation.commandLine(task.pid());
        assertTrue(command.contains("-Xmx" + mebibytes + "m"), command);
        Matcher id = Pattern.compile("-Dexecutor=(\\d+)").matcher(command);
        assertTrue(id.find(), command);
        return id.group(1);
    }

    /** Memory in MiB of the containers that run, as the ResourceManager says, in ascending order. */
    private static List<Integer> sizes(String application) throws Exception {
        String attempt = application.replace("application", "appattempt") + "_000001";
        Matcher found = MEMORY.matcher(nodes.lab()
                .page(
                        "resourcemanager.webapp.address",
                        "/ws/v1/cluster/apps/" + application + "/appattempts/" + attempt + "/containers"));
        List<Integer> sizes = new ArrayList<>();
        while (found.find()) {
            sizes.add(Integer.parseInt(found.group(1)));
        }
        sizes.sort(Integer::compare);
        return sizes;
    }
}
