package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of processes that tasks and drivers forked: with their executor or driver, whatever ends it. */
@Timeout(180)
@EnabledOnOs(value = OS.LINUX, disabledReason = "only /proc shows the processes whose parent has ended")
class ForkedProcessesIT {
    private static final String TYPE = "dev.hearth.itests.endtoend.app.ForksProcesses";

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Cluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        installation = Installation.in(scratch);
        cluster = Cluster.start(installation);
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "cluster"})
    void endWithTheApplication(String mode) throws Exception {
        String shown = mode.equals("cluster") ? "driver" : "task";
        List<ProcessHandle> forked = run(shown, "--master", cluster.url(), "--deploy-mode", mode);
        Processes.waitForTheEndOf(forked);
    }

    @Test
    void endWithAKilledExecutor() throws Exception {
        run("killed", "--master", cluster.url());
    }

    @Test
    void endWithALocalCluster() throws Exception {
        Processes.waitForTheEndOf(run("task", "--master", "local-cluster[1,1,256]"));
        run("killed", "--master", "local-cluster[1,1,256]");
    }

    /** Runs the application; returns those of its forked processes that have not ended with it. */
    private List<ProcessHandle> run(String what, String... flags) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(flags));
        arguments.addAll(List.of("--driver-memory", "256m", "--executor-memory", "256m", "--class", TYPE));
        arguments.addAll(List.of(installation.applications().toString(), what));
        try (Launched submit = installation.submit(arguments.toArray(String[]::new))) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().contains("complete"), submit::output);
            return submit.output()
                    .lines()
                    .filter(line -> line.matches("(task|driver) .*"))
                    .flatMap(line -> Stream.of(line.split(" ", -1)).skip(1))
                    .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                    .toList();
        }
    }
}
