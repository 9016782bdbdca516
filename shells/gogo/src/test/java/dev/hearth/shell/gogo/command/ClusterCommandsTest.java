package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.ScriptedCluster;
import dev.hearth.testkit.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code hearth:workers} with a scripted cluster. */
@Timeout(30)
class ClusterCommandsTest {
    private final ScriptedCluster cluster = new ScriptedCluster();
    private final ClusterAccess clusters = new ClusterAccess();
    private final ClusterCommands commands = new ClusterCommands(clusters);
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session =
            new CommandProcessorImpl(null).createSession(InputStream.nullInputStream(), out, out);

    ClusterCommandsTest() {
        session.put(CommandCall.WIDTH, 200);
        clusters.managers = (master, holder) -> PinnedManager.forEver(cluster);
        clusters.rpcs = new Simulation(1).process("shell").factory();
        clusters.kernel = new Kernels.Info(Settings.empty().with("test", "hearth.master", "hearth://default:7077"));
    }

    /** View with two workers; {@code master} is empty unless it is that of this process. */
    private record Workers(Optional<MasterUrl> own) implements ClusterView {
        @Override
        public CompletionStage<ClusterListing<WorkerEntry>> workers() {
            WorkerEntry alive = new WorkerEntry(
                    "worker-1",
                    "10.0.0.1",
                    7_078,
                    WorkerEntry.State.ALIVE,
                    OptionalInt.of(4),
                    OptionalInt.of(3),
                    OptionalLong.of(4_096),
                    OptionalLong.of(1_536),
                    List.of(new ResourceInformation("gpu", List.of("0", "1"))),
                    List.of(new ResourceInformation("gpu", List.of("1"))),
                    OptionalLong.of(2_345),
                    OptionalInt.of(2),
                    OptionalInt.of(0),
                    Map.of());
            return CompletableFuture.completedStage(
                    ClusterListing.of(List.of(alive, WorkerEntry.of("worker-2", "h", WorkerEntry.State.DEAD))));
        }
    }

    @Test
    void listsTheWorkersOfACluster() throws Exception {
        cluster.show(new Workers(Optional.empty()));
        commands.workers(session, words("--master", "hearth://h:7077"));
        assertEquals("view hearth://h:7077", cluster.asked());
        assertEquals("""
                worker    address        state  cores  memory    resources  heartbeat  executors  drivers
                worker-1  10.0.0.1:7078  alive  3/4    1536m/4g  gpu 1/2    2.3s ago   2          0
                worker-2  h              dead
                """, text());
        output.reset();
        commands.workers(session, words("--state=DEAD"));
        assertEquals("view hearth://default:7077", cluster.asked());
        assertTrue(!text().contains("worker-1") && text().contains("worker-2"), this::text);
    }

    @Test
    void writesNumbersWithTheirUnitsAndNullsAsJson() throws Exception {
        cluster.show(new Workers(Optional.empty()));
        commands.workers(session, words("--json"));
        assertEquals(
                "[{\"worker\":\"worker-1\",\"address\":\"10.0.0.1:7078\",\"state\":\"alive\",\"coresUsed\":3,\"cores\":4,"
                        + "\"memoryUsedMebibytes\":1536,\"memoryMebibytes\":4096,\"resources\":{\"gpu\":[\"0\",\"1\"]},"
                        + "\"resourcesUsed\":{\"gpu\":[\"1\"]},\"heartbeatAgeMillis\":2345,\"executors\":2,\"drivers\":0},"
                        + "{\"worker\":\"worker-2\",\"address\":\"h\",\"state\":\"dead\",\"coresUsed\":null,\"cores\":null,"
                        + "\"memoryUsedMebibytes\":null,\"memoryMebibytes\":null,\"resources\":{},\"resourcesUsed\":{},"
                        + "\"heartbeatAgeMillis\":null,\"executors\":null,\"drivers\":null}]\n",
                text());
    }

    @Test
    void asksNoManagerInAProcessOfTheCluster() throws Exception {
        clusters.addView(ClusterView.NONE);
        clusters.addView(new Workers(Optional.of(MasterUrl.parse("hearth://own:7077"))));
        commands.workers(session, words());
        assertEquals("", cluster.asked());
        assertTrue(text().contains("worker-1"), this::text);
        output.reset();
        cluster.show(ClusterView.NONE);
        commands.workers(session, words("--master", "hearth://h:7077"));
        assertEquals("this cluster manager cannot list workers of its cluster\n", text());
        output.reset();
        commands.workers(session, words("--master", "hearth://h:7077", "--json"));
        assertEquals("null\n", text());
    }

    @Test
    void refusesAnUnknownStateAndAMissingMaster() {
        assertRefused("hearth:workers: state 'lost' (expected: one of [unknown, alive, dead,", "--state", "lost");
        assertRefused("option --state without a value (expected: --state VALUE)", "--state");
        assertRefused(
                "unknown option '--stat' (expected: one of --state VALUE, --master VALUE, --json)", "--stat", "dead");
        clusters.kernel = new Kernels.Info(Settings.empty());
        assertRefused("no master (expected: --master URL, the setting hearth.master, or a process of the cluster");
    }

    private void assertRefused(String reason, String... words) {
        HearthException refused = assertThrows(HearthException.class, () -> commands.workers(session, words));
        assertTrue(refused.getMessage().contains(reason), refused::getMessage);
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private static String[] words(String... words) {
        return words;
    }
}
