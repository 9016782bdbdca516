package dev.hearth.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingSubmissionServices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Local master URLs, and the executor of an application. */
class LocalManagerTest {
    private static final Map<ProfileId, Demand> ONE = Map.of(ProfileId.DEFAULT, Demand.of(1));
    private static final Map<ProfileId, Demand> MANY = Map.of(ProfileId.DEFAULT, Demand.ALL);
    private static final Map<ProfileId, Demand> NONE = Map.of(ProfileId.DEFAULT, Demand.NONE);
    private static final ExecutorId DRIVER = new ExecutorId("driver");

    private final LocalManager manager = new LocalManager();
    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess process = simulation.process("driver");
    private final Driver driver = new Driver(process);

    @Test
    void readsEveryFormOfMaster() {
        assertEquals(new LocalMasterUrl(1, 1), parse("local"));
        assertEquals(new LocalMasterUrl(4, 1), parse("local[4]"));
        assertEquals(new LocalMasterUrl(16, 1), parse("local[*]"));
        assertEquals(new LocalMasterUrl(2, 3), parse("local[2,3]"));
        assertEquals(new LocalMasterUrl(16, 3), parse("local[*, 3]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local[0]",
                "local[x]",
                "local[2,0]",
                "local[]",
                "local[-1]",
                "local[2,]",
                "local[1,2,3]",
                "local[100000]",
                "local://host"
            })
    void rejectsAMalformedMasterUrl(String url) {
        MasterUrl master = MasterUrl.parse(url);
        HearthException failure = assertThrows(HearthException.class, () -> manager.validate(master));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(url), failure::getMessage);
        assertEquals(
                ErrorCode.BAD_ARGUMENT.name(),
                failure(manager.open(new ApplicationSpec("a", Settings.empty()), master, driver))
                        .code());
    }

    @Test
    void suppliesTaskFailuresAsDefaults() {
        assertEquals(
                Map.of("hearth.task.maxFailures", "1", "hearth.scheduler.executorsFixed", "true"),
                manager.defaults(MasterUrl.parse("local[2]")));
        assertEquals(
                Map.of("hearth.task.maxFailures", "4", "hearth.scheduler.executorsFixed", "true"),
                manager.defaults(MasterUrl.parse("local[2,4]")));
    }

    @Test
    void hasClientModeOnly() {
        assertEquals(Set.of(DeployMode.CLIENT), manager.deployModes());
        MasterUrl master = MasterUrl.parse("local[2]");
        SubmissionServices services = new TestingSubmissionServices(process.env(), driver.loop(), Settings.empty());
        SubmissionPlan plan = SubmissionPlan.builder("a", "A").build();
        SubmissionId id = new SubmissionId("driver-1");
        for (CompletionStage<?> refused : List.of(
                manager.submit(plan, master, services, new SilentListener()),
                manager.status(id, master, services),
                manager.kill(id, master, services))) {
            HearthException failure = failure(refused);
            assertEquals(ErrorCode.DEPLOY_MODE_UNKNOWN.name(), failure.code());
            assertTrue(String.valueOf(failure.getMessage()).contains("aster local[2]"), failure::getMessage);
        }
    }

    @Test
    void derivesTheApplicationIdFromTheTime() {
        assertEquals(
                "local-" + Simulation.WALL_START.toEpochMilli(),
                open("local").application().value());
        assertEquals(
                "local-" + (Simulation.WALL_START.toEpochMilli() + 1),
                open("local").application().value(),
                "another one at the same time");
    }

    @Test
    void startsOneExecutorForAnyDemand() {
        SchedulerBackend backend = open("local[3]");
        inLoop(() -> backend.want(NONE, Set.of()));
        inLoop(() -> backend.want(Map.of(), Set.of()));
        assertEquals(List.of(), driver.happened);
        inLoop(() -> backend.want(MANY, Set.of()));
        inLoop(() -> backend.want(ONE, Set.of()));
        assertEquals(List.of("start driver 3", "started driver localhost 3"), driver.happened);
    }

    @Test
    void replacesAReleasedExecutorWhenWantedAgain() {
        SchedulerBackend backend = open("local");
        inLoop(() -> backend.want(ONE, Set.of()));
        inLoop(() -> backend.release(Set.of(new ExecutorId("7")), "unknown"));
        inLoop(() -> backend.release(Set.of(DRIVER), "idle"));
        inLoop(() -> backend.release(Set.of(DRIVER), "idle"));
        inLoop(() -> backend.want(ONE, Set.of()));
        assertEquals(
                List.of(
                        "start driver 1",
                        "started driver localhost 1",
                        "stop driver",
                        "lost driver by order: idle",
                        "start driver-1 1",
                        "started driver-1 localhost 1"),
                driver.happened);
    }

