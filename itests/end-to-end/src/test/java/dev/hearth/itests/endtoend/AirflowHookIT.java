package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows {@code bin/spark-submit} as Airflow's hook does. The hook takes the first match of an expression in standard
 * output and standard error as the id, asks for the state by the same script or by curl until the driver has ended, and
 * kills by the script.
 */
@Timeout(300)
class AirflowHookIT {
    private static final Pattern DRIVER_ID = Pattern.compile("driver-[0-9\\-]+");
    private static final List<String> ENDED = List.of("FINISHED", "UNKNOWN", "KILLED", "FAILED", "ERROR");
    private static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";
    private static final String EXITS = "dev.hearth.itests.endtoend.app.ExitsWith";

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static RestCluster cluster;
    private Gate gate;

    @BeforeAll
    static void install() throws IOException {
        installation = Installation.in(scratch);
        cluster = RestCluster.start(installation);
    }

    @AfterAll
    static void leaveNothing() throws InterruptedException {
        if (cluster != null) {
            cluster.close();
            Processes.waitForTheEndOf(installation.processes());
        }
    }

    @BeforeEach
    void open() throws IOException {
        gate = new Gate();
    }

    @AfterEach
    void close() throws IOException {
        gate.close();
    }

    @Test
    void followsADriverAndKillsOneByTheScript() throws Exception {
        String id = submit(cluster.own(), GATED, String.valueOf(gate.port()), "1");
        assertFalse(ENDED.contains(state(script(cluster.own(), "--status", id))));
        gate.next().pass();
        gate.next().pass();
        assertEquals("FINISHED", followed(cluster.own(), id));

        String killed = submit(cluster.own(), GATED, String.valueOf(gate.port()), "1");
        gate.next();
        script(cluster.own(), "--kill", killed);
        assertEquals("KILLED", followed(cluster.own(), killed));
    }

    @Test
    @EnabledIfSystemProperty(named = "hearth.field", matches = "true")
    void readsAFailureByTheScriptAndByCurl() throws Exception {
        String id = submit(cluster.own(), EXITS, "3");
        assertEquals("FAILED", followed(cluster.own(), id));
        assertEquals("FAILED", state(curl(id)));
        assertEquals("UNKNOWN", state(curl("driver-20200101000000-0000")));
    }

    @Test
    @EnabledIfSystemProperty(named = "hearth.field", matches = "true")
    void findsTheIdAlsoInVerboseOutput() throws Exception {
        String id = submit(cluster.own(), "--verbose", EXITS, "0");
        assertTrue(Pattern.matches("driver-\\d{14}-\\d{4}", id), id);
        assertEquals("FINISHED", followed(cluster.own(), id));
        assertEquals("FINISHED", state(curl(id)));
    }

    /** Submits as the hook does, and returns the id that it would find. */
    private static String submit(String master, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(more));
        List<String> command = new ArrayList<>(List.of(spark(), "--master", master));
        command.addAll(List.of("--conf", "spark.ui.enabled=false", "--executor-cores", "1", "--driver-memory", "512m"));
        command.addAll(List.of("--name", "airflow-spark"));
        if (words.remove("--verbose")) {
            command.add("--verbose");
        }
        command.addAll(List.of("--class", words.remove(0), "--deploy-mode", "cluster"));
        command.add(installation.applications().toString());
        command.addAll(words);
        String output = run(command);
        for (String line : output.lines().toList()) {
            Matcher id = DRIVER_ID.matcher(line.strip());
            if (id.find()) {
                return id.group();
            }
        }
        throw new AssertionError("no id in " + output);
    }

    /** Asks until the driver has ended. */
    private static String followed(String master, String id) throws Exception {
        String state;
        do {
            state = state(script(master, "--status", id));
        } while (!ENDED.contains(state));
        return state;
    }

    private static String script(String master, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(spark(), "--master", master));
        command.addAll(List.of(more));
        return run(command);
    }

    private static String curl(String id) throws Exception {
        return run(List.of("curl", "--max-time", "30", cluster.http() + "/v1/submissions/status/" + id));
    }

    /** The state that the hook reads, line by line; empty if it would ask again. */
    private static String state(String output) {
        boolean valid = false;
        String state = "";
        for (String line : output.lines().map(String::strip).toList()) {
            valid |= line.contains("submissionId");
            if (line.contains("driverState")) {
                state = line.split(" : ", -1)[1]
                        .replace(",", "")
                        .replace("\"", "")
                        .strip();
            }
        }
        return valid && state.isEmpty() ? "UNKNOWN" : state;
    }

    private static String spark() {
        return installation.home().resolve("bin").resolve("spark-submit").toString();
    }

    /** Runs a command with both streams in one, as the hook does; it must end with 0. */
    private static String run(List<String> command) throws Exception {
        List<String> merged = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"));
        merged.addAll(command);
        Launched process = Launched.start(scratch, Map.of(), merged);
        assertEquals(0, process.status(), process::output);
        return process.output();
    }
}
