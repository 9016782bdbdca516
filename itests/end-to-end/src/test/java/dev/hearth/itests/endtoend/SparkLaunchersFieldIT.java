package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs with Spark's own launcher, of 3.5 and of 4.2, whose home of Spark is our distribution. */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.field", matches = "true")
class SparkLaunchersFieldIT {
    @TempDir
    static Path scratch;

    private static Installation installation;
    private static ForeignClients clients;
    private Gate gate;

    @BeforeAll
    static void install() throws IOException {
        installation = Installation.in(scratch);
        clients = ForeignClients.in(scratch);
    }

    @BeforeEach
    void open() throws IOException {
        gate = new Gate();
    }

    @AfterEach
    void close() throws IOException {
        gate.close();
    }

    static Stream<String> launchers() {
        return Stream.of(ForeignClients.olderLauncher(), ForeignClients.everything());
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void followsAnApplicationToItsEnd(String launcher) throws Exception {
        Launched program = follow(launcher, "none");
        gate.next().pass();
        gate.next().pass();

        assertStates("CONNECTED id SUBMITTED RUNNING FINISHED", program);
        assertTrue(program.output().lines().toList().get(1).startsWith("local-"), program::output);
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void stopsAnApplication(String launcher) throws Exception {
        Launched program = follow(launcher, "stop");
        gate.next().pass(); // the driver; the program ends the application as soon as it runs

        assertStates("CONNECTED id SUBMITTED RUNNING KILLED", program);
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void killsAnApplication(String launcher) throws Exception {
        Launched program = follow(launcher, "kill");
        gate.next().pass(); // the driver; the program ends the application as soon as it runs

        assertStates("CONNECTED id SUBMITTED RUNNING KILLED", program);
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void losesARequestThatRunsNoApplication(String launcher) throws Exception {
        Launched program = follow(launcher, "version");

        assertEquals(0, program.status(), program::errors);
        List<String> states =
                List.of(program.output().lines().findFirst().orElse("").split(" ", -1));
        assertTrue(List.of("LOST", "FINISHED").contains(states.get(states.size() - 1)), program::output);
    }

    private Launched follow(String launcher, String action) throws IOException {
        return clients.program(
                "FollowsBySparkLauncher",
                launcher,
                installation.home().toString(),
                action,
                "dev.hearth.itests.endtoend.app.GatedSum",
                installation.applications().toString(),
                String.valueOf(gate.port()),
                "1");
    }

    private static void assertStates(String states, Launched program) throws InterruptedException {
        assertEquals(0, program.status(), program::errors);
        assertEquals(states, program.output().lines().findFirst().orElse(""), program::errors);
    }
}
