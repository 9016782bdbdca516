package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.ScriptedCluster;
import dev.hearth.testkit.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code hearth:status} and {@code kill} with a scripted cluster. */
@Timeout(30)
class SubmissionCommandsTest {
    private final ScriptedCluster cluster = new ScriptedCluster();
    private final ClusterAccess clusters = new ClusterAccess();
    private final SubmissionCommands commands = new SubmissionCommands(clusters);
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session =
            new CommandProcessorImpl(null).createSession(InputStream.nullInputStream(), out, out);

    SubmissionCommandsTest() {
        clusters.managers = (master, holder) -> PinnedManager.forEver(cluster);
        clusters.rpcs = new Simulation(1).process("shell").factory();
        clusters.kernel = new Kernels.Info(Settings.empty().with("test", "hearth.master", "hearth://default:7077"));
    }

    @Test
    void showsTheStateOfASubmission() throws Exception {
        cluster.end(SubmissionState.FAILED, OptionalInt.of(3), "worker is lost", "", "");
        commands.status(session, words("driver-1", "hearth://h:7077"));
        assertEquals("status driver-1 hearth://h:7077", cluster.asked());
        assertEquals("""
                submission  driver-1
                state       failed
                host        worker w-1 at host:7078
                exitStatus  3
                message     worker is lost
                """, text());
    }

    @Test
    void asksTheMasterOfTheSettingsWhenNoneIsGiven() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        commands.status(session, words("driver-1", "--json"));
        assertEquals("status driver-1 hearth://default:7077", cluster.asked());
        assertTrue(text().startsWith("{\"submission\":\"driver-1\",\"state\":\"running\""), this::text);
    }

    @Test
    void killsWhatRunsAndSaysWhenNothingDoes() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        commands.kill(session, words("driver-1"));
        assertEquals("kill driver-1 hearth://default:7077", cluster.asked());
        assertEquals("driver-1: was RUNNING; kill requested\n", text());
        output.reset();
        cluster.then(SubmissionState.FINISHED);
        commands.kill(session, words("driver-1"));
        assertEquals("driver-1: was FINISHED; nothing to kill\n", text());
    }

    @Test
    void showsAndKillsAnApplicationByItsId() throws Exception {
        ApplicationId id = new ApplicationId("app-1");
        List<String> killed = new ArrayList<>();
        cluster.refuse(ErrorCode.SUBMISSION_UNKNOWN.failure("submission app-1: not known"));
        cluster.show(new ClusterView() {
            @Override
            public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
                return CompletableFuture.completedStage(
                        ClusterListing.of(List.of(ApplicationEntry.of(id, "pi", ApplicationEntry.State.RUNNING))));
            }

            @Override
            public CompletionStage<ApplicationEntry> kill(ApplicationId application, String reason) {
                killed.add(application + " " + reason);
                return CompletableFuture.completedStage(ApplicationEntry.of(id, "pi", ApplicationEntry.State.RUNNING));
            }
        });
        commands.status(session, words("app-1", "--json"));
        assertTrue(
                text().startsWith("{\"application\":\"app-1\",\"name\":\"pi\",\"user\":\"\",\"state\":\"running\""),
                this::text);
        output.reset();
        commands.kill(session, words("app-1", "--master", "hearth://h:7077"));
        assertEquals("view hearth://h:7077", cluster.asked());
        assertEquals("app-1: was RUNNING; kill requested\n", text());
        assertEquals(List.of("app-1 from the shell, by " + System.getProperty("user.name")), killed);
        HearthException unknown = assertThrows(HearthException.class, () -> commands.kill(session, words("app-2")));
        assertEquals("submission app-1: not known", unknown.getMessage());
    }

    @Test
    void listsAllThatMatchAPattern() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        cluster.end(SubmissionState.FAILED, OptionalInt.of(3), "worker is lost", "", "");
        commands.status(session, words("driver-*", "hearth://h:7077"));
        assertEquals("""
                submission  state    host                    exitStatus  message
                driver-1    running  worker w-1 at host:7078
                driver-1    failed   worker w-1 at host:7078 3           worker is lost
                """.replaceAll(" +", " "), text().replaceAll(" +\n", "\n").replaceAll(" +", " "));
        output.reset();
        commands.kill(session, words("driver-?"));
        assertEquals("driver-1: was RUNNING; kill requested\ndriver-1: was FAILED; nothing to kill\n", text());
        output.reset();
        commands.status(session, words("none-*"));
        assertEquals("no submission matches none-*\n", text());
    }

    @Test
    void refusesAWrongIdAndAMissingMaster() {
        clusters.kernel = new Kernels.Info(Settings.empty());
        assertRefused("argument 1 missing (expected: submission)");
        assertRefused("SubmissionId: '../x' (expected: 1 to 320 letters", "../x");
        assertRefused("no master (expected: --master URL, the setting hearth.master, or a process", "driver-1");
        assertRefused("master URL: '//' (expected: ", "driver-1", "//");
    }

    private void assertRefused(String reason, String... words) {
        HearthException refused = assertThrows(HearthException.class, () -> commands.status(session, words));
        assertTrue(refused.getMessage().contains(reason), refused::getMessage);
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private static String[] words(String... words) {
        return words;
    }
}
