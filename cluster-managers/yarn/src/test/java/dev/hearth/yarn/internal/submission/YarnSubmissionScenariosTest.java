package dev.hearth.yarn.internal.submission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.ManualEventLoop;
import dev.hearth.yarn.internal.cluster.ClusterReport.Outcome;
import dev.hearth.yarn.internal.cluster.ClusterReport.State;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.line.ContainerFile.Visibility;
import dev.hearth.yarn.internal.site.HadoopSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of submissions over a simulated cluster: the real steps, store, orders and reports. */
class YarnSubmissionScenariosTest implements SubmissionListener {
    private static final MasterUrl MASTER = MasterUrl.parse("yarn://rm:8032");
    private static final String ID = SimulatedYarn.id(1);
    private static final byte[] ARCHIVE = "the platform".getBytes(UTF_8);

    @TempDir
    private Path directory;

    private Optional<PackedFile> classes = Optional.empty();

    private final SimulatedYarn yarn = new SimulatedYarn();
    private final ManualEventLoop loop = new ManualEventLoop();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final List<String> lines = new ArrayList<>();
    private final List<SubmissionStatus> statuses = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private SubmissionPlan.Builder plan = SubmissionPlan.builder("pi", "example.Pi");
    private int submissions;

    @BeforeEach
    void writesAJar() throws IOException {
        Path jar = Files.writeString(directory.resolve("app.jar"), "code of the application");
        plan.add(Kind.APPLICATION_JAR, jar.toString()).arguments(List.of("4"));
    }

    @Override
    public void changed(SubmissionStatus status) {
        statuses.add(status);
    }

    @Override
    public void said(String line) {
        lines.add(line);
    }

    @Override
    public void lost(String reason) {
        losses.add(reason);
    }

    /** The installation of this test: its archive is a text, and that of its classes, if there is one. */
    private record Platform(Path home, Optional<PackedFile> classes) implements Installation {
        @Override
        public ContentId archive(Set<String> roles, Path target) {
            throw new IllegalStateException("the compressed archive is enough");
        }

        @Override
        public PackedFile compressed(Set<String> roles, Path otherwise) {
            assertEquals(Set.of("driver", "executor", "am"), roles);
            try {
                Files.write(otherwise, ARCHIVE);
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
            MessageDigest digest = ContentId.digest();
            digest.update(ARCHIVE);
            return new PackedFile(ContentId.of(digest), otherwise);
        }
    }

    /** Commands of processes elsewhere, without any process. */
    private static final class Commands implements ProcessLauncher {
        @Override
        public ChildProcess start(ChildSpec spec) {
            throw new IllegalStateException("no process is started here");
        }

        @Override
        public List<String> command(String role, List<String> jvmOptions, String home) {
            List<String> words = new ArrayList<>(List.of("java"));
            words.addAll(jvmOptions);
            words.add(home);
            words.add(role);
            return words;
        }
    }

    private final class Services implements SubmissionServices {
        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public RpcEnv rpc() {
            throw new UnsupportedOperationException("submissions to YARN send no messages");
        }

        @Override
        public Settings settings() {
            return Settings.empty().with("test", settings);
        }

        @Override
        public Executor blocking() {
            return loop;
        }

        @Override
        public Path home() {
            return directory;
        }

        @Override
        public Map<String, String> environment() {
            return Map.of("XDG_CACHE_HOME", directory.toString());
        }

        @Override
        public boolean sendsFiles() {
            return true;
        }

        @Override
        public CompletionStage<Void> stopped() {
            return stopped;
        }
    }

    private YarnSubmitter submitter() {
        SubmissionTools.Sessions sessions = new SubmissionTools.Sessions() {
            @Override
            public Executor under(Executor blocking) {
                return blocking;
            }

            @Override
            public YarnSession open(HadoopSite site, Settings given) {
                return yarn;
            }
        };
        SubmissionTools tools =
                new SubmissionTools(new Platform(directory, classes), new Commands(), () -> BundleSet.NONE, sessions);
        return new YarnSubmitter(tools, yarn.disk::now);
    }