    @Test
    void stopsItsExecutorOnceWhenClosed() {
        SchedulerBackend backend = open("local");
        inLoop(() -> backend.want(ONE, Set.of()));
        inLoop(() -> assertTrue(
                backend.close(ApplicationResult.FINISHED).toCompletableFuture().isDone()));
        inLoop(() -> backend.close(ApplicationResult.FAILED));
        inLoop(() -> backend.want(ONE, Set.of()));
        assertEquals(List.of("start driver 1", "started driver localhost 1", "stop driver"), driver.happened);
    }

    @Test
    void reportsAnExecutorThatFailsToStartAsLost() {
        driver.refusing = true;
        SchedulerBackend backend = open("local");
        inLoop(() -> backend.want(ONE, Set.of()));
        assertEquals(
                List.of(
                        "started driver localhost 1",
                        "lost driver: executor driver did not start: java.lang.IllegalStateException: no memory"),
                driver.happened);
    }

    @Test
    void refusesCallsFromOutsideTheLoop() {
        SchedulerBackend backend = open("local");
        assertThrows(IllegalStateException.class, () -> backend.want(ONE, Set.of()));
    }

    private SchedulerBackend open(String url) {
        return manager.open(new ApplicationSpec("a", Settings.empty()), MasterUrl.parse(url), driver)
                .toCompletableFuture()
                .join();
    }

    private void inLoop(Runnable action) {
        driver.loop().execute(action);
        simulation.run();
    }

    private static LocalMasterUrl parse(String url) {
        return LocalMasterUrl.parse(MasterUrl.parse(url), 16);
    }

    private static HearthException failure(CompletionStage<?> stage) {
        Throwable thrown =
                stage.toCompletableFuture().handle((done, failure) -> failure).join();
        return (HearthException) Failures.unwrap(thrown);
    }

    /** Driver that records executor events and checks that they arrive on its loop. */
    private static final class Driver implements DriverServices, ExecutorListener, ExecutorHost {
        private final List<String> happened = new ArrayList<>();
        private final EventLoop loop;
        private boolean refusing;

        Driver(SimulatedProcess process) {
            this.loop = process.loop("application");
        }

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public ExecutorListener listener() {
            return this;
        }

        @Override
        public ExecutorHost executorHost() {
            return this;
        }

        @Override
        public EndpointUri driverEndpoint() {
            throw new AssertionError("driver's port: opened (expected: not for executors in this process)");
        }

        @Override
        public void credentials(String kind, Bytes content) {
            throw new AssertionError("credentials: set (expected: none, as local clusters have none)");
        }

        @Override
        public Settings executorSettings() {
            throw new AssertionError("executors' settings: asked for (expected: not for executors in this process)");
        }

        @Override
        public RpcEnv rpc() {
            throw new AssertionError("message system: opened (expected: not for executors in this process)");
        }

        @Override
        public ExecutorProfile profile(ProfileId id) {
            return ExecutorProfile.of(Settings.empty());
        }

        @Override
        public RunningExecutor start(ExecutorId executor, int cores) {
            if (refusing) {
                throw new IllegalStateException("no memory");
            }
            happened.add("start " + executor + " " + cores);
            return () -> happened.add("stop " + executor);
        }

        @Override
        public void started(ExecutorId executor, String host, int cores) {
            loop.requireInLoop();
            happened.add("started " + executor + " " + host + " " + cores);
        }

        @Override
        public void leaving(ExecutorId executor, String reason) {
            throw new AssertionError("executor " + executor + ": decommissioned (expected: never, in this process)");
        }

        @Override
        public void lost(ExecutorId executor, LostExecutor why) {
            loop.requireInLoop();
            happened.add(
                    "lost " + executor + (why.cause() == LostExecutor.Cause.RELEASED ? " by order" : "") + ": " + why);
        }

        @Override
        public void clusterLost(HearthException why) {
            throw new AssertionError("cluster: lost (expected: never, as it is this process)");
        }
    }

    /** A rejected submission is never reported. */
    private static final class SilentListener implements SubmissionListener {
        @Override
        public void changed(SubmissionStatus status) {
            throw new AssertionError("changed: " + status);
        }

        @Override
        public void lost(String reason) {
            throw new AssertionError("lost: " + reason);
        }
    }
}
