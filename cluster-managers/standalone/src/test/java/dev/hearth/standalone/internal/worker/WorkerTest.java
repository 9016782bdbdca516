package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterTerm;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import dev.hearth.standalone.internal.protocol.WorkerSession.ExecutorReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkerTest {
    private static final RpcAddress FIRST = new RpcAddress("127.0.0.1", 7077);
    private static final RpcAddress SECOND = new RpcAddress("127.0.0.1", 7177);
    private static final SubmissionId DRIVER = new SubmissionId("driver-1");
    private static final ApplicationId APPLICATION = new ApplicationId("app-1");
    private static final OutputFiles OUTPUTS = new OutputFiles(10, 2, Optional.empty(), false);
    private static final ContentAddress JAR = new ContentAddress(new ContentId("ab".repeat(32)), 7, "a b.jar");
    private static final ExecutorId EXECUTOR = new ExecutorId("0");

    private final Worker worker = new Worker(spec(WorkerSpec.Children.DEFAULTS));
    private final List<WorkerEffect.Start> started = new ArrayList<>();
    private final List<String> stopped = new ArrayList<>();
    private final List<Record> sent = new ArrayList<>();
    private final List<DriverFiles.Request> fetched = new ArrayList<>();
    private final List<DriverFiles.Request> removed = new ArrayList<>();
    private final List<String> cancelled = new ArrayList<>();
    private final List<WorkerEffect.Connect> connects = new ArrayList<>();

    @Test
    void triesItsMastersInTurnWithBackOff() {
        worker.start();
        for (int i = 0; i < 8; i++) {
            worker.connectFailed();
        }
        perform();
        assertEquals(
                List.of(FIRST, SECOND, FIRST),
                connects.stream().map(WorkerEffect.Connect::master).limit(3).toList());
        assertEquals(Duration.ZERO, connects.get(0).after());
        assertAbout(WorkerSpec.RETRY_FIRST, connects.get(1).after());
        assertAbout(WorkerSpec.RETRY_MAX, connects.get(8).after());
    }

    /** Delays are random, from half of the expected one to half more. */
    private static void assertAbout(Duration expected, Duration actual) {
        assertTrue(actual.multipliedBy(2).compareTo(expected) >= 0, actual::toString);
        assertTrue(actual.compareTo(expected.multipliedBy(2)) < 0, actual::toString);
    }

    @Test
    void passesSecretsToDriversAloneAndStartsAllChildrenAsTheUser() {
        Settings ofWorker = Settings.empty()
                .with("environment X", "hearth.store.password", "of the worker")
                .with("conf", "hearth.rest.token", "the-token-of-the-worker")
                .with("conf", "hearth.authenticate", "true")
                .with("conf", "hearth.authenticate.secret", "the-secret-of-the-cluster");
        Worker guarded = new Worker(spec(WorkerSpec.Children.of(
                ofWorker, RpcSettings.connecting(ofWorker).security(), Optional.of("team"))));
        guarded.start();
        guarded.registered(MasterTerm.NONE, Duration.ZERO, 0, 0);
        Map<String, String> submitted =
                Map.of("hearth.rest.token.file", "/client/token", "hearth.authenticate.secret.file", "/client/secret");
        guarded.launch(
                new LaunchDriver(DRIVER, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), submitted, 1, 512)), 0);
        guarded.launch(new LaunchExecutor(
                APPLICATION,
                EXECUTOR,
                1,
                512,
                "hearth://driver-1@127.0.0.1:9",
                Map.of("hearth.authenticate.secret", "of the application")));
        List<ChildSpec> children = guarded.effects().stream()
                .filter(WorkerEffect.Start.class::isInstance)
                .map(effect -> ((WorkerEffect.Start) effect).spec())
                .toList();
        Map<String, String> driver = children.get(0).orders();
        assertEquals("of the worker", driver.get("hearth.store.password"));
        assertEquals("the-token-of-the-worker", driver.get("hearth.rest.token"));
        assertEquals("the-secret-of-the-cluster", driver.get("hearth.authenticate.secret"));
        assertEquals("", driver.get("hearth.authenticate.secret.file"));
        Map<String, String> executor = children.get(1).orders();
        assertFalse(executor.containsKey("hearth.store.password"), executor::toString);
        assertNotEquals("the-token-of-the-worker", executor.get("hearth.rest.token"));
        assertEquals("", executor.get("hearth.rest.token.file"));
        assertEquals("of the application", executor.get("hearth.authenticate.secret"));
        assertEquals(
                List.of(Optional.of("team"), Optional.of("team")),
                children.stream().map(ChildSpec::user).toList());
    }

    @Test
    void replacesSettingsOfTheSubmittersMachineByItsOwn() {
        Settings ofWorker = Settings.empty()
                .with(
                        "--conf",
                        Map.of(
                                "hearth.local.dir", "/worker/local",
                                "hearth.ssl.rpc.certChain", "/worker/chain.pem",
                                "hearth.authenticate", "true",
                                "hearth.rpc.trustedNetwork", "true",
                                "hearth.authenticate.secret", "the-secret-of-the-cluster"));
        Worker settled = new Worker(spec(WorkerSpec.Children.of(
                ofWorker,
                RpcSettings.connecting(ofWorker.with("test", "hearth.ssl.rpc.privateKey", "/worker/key.pem"))
                        .security(),
                Optional.empty())));
        settled.start();
        settled.registered(MasterTerm.NONE, Duration.ZERO, 0, 0);
        Map<String, String> submitted = Map.of(
                "hearth.driver.host", "client",
                "hearth.driver.bindAddress", "0.0.0.0",
                "hearth.local.dir", "/client/local",
                "hearth.ssl.rpc.certChain", "/client/chain.pem",
                "hearth.ssl.rpc.trustCerts", "/client/trusted.pem",
                "hearth.authenticate.secret.file", "/client/secret",
                "hearth.rpc.bindAddress", "client",
                "hearth.x", "y");
        settled.launch(
                new LaunchDriver(DRIVER, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), submitted, 1, 512)), 0);
        settled.launch(new LaunchExecutor(APPLICATION, EXECUTOR, 1, 512, "hearth://driver-1@127.0.0.1:9", submitted));
        List<Map<String, String>> orders = settled.effects().stream()
                .filter(WorkerEffect.Start.class::isInstance)
                .map(effect -> ((WorkerEffect.Start) effect).spec().orders())
                .toList();
        for (Map<String, String> child : orders) {
            assertEquals("/worker/local", child.get("hearth.local.dir"));
            assertEquals("/worker/chain.pem", child.get("hearth.ssl.rpc.certChain"));
            assertFalse(child.containsKey("hearth.ssl.rpc.trustCerts"), child::toString);
            assertFalse(child.containsKey("hearth.driver.bindAddress"), child::toString);
            assertEquals("client", child.get("hearth.rpc.bindAddress"), "the worker has none");
        }
        assertEquals("y", orders.get(0).get("hearth.x"));
        assertFalse(orders.get(1).containsKey("hearth.x"), "the driver sends it to the connected executor");
        assertEquals("127.0.0.1", orders.get(0).get("hearth.driver.host"));
        assertEquals("", orders.get(0).get("hearth.authenticate.secret.file"));
        assertEquals("the-secret-of-the-cluster", orders.get(0).get("hearth.authenticate.secret"));
    }

    @Test
    void startsChildrenWithTheOptionsOfTheirApplication() {
        begin();
        Map<String, String> settings = Map.of(
                "hearth.driver.extraJavaOptions", "-Dwho=driver",
                "hearth.driver.extraLibraryPath", "/opt/driver",
                "hearth.executor.extraJavaOptions", "-Dwho={{APP_ID}}.{{EXECUTOR_ID}}",
                "hearth.executorEnv.COLOUR", "blue");
        worker.launch(new LaunchDriver(DRIVER, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), settings, 1, 512)), 0);
        worker.launch(new LaunchExecutor(APPLICATION, EXECUTOR, 1, 256, "hearth://driver-1@h:1", settings));
        perform();
        assertEquals(
                List.of(
                        new LaunchOptions(List.of("-Dwho=driver"), "/opt/driver", Map.of()),
                        new LaunchOptions(List.of("-Dwho=app-1.0"), "", Map.of("COLOUR", "blue"))),
                started.stream().map(start -> start.spec().options()).toList());
    }

    @Test
    void reportsChildrenWithOptionsThatItRefuses() {
        begin();
        Map<String, String> settings =
                Map.of("hearth.driver.extraJavaOptions", "-Xmx1g", "hearth.executor.extraJavaOptions", "-Xmx2g");
        worker.launch(new LaunchDriver(DRIVER, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), settings, 1, 512)), 0);
        worker.launch(new LaunchExecutor(APPLICATION, EXECUTOR, 1, 256, "hearth://driver-1@h:1", settings));
        perform();
        assertEquals(List.of(), started);
        DriverEnded driver = (DriverEnded) sent.get(0);
        assertEquals(OptionalInt.empty(), driver.exitStatus());
        assertTrue(driver.message().startsWith("hearth.driver.extraJavaOptions: -Xmx1g (expected: "), driver::message);
        ExecutorEnded executor = (ExecutorEnded) sent.get(1);
        assertTrue(
                executor.message().startsWith("hearth.executor.extraJavaOptions: -Xmx2g (expected: "),
                executor::message);
    }

    @Test
    void givesTheAddressesOfTheMasterToDriversAndExecutors() {
        Map<String, String> settings = Map.of(
                "hearth.executor.resource.gpu.amount",
                "1",
                "hearth.executor.resource.gpu.addresses",
                "99",
                "hearth.driver.resource.gpu.amount",
                "1",
                "hearth.driver.resource.gpu.addresses",
                "99");
        List<ResourceInformation> gpu = List.of(new ResourceInformation("gpu", List.of("2", "3")));
        begin();
        worker.launch(
                new LaunchDriver(DRIVER, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), settings, 1, 512), gpu), 0);
        worker.launch(new LaunchExecutor(APPLICATION, EXECUTOR, 1, 256, "hearth://driver-1@h:1", settings, gpu));
        perform();
        assertEquals("2,3", started.get(0).spec().orders().get("hearth.driver.resource.gpu.addresses"));
        assertEquals("2,3", started.get(1).spec().orders().get("hearth.executor.resource.gpu.addresses"));
    }

    private static WorkerSpec spec(WorkerSpec.Children children) {
        return new WorkerSpec(
                "worker-1",
                new RpcAddress("127.0.0.1", 7078),
                2,
                1_024,
                Path.of("/var/hearth"),
                OUTPUTS,
                CleanupSettings.DEFAULTS,
                List.of(FIRST, SECOND),
                children,
                List.of());
    }

    @Test
    void startsADriverWithItsOrdersAndReportsItsExit() {
        begin();
        worker.launch(
                new LaunchDriver(
                        DRIVER,
                        new DriverSpec(
                                "pi",
                                "x.Pi",
                                "/x.jar",
                                List.of("200"),
                                Map.of("hearth.master", "hearth://h:1"),
                                1,
                                512)),
                0);
        perform();
        assertEquals("driver", started.get(0).spec().role());
        assertEquals(List.of("-Xmx512m"), started.get(0).spec().jvmOptions());
        assertEquals(Path.of("/var/hearth/driver-1"), started.get(0).spec().directory());
        assertEquals(OUTPUTS, started.get(0).spec().outputs());
        assertEquals(
                Map.of(
                        "hearth.master", "hearth://h:1",
                        "hearth.driver.host", "127.0.0.1",
                        "hearth.submission.id", "driver-1",
                        "hearth.submission.name", "pi",
                        "hearth.submission.mainClass", "x.Pi",
                        "hearth.submission.jar", "/x.jar",
                        "hearth.submission.resource.0", "APPLICATION_JAR file:///x.jar",
                        "hearth.submission.argument.0", "200"),
                started.get(0).spec().orders());

        worker.childEnded(started.get(0).child(), new ChildExit(OptionalInt.of(0), "exit status 0", "out", "err"), 0);
        perform();
        assertEquals(List.of(new DriverEnded(DRIVER, OptionalInt.of(0), "exit status 0", "out", "err")), sent);
        assertEquals(0, worker.children());
    }

    @Test
    void passesResourcesAndEnvironmentToADriver() {
        begin();
        SubmissionPlan plan = SubmissionPlan.builder("pi", "")
                .add(Kind.APPLICATION_JAR, "local:/opt/pi.jar")
                .add(Kind.FILE, "memory://store/a.txt#b.txt")
                .environment(Map.of("SPARK_USER", "ann", "COLOUR", "of the submission", "SPARK_LOCAL_IP", "192.0.2.1"))
                .build();
        Map<String, String> settings = Map.of("hearth.driverEnv.COLOUR", "deep blue");
        worker.launch(new LaunchDriver(DRIVER, DriverSpec.of(plan, settings, 1, 512, Map.of())), 0);
        perform();
        ChildSpec child = started.get(0).spec();
        assertEquals(
                Map.of("SPARK_USER", "ann", "COLOUR", "deep blue"),
                child.options().environment());
        assertEquals(
                plan.resources(),
                DriverOrders.plan(child.orders(), Settings.empty()).resources());
    }

    @Test
    void refusesADriverWithAResourceThatItDoesNotKnow() {
        begin();
        worker.launch(
                new LaunchDriver(
                        DRIVER,
                        new DriverSpec("pi", "x.Pi", "", List.of(), Map.of(), 1, 512)
                                .but()
                                .carrying(List.of("PLANET file:/x"), Map.of())
                                .build()),
                0);
        perform();
        assertEquals(List.of(), started);
        assertEquals(1, sent.size());
        String message = ((DriverEnded) sent.get(0)).message();
        assertTrue(message.startsWith("resource 'PLANET file:/x': (expected: one of [APPLICATION_JAR, "), message);
    }

    @Test
    void stopsAnExecutorOnOrderAndReportsItsLogs() {
        begin();
        worker.launch(executor());
        worker.stop(new StopExecutor(APPLICATION, EXECUTOR));
        worker.stop(new StopExecutor(APPLICATION, new ExecutorId("9")));
        perform();
        assertEquals(List.of("app-1/0"), stopped);
        worker.childEnded("app-1/0", new ChildExit(OptionalInt.of(143), "exit status 143", "", ""), 0);
        perform();
        ExecutorEnded ended = (ExecutorEnded) sent.get(0);
        String page = "http://127.0.0.1:7078/logPage/?appId=app-1&executorId=0&logType=";
        assertEquals(List.of(page + "stderr", page + "stdout"), ended.logs());
    }

    @Test
    void reportsTheLastErrorLineOfAnExecutor() {
        begin();
        worker.launch(executor());
        worker.childEnded(
                "app-1/0", new ChildExit(OptionalInt.of(3), "exit status 3", "", "log\nerror: jar missing\n"), 0);
        perform();
        assertEquals("exit status 3: jar missing", ((ExecutorEnded) sent.get(0)).message());
    }

    @Test
    void startsARepeatedOrderOnce() {
        begin();
        worker.launch(executor());
        worker.launch(executor());
        perform();
        assertEquals(1, started.size());
    }

    @Test
    void ignoresOrdersBeforeItIsRegistered() {
        worker.start();
        worker.launch(executor());
        perform();
        assertEquals(List.of(), started);
    }

    @Test
    void keepsItsChildrenWithoutAMasterAndReportsThemToTheNextOne() {
        begin();
        worker.launch(executor());
        worker.launch(executor("1"));
        perform();
        connects.clear();
        worker.masterLost();
        perform();
        assertEquals(List.of(), stopped);
        assertEquals(FIRST, connects.get(0).master(), "the one that was lost, soon");
        assertTrue(connects.get(0).after().compareTo(WorkerSpec.RETURN_MAX) < 0);
        worker.childEnded("app-1/0", new ChildExit(OptionalInt.of(3), "exit status 3", "", ""), 0);
        perform();
        assertEquals(List.of(), sent, "no master hears it");
        assertEquals(
                Map.of("0", true, "1", false),
                worker.registration().session().executors().stream()
                        .collect(Collectors.toMap(report -> report.executor().value(), ExecutorReport::ended)));
        worker.registered(new MasterTerm("log", 2), Duration.ZERO, 0, 0);
        perform();
        assertEquals(
                List.of(EXECUTOR),
                sent.stream().map(end -> ((ExecutorEnded) end).executor()).toList());
        worker.masterLost();
        worker.registered(new MasterTerm("log", 3), Duration.ZERO, 0, 0);
        perform();
        assertEquals(2, sent.size(), "it is repeated until a master has taken it");
        worker.taken("app-1/0");
        worker.masterLost();
        worker.registered(new MasterTerm("log", 4), Duration.ZERO, 0, 0);
        perform();
        assertEquals(2, sent.size());
        assertEquals(1, worker.children());
        assertTrue(worker.hasServedLater(new MasterTerm("log", 3)), "of the same log");
        assertFalse(worker.hasServedLater(new MasterTerm("other", 1)));
    }

    @Test
    void startsAnExecutorOnceThoughItsOrderIsRepeatedAfterItsEnd() {
        begin();
        worker.launch(executor());
        worker.childEnded("app-1/0", new ChildExit(OptionalInt.of(3), "exit status 3", "", ""), 0);
        worker.launch(executor());
        perform();
        assertEquals(1, started.size());
    }

    @Test
    void staysStopped() {
        begin();
        worker.launch(executor());
        worker.stop();
        worker.childEnded("app-1/0", new ChildExit(OptionalInt.of(143), "exit status 143", "", ""), 0);
        worker.connectFailed();
        perform();
        assertEquals(List.of("app-1/0"), stopped);
        assertEquals(1, connects.size(), "only the first one, from the start");
        assertTrue(worker.state() == Worker.State.STOPPED);
    }

    @Test
    void resetsItsBackOffAfterARegistration() {
        worker.start();
        for (int i = 0; i < 5; i++) {
            worker.connectFailed();
        }
        worker.registered(MasterTerm.NONE, Duration.ZERO, 0, 0);
        worker.masterLost();
        perform();
        connects.clear();
        worker.connectFailed();
        perform();
        assertAbout(WorkerSpec.RETRY_FIRST, connects.get(0).after());
    }

    @Test
    void ignoresOrdersAfterItHasStopped() {
        begin();
        worker.stop();
        worker.launch(executor());
        worker.launch(new LaunchDriver(DRIVER, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512)), 0);
        perform();
        assertEquals(List.of(), started);
    }

    @Test
    void reportsAnExecutorWithAMalformedDriverAddress() {
        begin();
        worker.launch(new LaunchExecutor(APPLICATION, EXECUTOR, 1, 256, "h:1", Map.of()));
        perform();
        assertEquals(List.of(), started);
        ExecutorEnded ended = (ExecutorEnded) sent.get(0);
        assertEquals(EXECUTOR, ended.executor());
        assertEquals("driver URI 'h:1' (expected: hearth://endpoint@host:port)", ended.message());
    }

    @Test
    void startsADriverOnceItsUploadedFilesAreHere() {
        begin();
        worker.launch(new LaunchDriver(DRIVER, uploaded()), 0);
        perform();
        assertEquals(List.of(), started);
        assertEquals(
                new DriverFiles.Request("driver-1", FIRST, Set.of(JAR), Path.of("/var/hearth/driver-1"), false),
                fetched.get(0));

        worker.fetched("driver-1", Map.of(JAR, Path.of("/var/hearth/driver-1/hearth-contents/0/a b.jar")), 0);
        perform();
        Map<String, String> orders = started.get(0).spec().orders();
        assertEquals(
                "APPLICATION_JAR file:///var/hearth/driver-1/hearth-contents/0/a%20b.jar",
                orders.get("hearth.submission.resource.0"));
        assertEquals(
                "/var/hearth/driver-1/hearth-contents/0/a b.jar:/opt/x", orders.get("hearth.driver.extraClassPath"));
        worker.stop(new StopDriver(DRIVER));
        perform();
        assertEquals(List.of("driver-1"), stopped);
        assertEquals(List.of(), cancelled);
        assertEquals(List.of(), removed);
        worker.childEnded("driver-1", new ChildExit(OptionalInt.of(143), "", "", ""), 0);
        perform();
        assertEquals(fetched, removed, "the files of a driver that has ended");
    }

    @Test
    void cancelsTheFetchOfADriverThatIsKilled() {
        begin();
        worker.launch(new LaunchDriver(DRIVER, uploaded()), 0);
        worker.stop(new StopDriver(DRIVER));
        worker.fetched("driver-1", Map.of(JAR, Path.of("/too/late.jar")), 0);
        perform();
        assertEquals(List.of("driver-1"), cancelled);
        assertEquals(List.of(), started);
        assertEquals(new DriverEnded(DRIVER, OptionalInt.empty(), "killed before its start", "", ""), sent.get(0));
        assertEquals(0, worker.children());
    }

    @Test
    void reportsADriverWhoseFilesCannotBeFetched() {
        begin();
        worker.launch(new LaunchDriver(DRIVER, uploaded()), 0);
        worker.childEnded(
                "driver-1", ChildExit.notStarted(ErrorCode.DISK_FAILED.failure("disk: full (expected: room)")), 0);
        perform();
        DriverEnded ended = (DriverEnded) sent.get(0);
        assertEquals(OptionalInt.empty(), ended.exitStatus());
        assertEquals("disk: full (expected: room)", ended.message());
    }

    @Test
    void fetchesTheFilesOfADriverAgainFromTheNextMaster() {
        begin();
        worker.launch(new LaunchDriver(DRIVER, uploaded()), 0);
        worker.masterLost();
        ChildExit failed = ChildExit.notStarted(ErrorCode.PEER_LOST.failure("master: lost"));
        worker.fetchFailed("driver-1", failed, true, 0);
        worker.registered(new MasterTerm("log", 2), Duration.ZERO, 0, 0);
        perform();
        assertEquals(List.of(), cancelled);
        assertEquals(2, fetched.size());
        assertEquals(List.of(), sent);
        worker.fetchFailed("driver-1", failed, false, 0);
        perform();
        assertEquals("master: lost", ((DriverEnded) sent.get(0)).message());
    }

    private static DriverSpec uploaded() {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "x.Pi")
                .add(Kind.APPLICATION_JAR, JAR.toString())
                .add(Kind.CLASS_PATH, JAR.toString())
                .build();
        return DriverSpec.of(plan, Map.of("hearth.driver.extraClassPath", JAR + ":/opt/x"), 1, 512, Map.of());
    }

    private void begin() {
        worker.start();
        worker.registered(MasterTerm.NONE, Duration.ZERO, 0, 0);
    }

    private static LaunchExecutor executor() {
        return executor(EXECUTOR.value());
    }

    private static LaunchExecutor executor(String id) {
        return new LaunchExecutor(APPLICATION, new ExecutorId(id), 1, 256, "hearth://driver-1@h:1", Map.of());
    }

    private void perform() {
        Recorder recorder = new Recorder();
        worker.effects().forEach(effect -> effect.perform(recorder));
    }

    /** Notes what the worker has decided on. */
    private final class Recorder implements WorkerEffect.Handler {
        @Override
        public void onStart(WorkerEffect.Start effect) {
            started.add(effect);
        }

        @Override
        public void onStop(WorkerEffect.Stop effect) {
            stopped.add(effect.child());
        }

        @Override
        public void onFetch(WorkerEffect.Fetch effect) {
            fetched.add(effect.request());
        }

        @Override
        public void onRemoveFiles(WorkerEffect.RemoveFiles effect) {
            removed.add(effect.request());
        }

        @Override
        public void onCancelFetch(WorkerEffect.CancelFetch effect) {
            cancelled.add(effect.child());
        }

        @Override
        public void onWake(WorkerEffect.Wake effect) {
            throw new AssertionError(effect + " (expected: no supervised driver)");
        }

        @Override
        public void onDisconnect(WorkerEffect.Disconnect effect) {
            throw new AssertionError(effect + " (expected: no supervised driver)");
        }

        @Override
        public void onSend(WorkerEffect.Send effect) {
            sent.add(effect.message());
        }

        @Override
        public void onReport(WorkerEffect.Report effect) {
            sent.add(effect.message());
        }

        @Override
        public void onConnect(WorkerEffect.Connect effect) {
            connects.add(effect);
        }
    }
}
