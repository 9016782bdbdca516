package dev.hearth.submission.internal.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a gateway plans and submits for other processes, with recording managers. */
@Timeout(30)
class ResidentGatewayTest {
    private static final MasterUrl MASTER = MasterUrl.parse("hearth://h:1");

    private final List<SubmissionPlan> plans = new CopyOnWriteArrayList<>();
    private final AtomicInteger pins = new AtomicInteger();
    private final FakeTicker ticker = new FakeTicker();
    private volatile RecordingManager manager = new RecordingManager();
    private final ResidentGateway gateway = new ResidentGateway(
            (master, holder) -> pin(),
            new Simulation(1).process("serve").factory(),
            FileStoreRegistry.of(List::of),
            () -> new SettingsCatalog(List.of(new Declarations()), Path.of("none")),
            new TestingRules(List.of()),
            Settings.empty()
                    .with(
                            "conf/hearth-defaults.conf",
                            Map.of(
                                    "hearth.driver.cores", "2",
                                    "hearth.executor.memory", "2g",
                                    "hearth.rest.allowedHosts", "a",
                                    "hearth.authenticate.secret", "0123456789abcdef0123",
                                    "hearth.serve.requestsMax", "2")),
            Path.of("/opt/hearth"),
            ticker);

    private PinnedManager pin() {
        RecordingManager pinned = manager;
        pins.incrementAndGet();
        return new PinnedManager() {
            @Override
            public ClusterManager manager() {
                return pinned;
            }

            @Override
            public void close() {
                pins.decrementAndGet();
            }
        };
    }

    @AfterEach
    void closesEverything() {
        gateway.close();
        assertEquals(0, pins.get(), "pins that nothing closed");
        assertTrue(manager.clients.stream().allMatch(client -> client.closed));
    }

    @Test
    void plansTheWordsOfAnotherProcess() {
        SubmissionId id = submit(
                Settings.empty().with("request", Map.of("spark.driver.memory", "3g", "spark.driver.cores", "4")),
                "--conf",
                "spark.x=${env:A}",
                "--driver-cores=5",
                "--class",
                "x.Main",
                "/no/such.jar",
                "--in",
                "two");
        assertEquals("driver-1", id.value());
        SubmissionPlan plan = plans.get(0);
        assertEquals("x.Main", plan.mainClass());
        assertEquals(List.of("--in", "two"), plan.arguments());
        assertEquals("file:///no/such.jar", plan.applicationJar().orElseThrow().toString());
        assertEquals(Map.of("A", "b", "SPARK_C", "d"), plan.environment());
        assertEquals("3g", plan.settings().find("hearth.driver.memory").orElse(""));
        assertEquals("5", plan.settings().find("hearth.driver.cores").orElse(""));
        assertEquals("2g", plan.settings().find("hearth.executor.memory").orElse(""));
        assertEquals("b", plan.settings().find("hearth.x").orElse(""));
        assertEquals("cluster", plan.settings().find("hearth.submit.deployMode").orElse(""));
        assertFalse(plan.requestId().isEmpty());
    }

    @Test
    void passesFilesToTheClusterAndNamesOneThatTakesNone() {
        ContentId content = new ContentId("ab".repeat(32));
        ContentPiece piece = new ContentPiece(content, 3, 0, Bytes.owning(new byte[3]));
        UploadStatus none = new UploadStatus(UploadStatus.Stage.PARTIAL, 0);
        UploadStatus whole = new UploadStatus(UploadStatus.Stage.COMPLETED, 3);
        manager.takesFiles = true;
        assertEquals(none, gateway.held(content, MASTER).toCompletableFuture().join());
        assertEquals(whole, gateway.take(piece, MASTER).toCompletableFuture().join());
        manager.takesFiles = false;
        for (CompletionStage<UploadStatus> refused :
                List.of(gateway.held(content, MASTER), gateway.take(piece, MASTER))) {
            Throwable failure = Failures.unwrap(assertThrows(
                    Exception.class, () -> refused.toCompletableFuture().join()));
            assertEquals(ErrorCode.STREAM_MISSING, Failures.code(failure));
            assertTrue(failure.getMessage().startsWith("cluster " + MASTER + ": takes no files"), failure::getMessage);
        }
    }

    @Test
    void givesNeitherSecretsNorSettingsOfDaemonsToARequest() {
        submit(Settings.empty(), "/a.jar");
        Set<String> keys = plans.get(0).settings().keys();
        assertFalse(
                keys.contains("hearth.authenticate.secret") || keys.contains("hearth.rest.allowedHosts"),
                keys::toString);
        assertEquals("", plans.get(0).mainClass(), "the manifest of the jar names it where the driver runs");
    }

