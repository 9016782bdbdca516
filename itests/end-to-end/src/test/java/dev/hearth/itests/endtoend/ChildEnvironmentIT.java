package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Environments of executors and of drivers in cluster mode: no secret of the cluster, but the user's variables. */
@Timeout(180)
class ChildEnvironmentIT {
    private static final String SECRET = "the-secret-of-the-cluster-0123456789";
    private static final String TOKEN = "the-token-of-the-pages-0123456789";
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "HEARTH_AUTHENTICATE_SECRET",
            SECRET,
            "TEAM_WORD",
            TOKEN,
            "COPY_OF_IT",
            "--with=" + SECRET,
            "HEARTH_JAVA_OPTS",
            "-Dteam.word=" + TOKEN,
            "TEAM_COLOUR",
            "blue");
    private static final String TYPE = "dev.hearth.itests.endtoend.app.ShowsEnvironment";

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Cluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        installation = Installation.in(scratch);
        Files.writeString(installation.home().resolve("conf/hearth-defaults.conf"), """
                hearth.authenticate true
                hearth.rest.token ${env:TEAM_WORD}
                """);
        cluster = Cluster.start(installation, ENVIRONMENT);
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "cluster"})
    void holdNoSecretOfAStandaloneCluster(String mode) throws Exception {
        assertClean(mode.equals("cluster") ? "driver" : "task", "--master", cluster.url(), "--deploy-mode", mode);
    }

    @Test
    void holdNoSecretOfALocalCluster() throws Exception {
        assertClean("task", "--master", "local-cluster[1,1,256]");
    }

    @Test
    void leavesNoSecretInTheMemoryOfAnExecutor() throws Exception {
        try (Launched submit = installation.submit(
                ENVIRONMENT,
                List.of(
                        "--master",
                        cluster.url(),
                        "--executor-memory",
                        "512m",
                        "--class",
                        "dev.hearth.itests.endtoend.app.SearchesHeap",
                        installation.applications().toString(),
                        new StringBuilder(SECRET).reverse().toString(),
                        new StringBuilder(TOKEN).reverse().toString(),
                        new StringBuilder("TEAM_COLOUR").reverse().toString()))) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("1 found\n", submit.output(), "the variable of the user alone");
        }
    }

    private void assertClean(String shown, String... flags) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(flags));
        arguments.addAll(List.of("--driver-memory", "256m", "--executor-memory", "256m", "--class", TYPE));
        arguments.addAll(List.of(installation.applications().toString(), shown));
        try (Launched submit = installation.submit(ENVIRONMENT, arguments)) {
            assertEquals(0, submit.status(), submit::errors);
            String output = submit.output();
            assertTrue(output.contains("complete"), output);
            assertTrue(output.contains(shown + " java TEAM_COLOUR=blue"), output);
            assertTrue(output.contains(shown + " java PATH="), output);
            assertFalse(output.contains(SECRET), output);
            assertFalse(output.contains(TOKEN), output);
            assertFalse(output.contains("TEAM_WORD"), output);
        }
    }
}