    /** Submits, and leaves the outcome to what the cluster and the lines show. */
    private void submit() {
        CompletableFuture<SubmissionId> ignored = begin();
    }

    private CompletableFuture<SubmissionId> begin() {
        SubmissionPlan built =
                plan.settings(Settings.empty().with("test", settings)).build();
        String random = built.requestId().isEmpty() ? "random-" + submissions++ : built.requestId();
        CompletableFuture<SubmissionId> accepted = submitter()
                .submit(built, MASTER, new Services(), this, random, "sesame")
                .toCompletableFuture();
        loop.turn();
        return accepted;
    }

    private Map<String, ContainerFile> files(String id) {
        Map<String, ContainerFile> files = new LinkedHashMap<>();
        yarn.submitted.get(id).launch().orElseThrow().files().forEach(file -> files.put(file.link(), file));
        return files;
    }

    private long bytes() {
        return lines.stream()
                .filter(line -> line.startsWith("uploaded "))
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                .reduce((first, last) -> last)
                .orElse(-1);
    }

    @Test
    void submitsAndFollowsToTheEnd() {
        assertEquals(ID, begin().join().value());
        assertEquals("Application ID is assigned: " + ID, lines.get(0));
        assertTrue(lines.contains("Submitting application " + ID + " to ResourceManager"));
        assertTrue(lines.contains("Submitted application " + ID));
        assertEquals(
                Set.of("hearth", "hadoop-conf", "hearth.orders", "app/" + jarHash() + "-app.jar"),
                files(ID).keySet());
        yarn.report(ID, State.RUNNING, Outcome.UNDEFINED, "");
        loop.pass(Duration.ofMillis(100));
        assertTrue(lines.contains("\t Driver Logs (stderr): http://nm/stderr"), lines::toString);
        yarn.report(ID, State.FINISHED, Outcome.SUCCEEDED, "exit status 0\n");
        loop.pass(Duration.ofMillis(200));
        SubmissionStatus last = statuses.get(statuses.size() - 1);
        assertEquals(SubmissionState.FINISHED, last.state());
        assertEquals(List.of(), yarn.disk.list("/user/alice/.hearthStaging"));
        assertEquals(List.of(), yarn.disk.list("/user/alice/.hearth/store/leases"));
    }

    private String jarHash() {
        MessageDigest digest = ContentId.digest();
        digest.update("code of the application".getBytes(UTF_8));
        return ContentId.of(digest).sha256();
    }

    @Test
    void sendsNoCodeTheSecondTime() {
        submit();
        assertTrue(bytes() > ARCHIVE.length, lines::toString);
        long orders = files(ID).get("hearth.orders").bytes();
        yarn.disk.forgetCalls();
        submit();
        assertEquals(orders, bytes(), "only the orders are sent");
        assertTrue(yarn.disk.calls() <= 12, () -> "calls of the file system: " + yarn.disk.calls());
        assertEquals(
                files(ID).get("hearth"), files(SimulatedYarn.id(2)).get("hearth"), "time and size of what nodes have");
    }

    @Test
    void sendsTheChangedJarAlone() throws IOException {
        submit();
        Files.writeString(directory.resolve("app.jar"), "newer code of the application");
        submit();
        assertEquals(
                files(SimulatedYarn.id(2)).get("hearth.orders").bytes() + "newer code of the application".length(),
                bytes());
    }

    @Test
    void keepsFilesOfOneUserForThatUser() {
        submit();
        assertTrue(files(ID).values().stream().allMatch(file -> file.visibility() != Visibility.PUBLIC));
        assertEquals(Visibility.APPLICATION, files(ID).get("hearth.orders").visibility());
    }

    @Test
    void sharesTheStoreOfASite() {
        yarn.disk.directory("/user/alice/.hearth/store", 0755);
        submit();
        assertEquals(Visibility.PUBLIC, files(ID).get("hearth").visibility());
    }