    @Test
    void keepsSettingsOfOneRequestFromTheNext() {
        submit(Settings.empty().with("request", "hearth.app.name", "first"), "--driver-memory=7g", "/a.jar");
        submit(Settings.empty(), "/b.jar");
        SubmissionPlan second = plans.get(1);
        assertTrue(second.settings().find("hearth.app.name").isEmpty());
        assertTrue(second.settings().find("hearth.driver.memory").isEmpty());
    }

    @Test
    void refusesWhatOnlyTheProcessOfTheRequestCouldRead() {
        assertRefused(ErrorCode.BAD_ARGUMENT, "a relative path", "a.jar");
        assertRefused(ErrorCode.BAD_ARGUMENT, "a relative path", "--jars", "b.jar", "/a.jar");
        assertRefused(
                ErrorCode.BAD_ARGUMENT, "a file that is not on this machine", "--properties-file", "/p", "/a.jar");
        assertRefused(ErrorCode.BAD_ARGUMENT, "leave the flag out", "--status", "driver-1");
        assertRefused(ErrorCode.BAD_ARGUMENT, "leave the flag out", "--help");
        assertRefused(ErrorCode.BAD_ARGUMENT, "a program in Python", "/a.py");
        assertRefused(ErrorCode.BAD_SETTING, "hearth.driver.cores", "--driver-cores=x", "/a.jar");
        assertRefused(ErrorCode.BAD_ARGUMENT, "unknown flag", "--nonsense", "/a.jar");
        assertEquals(List.of(), plans);
    }

    @Test
    void refusesClientModeByName() {
        assertRefused(
                ErrorCode.DEPLOY_MODE_UNKNOWN,
                "deploy mode client from --deploy-mode: the application would run in this process",
                "--deploy-mode",
                "client",
                "/a.jar");
        manager.modes = EnumSet.of(DeployMode.CLIENT);
        assertRefused(ErrorCode.DEPLOY_MODE_UNKNOWN, "deploy mode cluster (expected: one of [client])", "/a.jar");
    }

    @Test
    void usesOneClientForAllRequestsAndClosesItWhenIdle() {
        submit(Settings.empty(), "/a.jar");
        submit(Settings.empty(), "/b.jar");
        assertEquals(1, manager.clients.size());
        assertEquals(1, pins.get(), "the pin of the connection");
        ticker.advance(Duration.ofMinutes(2));
        gateway.expire();
        assertTrue(manager.clients.get(0).closed);
        assertEquals(0, pins.get());
        submit(Settings.empty(), "/c.jar");
        assertEquals(2, manager.clients.size());
    }

    @Test
    void movesToANewerManagerWhileRequestsOfTheOldOneAreInProgress() {
        RecordingManager old = manager;
        old.silent = true;
        CompletableFuture<SubmissionId> first = send("/a.jar");
        old.asked.join();
        manager = new RecordingManager();
        assertEquals("driver-2", send("/b.jar").join().value());
        assertFalse(old.clients.get(0).closed);
        old.answers.get(0).complete(new SubmissionId("driver-old"));
        assertEquals("driver-old", first.join().value());
        assertTrue(old.clients.get(0).closed);
        assertEquals(1, gateway.counts().size());
        assertEquals(2, gateway.counts().get(0).accepted());
    }

    @Test
    void refusesMoreRequestsThanTheBound() {
        manager.silent = true;
        CompletableFuture<SubmissionId> first = send("/a.jar");
        CompletableFuture<SubmissionId> second = send("/b.jar");
        assertRefused(ErrorCode.SUBMISSION_REFUSED, "hearth.serve.requestsMax = 2", "/c.jar");
        manager.answer(2);
        CompletableFuture.allOf(first, second).join();
        manager.silent = false;
        submit(Settings.empty(), "/c.jar");
        assertEquals(1, gateway.counts().get(0).refused());
    }

    @Test
    void submitsToTheMasterOfItsOwnProcessWithoutAConnection() {
        OwnClient own = new OwnClient();
        gateway.addClient(own);
        assertEquals(Optional.of(MASTER), gateway.own());
        CompletionStage<SubmissionId> id = gateway.submit(List.of("/a.jar"), Settings.empty(), Map.of(), "request-1");
        assertEquals("driver-own", id.toCompletableFuture().join().value());
        assertEquals("request-1", own.plan.requestId());
        assertEquals(0, manager.clients.size());
        gateway.removeClient(own);
        assertTrue(gateway.own().isEmpty());
        assertThrows(HearthException.class, gateway::master);
    }

    @Test
    void answersAQuestionAboutAnUnknownSubmissionWithNone() {
        assertEquals(
                List.of(),
                gateway.status(new SubmissionPattern("driver-9"), MASTER)
                        .toCompletableFuture()
                        .join());
        assertEquals(0, gateway.counts().get(0).failed(), "questions are not counted");
    }

