package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.GatedRounds;
import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Kills executors, relays, drivers and daemons under an application on a real YARN (rows Y8, Y11, Y13, Y14, Y16, Y27). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class FaultsYarnIT {
    private static final String UNMANAGED = "hearth.yarn.unmanagedAM.enabled=true";
    private static final int TASKS = 2;
    private static final String DRIVER_TIMEOUT = "5s";
    /** Longer than {@link #DRIVER_TIMEOUT}. */
    private static final Duration STOPPED = Duration.ofSeconds(8);

    @TempDir
    static Path scratch;

    private static OnYarn yarn;

    @BeforeAll
    static void start() throws Exception {
        yarn = OnYarn.start(
                scratch,
                HadoopLab.Plan.ofYarn(1)
                        .with("yarn-site.xml", "yarn.resourcemanager.am.max-attempts", "5")
                        .with("yarn-site.xml", "yarn.resourcemanager.recovery.enabled", "true")
                        .with(
                                "yarn-site.xml",
                                "yarn.resourcemanager.store.class",
                                "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore")
                        .with(
                                "yarn-site.xml",
                                "yarn.resourcemanager.fs.state-store.uri",
                                scratch.resolve("states").toUri().toString()));
    }

    @AfterAll
    static void stop() {
        if (yarn != null) {
            yarn.close();
        }
    }

    private static Launched rounds(Gate gate, String... arguments) throws Exception {
        return yarn.submit(OnYarn.join(
                arguments, yarn.program(GatedRounds.class, String.valueOf(gate.port()), String.valueOf(TASKS))));
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    /** Lets the driver pass and waits until all tasks of the first job run. */
    private static List<Gate.Visitor> tasks(Gate gate) throws Exception {
        gate.next().pass();
        return List.of(gate.next(), gate.next());
    }

    private static void finish(Gate gate, List<Gate.Visitor> waiting, Launched launched) throws Exception {
        gate.open();
        for (Gate.Visitor visitor : waiting) {
            visitor.pass();
        }
        assertEquals(0, launched.status(), launched::errors);
        assertTrue(launched.output().contains("sums are 3 and 1"), launched.output() + launched.errors());
    }

    /** Y8. */
    @Test
    void replacesAKilledExecutorAndSaysWhatKilledIt() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = rounds(gate, "--conf", UNMANAGED)) {
            List<Gate.Visitor> tasks = tasks(gate);
            String application = yarn.lastApplication();
            long killedAt = System.nanoTime();
            tasks.get(0).kill();
            Eventually.until(
                    "the driver says how the executor ended",
                    () -> launched.errors().contains("137"),
                    Duration.ofSeconds(10),
                    launched::errors);
            Duration told = Duration.ofNanos(System.nanoTime() - killedAt);
            System.out.println("Y8: told after " + told.toMillis() + " ms");
            finish(gate, tasks.subList(1, 2), launched);
            assertTrue(told.compareTo(Duration.ofSeconds(5)) < 0, told.toString());
            yarn.awaitNothingLeft(application);
        }
    }

    /** Y14 and Y27. */
    @Test
    void keepsExecutorsOverKilledRelaysAndTheSecretInTheCredentials() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = rounds(gate, "--conf", "hearth.yarn.maxAppAttempts=4")) {
            List<Gate.Visitor> tasks = tasks(gate);
            String application = yarn.lastApplication();
            List<Long> executors = yarn.processes(application, "executor");
            assertEquals(TASKS, executors.size(), launched::errors);
            for (int attempt = 2; attempt <= 4; attempt++) {
                long relay = yarn.processes(application, "am").get(0);
                long killedAt = System.nanoTime();
                OnYarn.kill(relay);
                String place = "has taken the place of an earlier one";
                int expected = attempt - 1;
                Eventually.until(
                        "relay " + attempt + " has taken its place",
                        () -> launched.errors().split(place, -1).length - 1 == expected,
                        Duration.ofSeconds(60),
                        launched::errors);
                System.out.println(
                        "Y14: relay " + attempt + " has taken its place after " + millisSince(killedAt) + " ms");
            }
            assertEquals(executors, yarn.processes(application, "executor"), "the same executors run");
            requireSecretsNowhereElse(application);
            finish(gate, tasks, launched);
            assertEquals("SUCCEEDED", yarn.reported(application, "finalStatus"));
            yarn.awaitNothingLeft(application);
        }
    }

    /** The secrets in credentials of containers are in no other file of the nodes, and in no process's description. */
    private static void requireSecretsNowhereElse(String application) throws Exception {
        Set<String> secrets = new LinkedHashSet<>();
        Pattern secret = Pattern.compile("hearth\\.authenticate\\.secret.([A-Za-z0-9_-]{43})");
        for (Path file : yarn.filesWith("hearth.order.", file -> file.endsWith("container_tokens"))) {
            Matcher found = secret.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            while (found.find()) {
                secrets.add(found.group(1));
            }
        }
        assertFalse(secrets.isEmpty(), "no secret in any credentials");
        String reported = yarn.lab().page("resourcemanager.webapp.address", "/ws/v1/cluster/apps/" + application);
        assertTrue(reported.contains(application), reported);
        for (String each : secrets) {
            assertFalse(reported.contains(each), reported);
            List<Path> others = yarn.filesWith(
                    each,
                    file -> !file.endsWith("container_tokens")
                            && !file.toString().endsWith(".tokens")
                            && !file.toString().contains("/recovery/"));
            assertEquals(List.of(), others, application);
            try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
                List<Long> showing = processes
                        .map(ProcessHandle::pid)
                        .filter(pid -> (Installation.commandLine(pid) + OnYarn.variables(pid)).contains(each))
                        .toList();
                assertEquals(List.of(), showing);
            }
        }
    }

    /** Y16: a driver that stops for a while changes nothing, one that is killed ends the application. */
    @Test
    void endsTheApplicationAsFailedIfItsDriverIsKilledAndNotIfItStops() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = rounds(gate, "--conf", "hearth.yarn.am.driverTimeout=" + DRIVER_TIMEOUT)) {
            tasks(gate);
            String application = yarn.lastApplication();
            List<Long> executors = yarn.processes(application, "executor");
            Processes.signal("STOP", launched.pid());
            assertFalse(launched.hasEndedWithin(STOPPED), launched::errors);
            assertEquals("RUNNING", yarn.reported(application, "state"));
            Processes.signal("CONT", launched.pid());
            assertFalse(launched.hasEndedWithin(Duration.ofSeconds(2)), launched::errors);
            assertEquals(executors, yarn.processes(application, "executor"), launched::errors);
            long killedAt = System.nanoTime();
            launched.kill();
            yarn.awaitEnd(application);
            System.out.println(
                    "Y16: a driver that stopped for " + STOPPED.toSeconds() + " s went on; one that was killed"
                            + " failed the application after " + millisSince(killedAt) + " ms, with a timeout of "
                            + DRIVER_TIMEOUT);
            assertEquals("FAILED", yarn.reported(application, "finalStatus"));
            assertTrue(
                    yarn.reported(application, "diagnostics").contains("hearth.yarn.am.driverTimeout"),
                    yarn.reported(application, "diagnostics"));
            yarn.awaitNothingLeft(application);
        }
    }

    /** Y13. */
    @Test
    void keepsExecutorsOverARestartOfTheResourceManager() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = rounds(gate, "--conf", UNMANAGED)) {
            List<Gate.Visitor> tasks = tasks(gate);
            String application = yarn.lastApplication();
            List<Long> executors = yarn.processes(application, "executor");
            yarn.lab().kill(HadoopLab.RESOURCE_MANAGER);
            yarn.lab().startDaemon(HadoopLab.RESOURCE_MANAGER);
            Eventually.until(
                    "the application runs again",
                    () -> yarn.reported(application, "state").equals("RUNNING"),
                    OnYarn.BOUND,
                    launched::errors);
            assertEquals(executors, yarn.processes(application, "executor"));
            finish(gate, tasks, launched);
            yarn.awaitEnd(application);
            assertEquals("SUCCEEDED", yarn.reported(application, "finalStatus"), launched::errors);
        }
    }

    /** Y11. */
    @Test
    void keepsExecutorsOverARestartOfTheNodeManager() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = rounds(gate, "--conf", UNMANAGED)) {
            List<Gate.Visitor> tasks = tasks(gate);
            String application = yarn.lastApplication();
            List<Long> executors = yarn.processes(application, "executor");
            yarn.lab().kill(HadoopLab.nodeManager(1));
            yarn.lab().startDaemon(HadoopLab.nodeManager(1));
            yarn.lab().awaitReady();
            assertEquals(executors, yarn.processes(application, "executor"));
            finish(gate, tasks, launched);
            yarn.awaitEnd(application);
            assertEquals("SUCCEEDED", yarn.reported(application, "finalStatus"), launched::errors);
        }
    }
}