    @Test
    void uploadsNothingForAnApplicationThatCannotRun() {
        yarn.memory = 1024;
        CompletableFuture<SubmissionId> accepted = begin();
        CompletionException refused = assertThrows(CompletionException.class, accepted::join);
        assertTrue(refused.getMessage().contains("above the max threshold (1024 MB)"), refused::getMessage);
        assertEquals(List.of(), yarn.disk.paths());
    }

    @Test
    void findsTheApplicationWhoseAnswerWasLost() {
        yarn.lostAnswers = 1;
        assertEquals(ID, begin().join().value());
        assertEquals(1, yarn.submitted.size());
    }

    @Test
    void submitsAgainWhatTheClusterHasNotSeen() {
        yarn.lostAnswers = 2;
        yarn.answersAreLostBefore = true;
        assertEquals(ID, begin().join().value());
    }

    @Test
    void leavesNothingIfTheClusterDoesNotAnswer() {
        yarn.lostAnswers = 3;
        yarn.answersAreLostBefore = true;
        CompletableFuture<SubmissionId> accepted = begin();
        assertThrows(CompletionException.class, accepted::join);
        assertEquals(List.of(), yarn.disk.list("/user/alice/.hearthStaging"));
        assertEquals(List.of(), yarn.disk.list("/user/alice/.hearth/store/leases"));
    }

    @Test
    void startsNoSecondDriverForOneRequest() {
        plan = plan.requestId("nightly");
        assertEquals(ID, begin().join().value());
        assertEquals(ID, begin().join().value());
        assertEquals(1, yarn.submitted.size());
    }

    @Test
    void stagesAgainWhenTheStoreHasVanishedUnderASubmission() {
        submit();
        yarn.disk.remove("/user/alice/.hearth");
        yarn.report(
                ID, State.FAILED, Outcome.FAILED, "java.io.FileNotFoundException: File does not exist: hdfs://nn/ab");
        loop.pass(Duration.ofMillis(100));
        String second = SimulatedYarn.id(2);
        assertTrue(yarn.submitted.containsKey(second), lines::toString);
        assertTrue(yarn.disk.paths().stream().anyMatch(path -> path.endsWith("-app.jar")));
        assertEquals(List.of(), losses);
    }

    @Test
    void undoesASubmissionThatTheUserEnds() {
        stopped.complete(null);
        CompletableFuture<SubmissionId> accepted = begin();
        CompletionException refused = assertThrows(CompletionException.class, accepted::join);
        assertTrue(refused.getMessage().contains("ended by the user"));
        assertEquals(Map.of(), yarn.submitted);
        assertEquals(List.of(), yarn.disk.paths());
    }

    @Test
    void endsBeforeTheApplicationWithoutAWait() {
        settings.put("hearth.yarn.submit.waitAppCompletion", "false");
        submit();
        assertEquals("Submitted application " + ID, lines.get(lines.size() - 1));
        loop.pass(Duration.ofSeconds(5));
        assertEquals(List.of(), statuses);
    }

    @Test
    void tellsTheEndOfTheDriverWithItsErrors() {
        submit();
        yarn.report(ID, State.FINISHED, Outcome.FAILED, "exit status 3\nno input\n\nerror: no input");
        loop.pass(Duration.ofMillis(100));
        SubmissionStatus last = statuses.get(statuses.size() - 1);
        assertEquals(3, last.exitStatus().orElse(-1));
        assertTrue(lines.contains("error: no input"));
    }

    @Test
    void passesTheTagsAndTheQueueOn() {
        settings.put("hearth.yarn.tags", "livy-1,nightly");
        settings.put("hearth.yarn.queue", "batch");
        submit();
        assertEquals(
                Set.of("livy-1", "nightly", "hearth-random-0"),
                yarn.submitted.get(ID).tags());
        assertEquals("batch", yarn.submitted.get(ID).queue().queue());
        assertFalse(yarn.submitted.get(ID).keepsContainers());
    }

