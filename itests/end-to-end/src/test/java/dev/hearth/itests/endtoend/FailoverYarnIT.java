package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.GatedRounds;
import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Applications on a real YARN with two ResourceManagers, of which one takes the place of the other (row Y13). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class FailoverYarnIT {
    private static final int TASKS = 2;
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    static Path scratch;

    private static OnYarn yarn;

    @BeforeAll
    static void start() throws Exception {
        yarn = OnYarn.start(scratch, HadoopLab.Plan.ofYarn(1).withStandby(scratch.resolve("states")));
    }

    @AfterAll
    static void stop() {
        if (yarn != null) {
            yarn.close();
        }
    }

    /** The application has a relay, so that both its driver and its application master find the other ResourceManager. */
    @Test
    void keepsExecutorsAndReplacesALostOneWhenAnotherResourceManagerTakesOver() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = yarn.submit(
                        yarn.program(GatedRounds.class, String.valueOf(gate.port()), String.valueOf(TASKS)))) {
            gate.next().pass();
            Gate.Visitor lost = gate.next();
            Gate.Visitor kept = gate.next();
            String application = yarn.lastApplication();
            List<Long> relays = yarn.processes(application, "am");
            yarn.lab().kill(HadoopLab.RESOURCE_MANAGER);
            lost.kill();
            yarn.lab().activate(HadoopLab.STANDBY);
            long activeAt = System.nanoTime();
            Gate.Visitor again = gate.next();
            Duration met = Duration.ofNanos(System.nanoTime() - activeAt);
            System.out.println("Y13: a lost executor is replaced " + met.toMillis()
                    + " ms after another ResourceManager has taken over");
            assertEquals("task", again.who());
            List<Long> executors = yarn.processes(application, "executor");
            assertTrue(executors.contains(kept.pid()), executors + " without " + kept.pid());
            assertEquals(relays, yarn.processes(application, "am"));
            gate.open();
            again.pass();
            kept.pass();
            assertEquals(0, launched.status(), launched::errors);
            assertTrue(launched.output().contains("sums are 3 and 1"), launched.output() + launched.errors());
            Eventually.until(
                    "the second ResourceManager knows the end",
                    () -> yarn.reportedByStandby(application, "finalStatus").equals("SUCCEEDED"),
                    BOUND,
                    launched::errors);
            yarn.awaitNothingLeft(application);
        }
    }
}