    private SubmissionId submit(Settings settings, String... words) {
        return gateway.submit(words(words), settings, Map.of("A", "b", "SPARK_C", "d"), "")
                .toCompletableFuture()
                .join();
    }

    private CompletableFuture<SubmissionId> send(String jar) {
        return gateway.submit(words(jar), Settings.empty(), Map.of(), "").toCompletableFuture();
    }

    private static List<String> words(String... words) {
        List<String> all = new java.util.ArrayList<>(List.of("--master", MASTER.text()));
        all.addAll(List.of(words));
        return all;
    }

    private void assertRefused(ErrorCode code, String part, String... words) {
        CompletionException refused = assertThrows(CompletionException.class, () -> submit(Settings.empty(), words));
        assertEquals(code, Failures.code(refused));
        assertTrue(Failures.describe(refused).contains(part), () -> Failures.describe(refused));
    }

    /** Manager whose clients record plans. */
    private final class RecordingManager implements ClusterManager {
        private volatile boolean takesFiles;
        private final List<RecordingClient> clients = new CopyOnWriteArrayList<>();
        private final List<CompletableFuture<SubmissionId>> answers = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> asked = new CompletableFuture<>();
        private volatile Set<DeployMode> modes = EnumSet.allOf(DeployMode.class);
        private volatile boolean silent;

        /** Answers {@code count} requests, as soon as they arrive. */
        void answer(int count) {
            while (answers.size() < count) {
                Thread.onSpinWait();
            }
            answers.forEach(answer -> answer.complete(new SubmissionId("driver-late")));
        }

        @Override
        public Set<DeployMode> deployModes() {
            return modes;
        }

        @Override
        public void validate(MasterUrl master) {}

        @Override
        public Map<String, String> defaults(MasterUrl master) {
            return Map.of();
        }

        @Override
        public CompletionStage<SchedulerBackend> open(
                ApplicationSpec application, MasterUrl master, DriverServices driver) {
            throw new UnsupportedOperationException("no application runs in this test");
        }

        @Override
        public ClusterClient client(MasterUrl master, SubmissionServices services) {
            RecordingClient client = new RecordingClient(this);
            clients.add(client);
            return client;
        }
    }

    private final class RecordingClient implements ClusterClient {
        private final RecordingManager of;
        private volatile boolean closed;

        RecordingClient(RecordingManager of) {
            this.of = of;
        }

        @Override
        public CompletionStage<SubmissionId> submit(SubmissionPlan plan) {
            plans.add(plan);
            CompletableFuture<SubmissionId> answer = new CompletableFuture<>();
            of.answers.add(answer);
            of.asked.complete(null);
            if (!of.silent) {
                answer.complete(new SubmissionId("driver-" + plans.size()));
            }
            return answer;
        }

        @Override
        public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
            return CompletableFuture.failedStage(ErrorCode.SUBMISSION_UNKNOWN.failure("unknown"));
        }

        @Override
        public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
            return status(pattern);
        }

        @Override
        public CompletionStage<Integer> clear() {
            return CompletableFuture.completedStage(0);
        }

        @Override
        public CompletionStage<UploadStatus> held(ContentId content) {
            return of.takesFiles
                    ? CompletableFuture.completedStage(new UploadStatus(UploadStatus.Stage.PARTIAL, 0))
                    : ClusterClient.super.held(content);
        }

        @Override
        public CompletionStage<UploadStatus> take(ContentPiece piece) {
            return of.takesFiles
                    ? CompletableFuture.completedStage(new UploadStatus(
                            UploadStatus.Stage.COMPLETED, piece.bytes().size()))
                    : ClusterClient.super.take(piece);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Client of a master in this process. */
    private static final class OwnClient implements ClusterClient {
        private SubmissionPlan plan = SubmissionPlan.builder("none", "none").build();

        @Override
        public Optional<MasterUrl> own() {
            return Optional.of(MASTER);
        }

        @Override
        public CompletionStage<SubmissionId> submit(SubmissionPlan given) {
            plan = given;
            return CompletableFuture.completedStage(new SubmissionId("driver-own"));
        }

        @Override
        public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
            return CompletableFuture.completedStage(List.of());
        }

        @Override
        public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
            return CompletableFuture.completedStage(List.of());
        }

        @Override
        public CompletionStage<Integer> clear() {
            return CompletableFuture.completedStage(0);
        }

        @Override
        public void close() {}
    }

    /** Declares the settings of applications. */
    private static final class Declarations implements SettingsGroup {
        @Override
        public String owner() {
            return "test";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return ApplicationSettings.KEYS;
        }
    }
}
