package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.ScriptedCluster;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingApplication;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists of workers, applications, executors and drivers of a scripted cluster. */
@Timeout(30)
class ClusterCommandsTest {
    private final ScriptedCluster cluster = new ScriptedCluster();
    private final ClusterAccess clusters = new ClusterAccess();
    private final List<Long> pauses = new ArrayList<>();
    private Runnable atPause = () -> {};
    private final ClusterCommands commands = new ClusterCommands(clusters, millis -> {
        pauses.add(millis);
        atPause.run();
    });
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
    void decommissionsAWorkerOrAHost() throws Exception {
        ApplicationCommands applications = new ApplicationCommands();
        applications.clusters = clusters;
        List<String> asked = new ArrayList<>();
        cluster.show(new ClusterView() {
            @Override
            public CompletionStage<List<String>> decommission(List<String> targets, String reason) {
                asked.add(targets + " " + reason);
                return CompletableFuture.completedStage(targets.contains("h") ? List.of("worker-2") : List.of());
            }
        });
        applications.decommission(session, words("h", "--reason", "new disk", "--master", "hearth://h:7077"));
        assertEquals("view hearth://h:7077", cluster.asked());
        assertEquals("""
                worker    state
                worker-2  decommissioned
                """, text());
        HearthException unknown =
                assertThrows(HearthException.class, () -> applications.decommission(session, words("nowhere")));
        assertTrue(
                String.valueOf(unknown.getMessage())
                        .contains("worker or host 'nowhere' (expected: one of those that 'workers' lists)"),
                unknown::getMessage);
        assertEquals(List.of("[h] new disk", "[nowhere] decommissioned from the shell"), asked);
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
    void asksTheClusterOfTheApplicationOfThisProcess() throws Exception {
        cluster.show(new Workers(Optional.empty()));
        TestingApplication application = new TestingApplication("app-1");
        clusters.applications = () -> List.of(application, new TestingApplication("app-2"));
        commands.workers(session, words());
        assertEquals("view local[2]", cluster.asked(), "the master of both");
        commands.workers(session, words("--master", "hearth://h:7077"));
        assertEquals("view hearth://h:7077", cluster.asked());
        clusters.applications = List::of;
        commands.workers(session, words());
        assertEquals("view hearth://default:7077", cluster.asked());
    }

    @Test
    void refusesAnUnknownStateAndAMissingMaster() {
        assertRefused("hearth:workers: state 'lost' (expected: one of [unknown, alive, dead,", "--state", "lost");
        assertRefused("option --state without a value (expected: --state VALUE)", "--state");
        assertRefused(
                "unknown option '--stat' (expected: one of --state VALUE, --master VALUE, --watch, --times VALUE,",
                "--stat",
                "dead");
        assertRefused("option --times alone (expected: with --watch)", "--times", "3");
        assertRefused("--times 'x' (expected: a number, 1 or more)", "--watch", "--times", "x");
        clusters.kernel = new Kernels.Info(Settings.empty());
        assertRefused("no master (expected: --master URL, the setting hearth.master, or a process of the cluster");
    }

    @Test
    void listsApplicationsByStateAndUser() throws Exception {
        cluster.show(new RunningCluster());
        commands.applications(session, words());
        assertEquals("""
                application  name  user  state    cores  memory  executors  submitted             duration  driver    message
                app-1        pi    ann   failed   0      1g      0          2026-01-01T00:00:00Z  1m 5s     h:4040    its driver is lost
                app-2        sum   bob   running  4      1g      2          2026-01-01T00:00:00Z  1m 5s     driver-2
                """, text());
        output.reset();
        commands.applications(session, words("--state", "running", "--json"));
        assertEquals(
                "[{\"application\":\"app-2\",\"name\":\"sum\",\"user\":\"bob\",\"state\":\"running\",\"cores\":4,"
                        + "\"memoryPerExecutorMebibytes\":1024,\"executors\":2,\"submittedMillis\":1767225600000,"
                        + "\"endedMillis\":null,\"durationMillis\":65000,\"driverAddress\":\"h:4041\","
                        + "\"driver\":\"driver-2\",\"message\":\"\"}]\n",
                text());
        output.reset();
        commands.applications(session, words("--user", "ann"));
        assertTrue(text().contains("app-1") && !text().contains("app-2"), this::text);
    }

    @Test
    void listsExecutorsOfAnApplicationAndEndedOnesIfAsked() throws Exception {
        cluster.show(new RunningCluster());
        commands.executors(session, words("app-2"));
        assertEquals("""
                application  executor  worker    host  state    cores  memory  resources  started               exitStatus  log                  message
                app-2        1         worker-1  h     running  2      512m    gpu=0, 1   2026-01-01T00:00:00Z              file://h/a/1/stderr
                """, text());
        output.reset();
        commands.executors(session, words("--application", "app-2", "--all", "--json"));
        assertTrue(
                text().startsWith("[{\"application\":\"app-2\",\"executor\":\"0\",\"worker\":\"\",\"host\":\"h\","
                        + "\"state\":\"exited\",\"cores\":null,\"memoryMebibytes\":null,\"resources\":{},"
                        + "\"startedMillis\":null,\"endedMillis\":null,\"exitStatus\":null,\"logs\":{},"),
                this::text);
        output.reset();
        commands.executors(session, words("app-1"));
        assertEquals("no executor runs; --all lists ended ones\n", text());
    }

    @Test
    void listsDrivers() throws Exception {
        cluster.show(new RunningCluster());
        commands.drivers(session, words());
        assertEquals("""
                driver    name  state      attempt  worker  host  mainClass  cores  memory  submitted  started  ended  exitStatus  message
                driver-2        submitted
                """, text());
        output.reset();
        commands.drivers(session, words("--state", "running", "--json"));
        assertEquals("[]\n", text());
    }

    @Test
    void showsEachChangeAndNoneOfTheTimeAlone() throws Exception {
        List<WorkerEntry> workers = new ArrayList<>(List.of(WorkerEntry.of("w-1", "h", WorkerEntry.State.ALIVE)));
        AtomicLong asked = new AtomicLong();
        cluster.show(new ClusterView() {
            @Override
            public CompletionStage<ClusterListing<WorkerEntry>> workers() {
                long age = asked.incrementAndGet();
                return CompletableFuture.completedStage(ClusterListing.of(workers.stream()
                        .map(worker -> new WorkerEntry(
                                worker.id(),
                                worker.host(),
                                0,
                                worker.state(),
                                worker.cores(),
                                worker.coresUsed(),
                                worker.memoryMebibytes(),
                                worker.memoryUsedMebibytes(),
                                List.of(),
                                List.of(),
                                OptionalLong.of(age),
                                worker.executors(),
                                worker.drivers(),
                                Map.of()))
                        .toList()));
            }
        });
        atPause = () -> {
            if (pauses.size() == 3) {
                workers.add(WorkerEntry.of("w-2", "h", WorkerEntry.State.ALIVE));
            }
        };
        commands.workers(session, words("--watch", "--times", "2"));
        assertEquals(List.of(1_000L, 1_000L, 1_000L), pauses);
        assertEquals(2, text().split("\n\n", -1).length, this::text);
        assertTrue(text().indexOf("w-2") > text().indexOf("\n\n"), this::text);
        output.reset();
        pauses.clear();
        commands.workers(session, words("--watch", "--times=1", "--json"));
        assertEquals(1, text().lines().count(), this::text);
    }

    /** View with two applications, two executors of the second one, and its driver. */
    private static final class RunningCluster implements ClusterView {
        @Override
        public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
            return CompletableFuture.completedStage(ClusterListing.of(List.of(
                    application("app-1", "pi", "ann", ApplicationEntry.State.FAILED, 0, Optional.empty()),
                    application(
                            "app-2",
                            "sum",
                            "bob",
                            ApplicationEntry.State.RUNNING,
                            2,
                            Optional.of(new SubmissionId("driver-2"))))));
        }

        private static ApplicationEntry application(
                String id,
                String name,
                String user,
                ApplicationEntry.State state,
                int executors,
                Optional<SubmissionId> driver) {
            return new ApplicationEntry(
                    new ApplicationId(id),
                    name,
                    user,
                    state,
                    state.isFinal() ? "its driver is lost" : "",
                    OptionalInt.of(executors * 2),
                    OptionalLong.of(1_024),
                    OptionalInt.of(executors),
                    OptionalLong.of(Kernels.STARTED.toEpochMilli()),
                    OptionalLong.empty(),
                    OptionalLong.of(65_000),
                    driver.isPresent() ? "h:4041" : "h:4040",
                    driver,
                    Map.of());
        }

        @Override
        public CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
            ApplicationId id = new ApplicationId("app-2");
            List<ExecutorEntry> both = List.of(
                    ExecutorEntry.of(id, new ExecutorId("0"), "h", ExecutorEntry.State.EXITED),
                    new ExecutorEntry(
                            id,
                            new ExecutorId("1"),
                            "worker-1",
                            "h",
                            ExecutorEntry.State.RUNNING,
                            "",
                            OptionalInt.of(2),
                            OptionalLong.of(512),
                            List.of(new ResourceInformation("gpu", List.of("0", "1"))),
                            OptionalLong.of(Kernels.STARTED.toEpochMilli()),
                            OptionalLong.empty(),
                            OptionalInt.empty(),
                            Map.of("stderr", "file://h/a/1/stderr", "stdout", "file://h/a/1/stdout"),
                            Map.of()));
            return CompletableFuture.completedStage(
                    ClusterListing.of(application.equals(Optional.of(id)) ? both : List.of()));
        }

        @Override
        public CompletionStage<ClusterListing<DriverEntry>> drivers() {
            return CompletableFuture.completedStage(ClusterListing.of(
                    List.of(DriverEntry.of(new SubmissionId("driver-2"), SubmissionState.SUBMITTED))));
        }
    }

    @Test
    void completesIdsFromTheMasterAndStates() {
        CompletionCommand completion = new CompletionCommand();
        completion.clusters = clusters;
        cluster.show(new RunningCluster());
        TreeMap<String, String> described = new TreeMap<>(Map.of(
                "hearth:kill", "", "hearth:executors", "executors [APPLICATION]\nSTATE: running, exited, lost."));
        assertEquals(Set.of("app-1", "app-2"), completion.candidates("kill app", described));
        assertEquals(Set.of("driver-2"), completion.candidates("kill d", described));
        assertEquals(Set.of("app-1", "app-2"), completion.candidates("executors --application ", described));
        assertEquals(Set.of("running"), completion.candidates("executors --state r", described));
        clusters.kernel = new Kernels.Info(Settings.empty());
        assertEquals(Set.of(), completion.candidates("kill d", described), "no cluster is known");
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