    @Test
    void usesFilesOfTheClusterInPlaceAndCopiesOthers() throws IOException {
        yarn.disk.write("/data/f.txt", 0644, 0, () -> Files.newInputStream(directory.resolve("app.jar")));
        settings.put("hearth.yarn.dist.files", "hdfs://nn:8020/data/f.txt,https://host/g.txt");
        submit();
        assertEquals("hdfs://nn:8020/data/f.txt", files(ID).get("f.txt").address());
        assertTrue(files(ID).get("g.txt").address().contains("/.hearth/store/"));
        assertEquals("https://host/g.txt".length(), files(ID).get("g.txt").bytes());
    }

    @Test
    void sendsTheArchiveOfClassesOnceWithThatOfTheInstallation() throws IOException {
        Path file = Files.write(directory.resolve("classes.tgz"), new byte[] {1, 2, 3});
        classes = Optional.of(new PackedFile(ContentId.of(file), file));
        submit();
        ContainerFile staged = files(ID).get("classes");
        assertTrue(staged.address().endsWith("-classes.tar.gz"), staged.address());
        assertEquals(ContainerFile.Kind.ARCHIVE, staged.kind());
        assertEquals(3, staged.bytes());
        String orders = files(ID).get("hearth.orders").address().replaceFirst("hdfs://[^/]*", "");
        assertTrue(yarn.disk.read(orders).orElseThrow().contains("classes.tar.gz"), "executors use it, too");
    }

    @Test
    void sendsNoArchiveOfClassesBesideAnInstallationThatIsThere() throws IOException {
        Path file = Files.write(directory.resolve("classes.tgz"), new byte[] {1, 2, 3});
        classes = Optional.of(new PackedFile(ContentId.of(file), file));
        yarn.disk.write("/opt/hearth.tar", 0644, 0, () -> Files.newInputStream(file));
        settings.put("hearth.yarn.archive", "hdfs://nn:8020/opt/hearth.tar");
        submit();
        assertFalse(files(ID).containsKey("classes"), "its jars may be others");
    }

    @Test
    void replicatesFilesAsOftenAsIsSet() {
        submit();
        String archive = yarn.disk.paths().stream()
                .filter(path -> path.endsWith("-platform.tar.gz"))
                .findFirst()
                .orElseThrow();
        assertEquals(2, yarn.disk.replication(archive), "one for each of the two nodes");
        yarn.disk.remove("/user/alice/.hearth");
        settings.put("hearth.yarn.submit.file.replication", "5");
        submit();
        yarn.disk.paths().stream()
                .filter(path -> path.matches("/user/alice/.hearth/store/[0-9a-f]{2}/.*"))
                .forEach(path -> assertEquals(5, yarn.disk.replication(path), path));
    }

    @Test
    void printsNoWordThatCouldBeAnotherId() {
        plan = plan.name("application_name");
        submit();
        yarn.report(
                ID, State.FINISHED, Outcome.FAILED, "exit status 1\napplication_9_9 failed\n\nerror: application_9");
        loop.pass(Duration.ofMillis(100));
        for (String line : lines) {
            assertEquals(line.replaceAll("application[0-9_]+", ID), line);
        }
    }

    @Test
    void answersAndKillsByIdAndByPattern() {
        submit();
        submit();
        assertEquals(SubmissionState.SUBMITTED, ask(ID).get(0).state());
        assertEquals(2, ask("application_17*").size());
        List<SubmissionStatus> before = submitter()
                .kill(new SubmissionPattern(ID), MASTER, new Services(), Settings.empty())
                .toCompletableFuture()
                .getNow(List.of());
        loop.turn();
        assertEquals(List.of(), before);
        assertEquals(List.of(ID), yarn.killed);
        assertEquals(SubmissionState.KILLED, ask(ID).get(0).state());
        CompletionException unknown = assertThrows(CompletionException.class, () -> ask("application_1_0001"));
        assertTrue(unknown.getMessage().contains("does not know it"));
        assertThrows(CompletionException.class, () -> ask("driver-1"));
    }

    private List<SubmissionStatus> ask(String pattern) {
        CompletableFuture<List<SubmissionStatus>> answer = submitter()
                .status(new SubmissionPattern(pattern), MASTER, new Services(), Settings.empty())
                .toCompletableFuture();
        loop.turn();
        return answer.join();
    }
}
