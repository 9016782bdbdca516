package dev.hearth.local.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingDriver;
import dev.hearth.testkit.TestingSubmissionServices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Master URLs, settings and processes of local clusters, with simulated processes. */
class LocalClusterManagerTest {
    private static final Map<ProfileId, Demand> ALL = Map.of(ProfileId.DEFAULT, Demand.ALL);
    private static final MasterUrl TWO = MasterUrl.parse("local-cluster[2,3,512]");

    private final Simulation simulation = new Simulation(1);
    private final Machine machine = new Machine();
    private final List<Runnable> waiting = new ArrayList<>(); // for the thread that starts processes
    private final LocalClusterManager manager = new LocalClusterManager(machine, waiting::add, 42);
    private final Driver driver = new Driver(simulation.process("driver").loop("application"));

    @Test
    void readsAMasterUrl() {
        assertEquals(new LocalClusterUrl(2, 3, 512), LocalClusterUrl.parse(TWO));
        assertEquals(
                new LocalClusterUrl(9999, 1, 32),
                LocalClusterUrl.parse(MasterUrl.parse("local-cluster[ 9999, 1 ,32]")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local-cluster",
                "local-cluster[]",
                "local-cluster[2]",
                "local-cluster[2,1]",
                "local-cluster[0,1,1024]",
                "local-cluster[2,0,1024]",
                "local-cluster[2,1,31]",
                "local-cluster[2,1,1g]",
                "local-cluster[*,1,1024]",
                "local-cluster[2,1,1024,1]",
                "local-cluster[10000,1,1024]",
                "local-cluster[2,1,999999999]",
                "local-cluster://host"
            })
    void rejectsAMalformedMasterUrl(String url) {
        MasterUrl master = MasterUrl.parse(url);
        HearthException failure = assertThrows(HearthException.class, () -> manager.validate(master));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).startsWith("master " + url + ": not a local cluster (expected:"));
        assertEquals(
                ErrorCode.BAD_ARGUMENT.name(),
                failure(manager.open(spec(Map.of()), master, driver)).code());
    }

    @Test
    void acceptsSettingsBelowTheUrlsNumbers() {
        LocalClusterUrl url = LocalClusterUrl.parse(TWO);
        LocalClusterSettings plain = settings(url, Map.of());
        assertEquals(List.of(2, 3, 512, 4), numbers(plain));
        assertTrue(plain.failuresWithin().isEmpty());
        assertEquals(
                List.of(1, 2, 256, 3),
                numbers(settings(
                        url,
                        Map.of(
                                "hearth.executor.memory", "256m",
                                "hearth.executor.cores", "2",
                                "hearth.cores.max", "3"))));
    }

    @Test
    void rejectsSettingsAboveTheUrlsNumbersTogether() {
        HearthException failure = failure(manager.open(
                spec(Map.of("hearth.executor.memory", "1g", "hearth.executor.cores", "4", "hearth.cores.max", "1")),
                TWO,
                driver));
        assertEquals(ErrorCode.BAD_SETTING.name(), failure.code());
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("3 invalid settings:"), message);
        assertTrue(message.contains("hearth.executor.memory: 1g (expected: at most 512m, "), message);
    }

    @Test
    void hasClientModeOnly() {
        assertEquals(Set.of(DeployMode.CLIENT), manager.deployModes());
        assertEquals(Map.of("hearth.executor.cores", "3", "hearth.executor.memory", "512m"), manager.defaults(TWO));
    }

    @Test
    void passesOrdersMemoryAndDirectoryToExecutors() {
        SchedulerBackend backend = open(Map.of("hearth.localCluster.dir", "/w"));
        String id = "local-cluster-" + Simulation.WALL_START.toEpochMilli() + "-42-0";
        assertEquals(id, backend.application().value());
        want(backend);
        assertEquals(2, machine.children.size());
        ChildSpec spec = machine.children.get(1).spec;
        assertEquals("executor", spec.role());
        assertEquals(List.of("-Xmx512m"), spec.jvmOptions());
        assertEquals(Path.of("/w", id, "1"), spec.directory());
        assertEquals("true", spec.orders().get("hearth.authenticate"));
        assertFalse(spec.orders().containsKey("hearth.x"), "the driver sends it to the connected executor");
        assertEquals(
                new ExecutorOrders(new ExecutorId("1"), "127.0.0.1", 3, driver.driverEndpoint()),
                ExecutorOrders.from(spec.orders()));
        assertEquals(List.of("started 0 127.0.0.1 3", "started 1 127.0.0.1 3"), driver.happened);
        assertEquals(Map.of("APP_ID", id, "EXECUTOR_ID", "1"), driver.lastStart.attributes());
        String logs = "file://127.0.0.1/w/" + id + "/1/";
        assertEquals(Map.of("stderr", logs + "stderr", "stdout", logs + "stdout"), driver.lastStart.logs());
    }

    @Test
    void startsExecutorsOfTheSizesOfTheirProfiles() {
        SchedulerBackend backend = open(Map.of("hearth.localCluster.dir", "/w"));
        ProfileId small = new ProfileId(1);
        ProfileId large = new ProfileId(2);
        driver.others.put(small, profile(small, 1, 256));
        driver.others.put(large, profile(large, 3, 1_024));
        inLoop(() -> backend.want(
                Map.of(ProfileId.DEFAULT, Demand.NONE, small, Demand.of(1), large, Demand.of(1)), Set.of()));
        run();
        assertEquals(1, machine.children.size(), "the large ones fit nowhere");
        ChildSpec spec = machine.children.get(0).spec;
        assertEquals(List.of("-Xmx256m"), spec.jvmOptions());
        assertEquals(1, ExecutorOrders.from(spec.orders()).cores());
        assertEquals(small, driver.lastStart.profile());
        assertEquals(
                List.of(
                        "unplaceable: executors of resource profile 2 need 3 cores and 1024 MiB (expected: at most 3"
                                + " and 512 MiB, from the master URL)",
                        "started 0 127.0.0.1 1"),
                driver.happened.stream().sorted(Comparator.reverseOrder()).toList());
    }

    private static ExecutorProfile profile(ProfileId id, int cores, int memory) {
        ExecutorProfile base = ExecutorProfile.of(Settings.empty());
        return new ExecutorProfile(
                id, OptionalInt.of(cores), new ContainerSize(memory, 0, 384), base.resources(), base.options());
    }

    @Test
    void givesEachExecutorAddressesOfItsOwn() {
        Map<String, String> settings = Map.of(
                "hearth.executor.resource.gpu.amount", "2", "hearth.executor.resource.gpu.addresses", "0,1,2,3,4");
        want(open(settings));
        List<String> addresses = machine.children.stream()
                .map(child -> child.spec.orders().get("hearth.executor.resource.gpu.addresses"))
                .toList();
        assertEquals(List.of("0,1", "2,3"), addresses);
    }

    @Test
    void refusesMoreAddressesThanTheMachineHas() {
        Map<String, String> settings =
                Map.of("hearth.executor.resource.gpu.amount", "2", "hearth.executor.resource.gpu.addresses", "0,1,2,2");
        CompletableFuture<SchedulerBackend> opened = new CompletableFuture<>();
        inLoop(() -> manager.open(spec(settings), TWO, driver).whenComplete((backend, failure) -> {
            opened.completeExceptionally(failure);
        }));
        run();
        HearthException failure = failure(opened);
        assertEquals("RESOURCE_MISSING", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("local cluster of 2 executors: 3 addresses of resource gpu [0, 1, 2] (expected: at"
                                + " least 4)"),
                failure::getMessage);
        assertEquals(List.of(), machine.children);
    }

    @Test
    void showsItsExecutorsUntilTheEnd() {
        SchedulerBackend backend = open(Map.of());
        want(backend);
        ClusterView view = manager.view(
                TWO, new TestingSubmissionServices(simulation.process("shell").env(), driver.loop, Settings.empty()));
        assertEquals(List.of("RUNNING", "RUNNING"), states(view));
        machine.children.get(0).exit.complete(137);
        run();
        assertEquals(List.of("FAILED", "RUNNING", "RUNNING"), states(view));
        CompletableFuture<Void> closed = close(backend);
        run();
        machine.children.forEach(child -> child.exit.complete(143));
        run();
        assertTrue(closed.isDone());
        assertEquals(List.of(), states(view));
    }

    private static List<String> states(ClusterView view) {
        return view.executors(Optional.empty()).toCompletableFuture().join().entries().stream()
                .map(entry -> entry.state().name())
                .toList();
    }

    @Test
    void replacesAnExecutorThatEnds() {
        SchedulerBackend backend = open(Map.of("hearth.localCluster.dir", "/w"));
        want(backend);
        driver.happened.clear();
        machine.children.get(0).exit.complete(137);
        run();
        String logs = "/w/" + backend.application() + "/0/";
        assertEquals(
                List.of(
                        "lost 0 FAILED: exit status 137 (killed by SIGKILL): from its log; see " + logs + "stderr, "
                                + logs + "stdout",
                        "started 2 127.0.0.1 3"),
                driver.happened);
        assertEquals(3, machine.children.size());
    }

    @Test
    void startsNothingOnAnExcludedHost() {
        SchedulerBackend backend = open(Map.of());
        inLoop(() -> backend.want(ALL, Set.of("127.0.0.1")));
        inLoop(() -> backend.want(Map.of(), Set.of()));
        assertEquals(List.of(), machine.children);
    }

    @Test
    void failsTheApplicationWhenNoProcessStarts() {
        machine.refusing = true;
        SchedulerBackend backend = open(Map.of("hearth.executor.maxNumFailures", "2"));
        want(backend);
        assertEquals(
                List.of(
                        "started 0 127.0.0.1 3",
                        "started 1 127.0.0.1 3",
                        "lost 0 FAILED: executor process: no memory",
                        "started 2 127.0.0.1 3",
                        "lost 1 FAILED: executor process: no memory",
                        "cluster lost: EXECUTORS_FAILED"),
                driver.happened);
        CompletableFuture<Void> closed = close(backend);
        run();
        assertTrue(closed.isDone());
    }

    @Test
    void reportsAnErrorWhileStartingAProcess() {
        machine.out = true;
        SchedulerBackend backend = open(Map.of("hearth.executor.maxNumFailures", "1"));
        want(backend);
        assertEquals(
                List.of(
                        "started 0 127.0.0.1 3",
                        "started 1 127.0.0.1 3",
                        "lost 0 FAILED: java.lang.OutOfMemoryError: unable to create native thread",
                        "cluster lost: EXECUTORS_FAILED"),
                driver.happened);
        CompletableFuture<Void> closed = close(backend);
        run();
        assertTrue(closed.isDone());
    }

    @Test
    void closesWhenTheLastProcessIsGone() {
        SchedulerBackend backend = open(Map.of());
        want(backend);
        CompletableFuture<Void> closed = close(backend);
        run();
        assertTrue(machine.children.stream().allMatch(child -> child.stopped));
        machine.children.get(0).exit.complete(143);
        run();
        assertFalse(closed.isDone());
        machine.children.get(1).exit.complete(0);
        run();
        assertTrue(closed.isDone());
        assertTrue(close(backend).isDone());
        want(backend);
        assertEquals(2, machine.children.size());
    }

    @Test
    void stopsAProcessThatStartsAfterTheClose() {
        SchedulerBackend backend = open(Map.of());
        inLoop(() -> backend.want(ALL, Set.of()));
        CompletableFuture<Void> closed = close(backend);
        run();
        assertTrue(machine.children.stream().allMatch(child -> child.stopped));
        assertFalse(closed.isDone());
    }

    @Test
    void stopsAProcessThatStartsAfterTheLoopIsClosed() {
        SchedulerBackend backend = open(Map.of());
        inLoop(() -> backend.want(ALL, Set.of()));
        driver.loop.close();
        run();
        assertEquals(2, machine.children.size());
        assertTrue(machine.children.stream().allMatch(child -> child.stopped));
    }

    @Test
    void reportsAReleasedExecutor() {
        SchedulerBackend backend = open(Map.of());
        want(backend);
        driver.happened.clear();
        inLoop(() -> backend.want(Map.of(ProfileId.DEFAULT, Demand.of(1)), Set.of()));
        inLoop(() -> backend.release(Set.of(new ExecutorId("1")), "idle"));
        run();
        machine.children.get(1).exit.complete(143);
        run();
        assertEquals(1, driver.happened.size());
        assertTrue(driver.happened.get(0).startsWith("lost 1 RELEASED: idle, exit status 143"));
        assertThrows(IllegalStateException.class, () -> backend.release(Set.of(), "from outside the loop"));
    }

    private SchedulerBackend open(Map<String, String> settings) {
        CompletableFuture<SchedulerBackend> opened = new CompletableFuture<>();
        inLoop(() ->
                manager.open(spec(settings), TWO, driver).whenComplete((backend, failure) -> opened.complete(backend)));
        run();
        return opened.join();
    }

    private void want(SchedulerBackend backend) {
        inLoop(() -> backend.want(ALL, Set.of()));
        run();
    }

    private CompletableFuture<Void> close(SchedulerBackend backend) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        inLoop(() ->
                backend.close(ApplicationResult.FINISHED).whenComplete((nothing, failure) -> closed.complete(null)));
        return closed;
    }

    private void inLoop(Runnable action) {
        driver.loop.execute(action);
        simulation.run();
    }

    /** Runs everything that waits for the thread. */
    private void run() {
        while (!waiting.isEmpty()) {
            List<Runnable> now = List.copyOf(waiting);
            waiting.clear();
            now.forEach(Runnable::run);
            simulation.run();
        }
    }

    private static LocalClusterSettings settings(LocalClusterUrl url, Map<String, String> settings) {
        Settings all = withDefaults(settings);
        return LocalClusterSettings.from(url, all, ExecutorProfile.of(all));
    }

    private static Settings withDefaults(Map<String, String> settings) {
        return Settings.empty()
                .with("defaults", new LocalClusterManager(new Machine(), Runnable::run, 42).defaults(TWO))
                .with("test", settings);
    }

    private ApplicationSpec spec(Map<String, String> settings) {
        driver.profile = ExecutorProfile.of(withDefaults(settings));
        return new ApplicationSpec("a", Settings.empty().with("test", settings));
    }

    private static List<Integer> numbers(LocalClusterSettings settings) {
        return List.of(settings.executorsMax(), settings.cores(), settings.memoryMebibytes(), settings.failuresMax());
    }

    private static HearthException failure(CompletionStage<?> stage) {
        Throwable thrown =
                stage.toCompletableFuture().handle((done, failure) -> failure).join();
        return (HearthException) Failures.unwrap(thrown);
    }

    /** Simulated processes. */
    private static final class Machine implements ProcessLauncher {
        private final List<Child> children = new ArrayList<>();
        private boolean refusing;
        private boolean out;

        @Override
        public ChildProcess start(ChildSpec spec) {
            if (refusing) {
                throw ErrorCode.START_FAILED.failure("executor process: no memory");
            }
            if (out) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Child child = new Child(spec);
            children.add(child);
            return child;
        }
    }

    private static final class Child implements ChildProcess {
        private final ChildSpec spec;
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private boolean stopped;

        Child(ChildSpec spec) {
            this.spec = spec;
        }

        @Override
        public long pid() {
            return 7;
        }

        @Override
        public CompletionStage<Integer> exit() {
            return exit;
        }

        @Override
        public void stop() {
            stopped = true;
        }

        @Override
        public String outputTail(int bytesMax) {
            return "";
        }

        @Override
        public String errorTail(int bytesMax) {
            return "error: from its log\n";
        }
    }

    /** Driver that records executor events and checks that they arrive on its loop. */
    private static final class Driver extends TestingDriver {
        private final List<String> happened = new ArrayList<>();
        private ExecutorStart lastStart = ExecutorStart.of(new ExecutorId("none"), "", 1);
        private final EventLoop loop;
        private ExecutorProfile profile = ExecutorProfile.of(Settings.empty());
        private final Map<ProfileId, ExecutorProfile> others = new LinkedHashMap<>();

        Driver(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public EndpointUri driverEndpoint() {
            return new EndpointUri("driver-1", new RpcAddress("127.0.0.1", 4040));
        }

        @Override
        public Settings executorSettings() {
            return Settings.empty().with("test", Map.of("hearth.authenticate", "true", "hearth.x", "value"));
        }

        @Override
        public ExecutorProfile profile(ProfileId id) {
            return others.getOrDefault(id, profile);
        }

        @Override
        public void unplaceable(String reason) {
            happened.add("unplaceable: " + reason);
        }

        @Override
        public void started(ExecutorId executor, String host, int cores) {
            loop.requireInLoop();
            happened.add("started " + executor + " " + host + " " + cores);
        }

        @Override
        public void started(ExecutorStart start) {
            lastStart = start;
            started(start.executor(), start.host(), start.cores());
        }

        @Override
        public void leaving(ExecutorId executor, String reason) {
            throw new AssertionError(executor + ": leaving (expected: never announced by a local cluster)");
        }

        @Override
        public void lost(ExecutorId executor, LostExecutor why) {
            loop.requireInLoop();
            happened.add("lost " + executor + " " + why.cause() + ": " + why);
        }

        @Override
        public void clusterLost(HearthException why) {
            loop.requireInLoop();
            happened.add("cluster lost: " + why.code());
        }
    }
}
