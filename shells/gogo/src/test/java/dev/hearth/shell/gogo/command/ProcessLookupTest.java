package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.ScriptedCluster;
import dev.hearth.testkit.Simulation;
import java.io.InputStream;
import java.io.OutputStream;
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

/** The driver that an id names: {@code hearth exec --to ID}. */
@Timeout(30)
class ProcessLookupTest {
    private final ScriptedCluster cluster = new ScriptedCluster();
    private final ClusterAccess clusters = new ClusterAccess();
    private final CommandSession session = new CommandProcessorImpl(null)
            .createSession(
                    InputStream.nullInputStream(), OutputStream.nullOutputStream(), OutputStream.nullOutputStream());

    ProcessLookupTest() {
        clusters.managers = (master, holder) -> PinnedManager.forEver(cluster);
        clusters.rpcs = new Simulation(1).process("shell").factory();
        clusters.kernel = new Kernels.Info(Settings.empty().with("test", "hearth.master", "hearth://h:7077"));
        cluster.show(new ClusterView() {
            @Override
            public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
                return CompletableFuture.completedStage(ClusterListing.of(List.of(
                        application("app-1-0000", ApplicationEntry.State.RUNNING, "10.0.0.1:4040", Optional.empty()),
                        application("app-1-0001", ApplicationEntry.State.FINISHED, "10.0.0.2:4040", Optional.empty()),
                        application("app-2-0000", ApplicationEntry.State.RUNNING, "", Optional.empty()),
                        application(
                                "app-3-0000",
                                ApplicationEntry.State.RUNNING,
                                "10.0.0.3:4040",
                                Optional.of(new SubmissionId("driver-1-0000"))))));
            }

            @Override
            public CompletionStage<ClusterListing<DriverEntry>> drivers() {
                return CompletableFuture.completedStage(ClusterListing.of(List.of(
                        DriverEntry.of(new SubmissionId("driver-1-0000"), SubmissionState.RUNNING),
                        DriverEntry.of(new SubmissionId("driver-2-0000"), SubmissionState.SUBMITTED))));
            }
        });
    }

    @Test
    void findsTheDriverOfAnApplicationOrASubmission() throws Exception {
        assertEquals(new RpcAddress("10.0.0.1", 4040), shell("app-1-0000"));
        assertEquals(new RpcAddress("10.0.0.3", 4040), shell("app-3"));
        assertEquals(new RpcAddress("10.0.0.3", 4040), shell("driver-1"));
        assertEquals(new RpcAddress("10.0.0.1", 4040), shell("app-1"), "the other one has ended");
        assertEquals("view hearth://h:7077", cluster.asked());
    }

    @Test
    void explainsWhyThereIsNoShell() {
        assertRefused("'app-' is the beginning of 4 ids (expected: of one), [app-1-0000, app-1-0001, app-2", "app-");
        assertRefused("'x': no application or driver of this cluster (expected: one of [app-1-0000, app-1-0001, ", "x");
        assertRefused("application app-1-0001: FINISHED (expected: one that runs); 'hearth logs", "app-1-0001");
        assertRefused("application app-2-0000: the cluster does not tell the address of its driver", "app-2");
        assertRefused("driver driver-2-0000: SUBMITTED, and no application of it is registered", "driver-2");
        cluster.show(ClusterView.NONE);
        assertRefused("'x': no application or driver of this cluster (expected: one; it has none)", "x");
        clusters.kernel = new Kernels.Info(Settings.empty());
        assertRefused("no master (expected: --master URL", "x");
    }

    private RpcAddress shell(String id) throws InterruptedException {
        return clusters.shell(session, id, Optional.empty());
    }

    private void assertRefused(String part, String id) {
        HearthException failure = assertThrows(HearthException.class, () -> shell(id));
        assertTrue(String.valueOf(failure.getMessage()).contains(part), failure::getMessage);
    }

    private static ApplicationEntry application(
            String id, ApplicationEntry.State state, String driver, Optional<SubmissionId> submission) {
        return new ApplicationEntry(
                new ApplicationId(id),
                "sum",
                "",
                state,
                "",
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                driver,
                submission,
                Map.of());
    }
}
