package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.ExitsWith;
import dev.hearth.itests.endtoend.app.GatedSum;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications on a real YARN in cluster mode and in both kinds of client mode, and their ends (rows Y0, Y1 and Y7). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class ModesYarnIT {
    private static final String PI = "dev.hearth.examples.Pi";
    private static final String QUEUE = "thequeue";
    private static final String SCHEDULER = "capacity-scheduler.xml";

    @TempDir
    static Path scratch;

    private static OnYarn yarn;

    /** Ways in which an application runs. */
    enum Mode {
        UNMANAGED("--deploy-mode client --conf hearth.yarn.unmanagedAM.enabled=true"),
        RELAYED("--deploy-mode client"),
        CLUSTER("--deploy-mode cluster");

        private final String line;

        Mode(String line) {
            this.line = line;
        }

        String[] arguments() {
            return line.split(" ", -1);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        HadoopLab.Plan plan =
                HadoopLab.Plan.ofYarn(1).with(SCHEDULER, "yarn.scheduler.capacity.root.queues", "default," + QUEUE);
        for (String queue : List.of("default", QUEUE)) {
            String prefix = "yarn.scheduler.capacity.root." + queue + ".";
            plan = plan.with(SCHEDULER, prefix + "capacity", "50")
                    .with(SCHEDULER, prefix + "maximum-capacity", "100")
                    .with(SCHEDULER, prefix + "user-limit-factor", "2")
                    .with(SCHEDULER, prefix + "state", "RUNNING");
        }
        yarn = OnYarn.start(scratch, plan);
    }

    @AfterAll
    static void stop() {
        if (yarn != null) {
            yarn.close();
        }
    }

    private static String logs(String application) throws Exception {
        return yarn.filesWith("", file -> file.toString().contains(application) && file.endsWith("stdout")).stream()
                .map(ModesYarnIT::text)
                .reduce("", String::concat);
    }

    private static String text(Path file) {
        try {
            return java.nio.file.Files.readString(file);
        } catch (java.io.IOException gone) {
            return "";
        }
    }

    /** Y1. */
    @ParameterizedTest
    @EnumSource
    void runsPiAndLeavesNothing(Mode mode) throws Exception {
        try (Launched pi = yarn.submit(OnYarn.join(
                mode.arguments(),
                new String[] {"--class", PI, yarn.installation().examples().toString(), "4"}))) {
            assertEquals(0, pi.status(), pi::errors);
            String application = yarn.lastApplication();
            yarn.awaitEnd(application);
            assertEquals("SUCCEEDED", yarn.reported(application, "finalStatus"), pi::errors);
            String printed = mode == Mode.CLUSTER ? logs(application) : pi.output();
            assertTrue(printed.contains("Pi is roughly 3.138"), printed + pi.errors());
            yarn.awaitNothingLeft(application);
            assertEquals(1, yarn.attempts(application));
            assertEquals(
                    "",
                    yarn.lab()
                            .dfs("-ls", "-R", "/user")
                            .lines()
                            .filter(line -> line.contains(".hearthStaging/" + application))
                            .reduce("", String::concat));
        }
    }

    /** Y0: the command of Spark's guide, with an event log on HDFS; its sizes are smaller. Y31: with a timeline service. */
    @Test
    void runsTheCommandOfSparksGuide() throws Exception {
        yarn.lab().dfs("-mkdir", "-p", "/events");
        try (Launched pi = yarn.submit(
                "--deploy-mode",
                "cluster",
                "--driver-memory",
                "300m",
                "--executor-memory",
                "200m",
                "--executor-cores",
                "1",
                "--queue",
                QUEUE,
                "--conf",
                "spark.eventLog.enabled=true",
                "--conf",
                "spark.eventLog.compress=false",
                "--conf",
                "spark.hadoop.yarn.timeline-service.enabled=true",
                "--conf",
                "spark.eventLog.dir=" + yarn.lab().files() + "/events",
                "--class",
                PI,
                yarn.installation().examples().toString(),
                "10")) {
            assertEquals(0, pi.status(), pi::errors);
            String application = yarn.lastApplication();
            String printed = logs(application);
            assertTrue(printed.contains("Pi is roughly 3.1"), () -> printed + pi.errors());
            assertEquals(QUEUE, yarn.reported(application, "queue").replace("root.", ""));
            String events = yarn.lab().dfs("-cat", "/events/" + application + "*");
            assertEquals(1, events.split("JobEnd", -1).length - 1, events);
            assertTrue(events.contains("ApplicationEnd"), events);
            System.out.println("Y0: right answer in queue " + QUEUE + ", event log of "
                    + events.lines().count() + " lines on HDFS");
        }
    }

    /** Y1 and Y7: the statuses with which a program ends itself. */
    @Test
    void endsWithTheStatusOfTheProgram() throws Exception {
        for (int status : List.of(0, 3)) {
            try (Launched exits = yarn.submit(
                    OnYarn.join(Mode.CLUSTER.arguments(), yarn.program(ExitsWith.class, String.valueOf(status))))) {
                assertEquals(status, exits.status(), exits::errors);
                String application = yarn.lastApplication();
                assertEquals(status == 0 ? "SUCCEEDED" : "FAILED", yarn.reported(application, "finalStatus"));
                assertEquals(1, yarn.attempts(application));
                yarn.awaitNothingLeft(application);
            }
        }
    }

    /** Y7: an exception ends the application at once, and its sentence is at the submitter and in the diagnostics. */
    @Test
    void runsAProgramOnceThatFails() throws Exception {
        try (Launched fails = yarn.submit(OnYarn.join(Mode.CLUSTER.arguments(), new String[] {
            "--class",
            "dev.hearth.examples.Fails",
            yarn.installation().examples().toString()
        }))) {
            assertEquals(1, fails.status(), fails::errors);
            String application = yarn.lastApplication();
            assertEquals("FAILED", yarn.reported(application, "finalStatus"));
            assertEquals(1, yarn.attempts(application));
            assertTrue(fails.errors().contains("boom"), fails::errors);
            assertTrue(
                    yarn.reported(application, "diagnostics").contains("boom"),
                    yarn.reported(application, "diagnostics"));
        }
    }

    /** Y7: with the rule of Spark, an exception leads to the next attempt. */
    @Test
    void runsAProgramAgainThatFailsIfToldSo() throws Exception {
        try (Launched fails = yarn.submit(OnYarn.join(Mode.CLUSTER.arguments(), new String[] {
            "--conf",
            "hearth.yarn.am.retryOn=any",
            "--conf",
            "hearth.yarn.maxAppAttempts=2",
            "--class",
            "dev.hearth.examples.Fails",
            yarn.installation().examples().toString()
        }))) {
            assertEquals(1, fails.status(), fails::errors);
            String application = yarn.lastApplication();
            assertEquals(2, yarn.attempts(application));
            assertEquals("FAILED", yarn.reported(application, "finalStatus"));
        }
    }

    /** Y7: a driver that is killed is started again. */
    @Test
    void runsAKilledDriverAgain() throws Exception {
        try (Gate gate = new Gate();
                Launched killed = yarn.submit(OnYarn.join(
                        Mode.CLUSTER.arguments(), yarn.program(GatedSum.class, String.valueOf(gate.port()), "2")))) {
            Gate.Visitor driver = gate.next();
            driver.kill();
            Gate.Visitor second = gate.next();
            assertEquals("driver", second.who());
            gate.open();
            second.pass();
            assertEquals(0, killed.status(), killed::errors);
            String application = yarn.lastApplication();
            assertEquals(2, yarn.attempts(application));
            assertEquals("SUCCEEDED", yarn.reported(application, "finalStatus"));
            assertTrue(logs(application).contains("sum is 1"), logs(application));
        }
    }
}
