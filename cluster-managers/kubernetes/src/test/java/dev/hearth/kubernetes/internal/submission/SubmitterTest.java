package dev.hearth.kubernetes.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole submissions in cluster mode, from the plan to the end of the driver, on a simulated API server. */
class SubmitterTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String POD = "pi-0000000000000001-driver";
    private static final String CONTAINER = DriverObjects.CONTAINER;
    private static final SubmissionId ID = new SubmissionId("default:" + POD);

    @TempDir
    private Path directory;

    private Simulation simulation = new Simulation(1);
    private SimulatedApiServer server = new SimulatedApiServer(simulation);
    private final Told told = new Told();
    private Optional<SubmissionId> accepted = Optional.empty();
    private Optional<Throwable> failure = Optional.empty();

    /** Listener that records the lines, states and output for the user. */
    private static final class Told implements SubmissionListener {
        private final List<String> lines = new ArrayList<>();
        private final List<SubmissionStatus> statuses = new ArrayList<>();
        private final StringBuilder output = new StringBuilder();
        private String lost = "";

        @Override
        public void changed(SubmissionStatus status) {
            statuses.add(status);
        }

        @Override
        public void said(String line) {
            lines.add(line);
        }

        @Override
        public void wrote(String text) {
            output.append(text);
        }

        @Override
        public void lost(String reason) {
            lost = reason;
        }

        SubmissionState state() {
            return statuses.isEmpty()
                    ? SubmissionState.SUBMITTED
                    : statuses.get(statuses.size() - 1).state();
        }

        boolean ended() {
            return state().isFinal() || !lost.isEmpty();
        }
    }

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    private static Settings settings(Map<String, String> given) {
        Map<String, String> values = new LinkedHashMap<>(Map.of("hearth.kubernetes.container.image", "hearth:1"));
        values.putAll(given);
        return Settings.empty().with("test", values);
    }

    private SendingServices submit(Map<String, String> given) {
        return submit(given, List.of());
    }

    private SendingServices submit(Map<String, String> given, List<SubmissionResource> resources) {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi")
                .settings(settings(given))
                .resources(resources)
                .build();
        EventLoop loop = simulation.process("submitter").loop("submission");
        SendingServices services = new SendingServices(loop, plan.settings(), directory);
        loop.execute(() -> new Submitter(
                        plan,
                        services,
                        told,
                        cluster -> server,
                        new Submitter.Randomness(DriverFixtures.random(1), "proof"),
                        "1.0")
                .submit()
                .whenComplete((id, why) -> {
                    accepted = Optional.ofNullable(id);
                    failure = Optional.ofNullable(why);
                }));
        return services;
    }

    private <T> T ask(String name, Map<String, String> given, Function<DriverQueries, CompletionStage<T>> question) {
        EventLoop loop = simulation.process(name).loop("submission");
        List<T> answers = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        loop.execute(() -> question.apply(new DriverQueries(
                        MasterUrl.parse("k8s://https://h:6443"),
                        new SendingServices(loop, settings(given), directory) {
                            @Override
                            public void said(String line) {
                                told.said(line);
                            }
                        },
                        cluster -> server))
                .whenComplete((answer, why) -> {
                    if (why == null) {
                        answers.add(answer);
                    } else {
                        failures.add(why);
                    }
                }));
        assertTrue(simulation.runUntil(() -> !answers.isEmpty() || !failures.isEmpty(), MINUTE));
        assertEquals(List.of(), failures);
        return answers.get(0);
    }

    @Test
    void runsADriverToItsEnd() {
        submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, Duration.ofSeconds(5)));
        assertEquals(Optional.of(ID), accepted);
        server.log = "3.14\n";
        server.end(POD, 0, "Completed");
        assertTrue(simulation.runUntil(told::ended, Duration.ofSeconds(5)));

        SubmissionStatus last = told.statuses.get(told.statuses.size() - 1);
        assertEquals(SubmissionState.FINISHED, last.state());
        assertEquals("3.14\n", last.output());
        assertEquals(
                "Waiting for application pi with application ID spark-" + DriverFixtures.random(1)
                        + " and submission ID " + ID + " to finish...",
                told.lines.get(0));
        assertTrue(told.lines.contains("\t pod name: " + POD));
    }

    @Test
    void endsWithTheStatusOfTheDriver() {
        submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, Duration.ofSeconds(5)));
        server.log = "error: no input\n";
        server.end(POD, 3, "Error");
        assertTrue(simulation.runUntil(told::ended, Duration.ofSeconds(5)));
        SubmissionStatus last = told.statuses.get(told.statuses.size() - 1);
        assertEquals(3, last.exitStatus().orElse(0));
        assertEquals("error: no input\n", last.errors());
    }

    @Test
    void namesTheReasonOfTheClusterIfTheDriverSaidNone() {
        submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, Duration.ofSeconds(5)));
        server.log = "3.1\n";
        server.end(POD, 137, "OOMKilled");
        assertTrue(simulation.runUntil(told::ended, Duration.ofSeconds(5)));
        SubmissionStatus last = told.statuses.get(told.statuses.size() - 1);
        assertEquals("3.1\n", last.output());
        assertEquals("", last.errors());
        assertTrue(last.message().contains("OOMKilled: raise hearth.driver.memory"), last::message);
    }

    @Test
    void followsASupervisedDriverOverItsRestarts() {
        submit(Map.of("hearth.driver.supervise", "true"));
        for (int i = 0; i < 2; i++) {
            assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
            server.change(POD, pod -> pod.in("Running", ContainerFacts.ended(CONTAINER, 1, "Error", "")));
            assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RELAUNCHING, MINUTE));
            server.change(POD, pod -> pod.in("Running", ContainerFacts.waiting(CONTAINER, "CrashLoopBackOff", "")));
            simulation.runFor(MINUTE);
            assertEquals(SubmissionState.RELAUNCHING, told.state());
            server.change(POD, pod -> pod.in("Running", ContainerFacts.running(CONTAINER)));
        }
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
        server.end(POD, 0, "Completed");
        assertTrue(simulation.runUntil(told::ended, MINUTE));
        assertEquals(SubmissionState.FINISHED, told.state());
        assertEquals(1, server.posts().stream().filter(POD::equals).count(), "one pod for all starts");
    }

    @Test
    void sendsTheFilesAgainWhenASupervisedDriverFailsMeanwhile() throws IOException {
        Path jar = Files.write(directory.resolve("large.jar"), new byte[(int) SubmissionSettings.CARRIED_OF_MAX + 1]);
        submit(
                Map.of("hearth.driver.supervise", "true"),
                List.of(SubmissionResource.of(SubmissionResource.Kind.APPLICATION_JAR, jar.toString())));
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
        server.change(POD, pod -> pod.in("Running", ContainerFacts.ended(CONTAINER, 137, "OOMKilled", "")));
        simulation.runFor(MINUTE); // the port cannot be forwarded meanwhile
        assertEquals(SubmissionState.RELAUNCHING, told.state());
        assertTrue(server.exists(Resource.POD, POD), told.lines::toString);
        server.change(POD, pod -> pod.in("Running", ContainerFacts.running(CONTAINER)));
        assertTrue(simulation.runUntil(told::ended, MINUTE)); // this simulation forwards no port at all
        assertTrue(told.lines.stream().anyMatch(line -> line.startsWith("error: files of the submission")));
    }

    @Test
    void returnsAtOnceIfItIsNotToWait() {
        submit(Map.of("hearth.kubernetes.submission.waitAppCompletion", "false"));
        assertTrue(simulation.runUntil(() -> accepted.isPresent(), Duration.ofSeconds(1)));
        assertEquals(
                List.of("Deployed Spark application pi with application ID spark-" + DriverFixtures.random(1)
                        + " and submission ID " + ID + " into Kubernetes"),
                told.lines);
        int lists = server.lists();
        simulation.runFor(MINUTE);
        assertEquals(lists, server.lists());
        assertEquals(List.of(), told.statuses);
    }

    @Test
    void printsInsteadOfCreating() {
        submit(Map.of("hearth.kubernetes.dryRun", "true", "hearth.driver.extraJavaOptions", "-Da=b"));
        assertTrue(simulation.runUntil(told::ended, Duration.ofSeconds(1)));
        assertEquals(List.of(), server.posts());
        String text = told.output.toString();
        assertEquals(4, text.split("(?m)^---\n", -1).length - 1);
        assertTrue(text.contains("# The least role of the driver's account:\n# ---\n# apiVersion: rbac"), text);
        assertFalse(text.contains("portforward"), text);
        assertTrue(text.contains("kind: Secret\n") && text.contains("kind: Pod\n"), text);
        assertTrue(text.contains("not shown"), text);
        assertTrue(text.contains("-Da=b"), text);
    }

    @Test
    void printsWhatTemplatesAndVolumesMake() throws IOException {
        Path template = Files.writeString(directory.resolve("pod.yaml"), "spec: {priorityClassName: high}");
        String claim = ".volumes.persistentVolumeClaim.data.";
        submit(Map.of(
                "hearth.kubernetes.dryRun",
                "true",
                "hearth.kubernetes.driver.podTemplateFile",
                template.toString(),
                "hearth.kubernetes.executor.podTemplateFile",
                template.toString(),
                "hearth.kubernetes.driver" + claim + "mount.path",
                "/data",
                "hearth.kubernetes.driver" + claim + "options.claimName",
                "OnDemand",
                "hearth.kubernetes.driver" + claim + "options.sizeLimit",
                "1Gi",
                "hearth.kubernetes.executor" + claim + "mount.path",
                "/data",
                "hearth.kubernetes.executor" + claim + "options.claimName",
                "OnDemand",
                "hearth.kubernetes.executor" + claim + "options.sizeLimit",
                "2Gi"));
        assertTrue(simulation.runUntil(told::ended, Duration.ofSeconds(1)));
        assertEquals(List.of(), server.posts());
        String text = told.output.toString();
        assertTrue(text.contains("\n  priorityClassName: high\n"), text);
        assertTrue(text.contains("\n#   priorityClassName: high\n"), text);
        assertTrue(
                text.contains("kind: PersistentVolumeClaim\nmetadata:\n  name: pi-0000000000000001-driver-pvc-0\n"),
                text);
        assertTrue(text.contains("# A claim that the driver creates for volume data:\n"), text);
        assertTrue(text.contains("#       claimName: pi-0000000000000001-exec-pvc-1\n"), text);
        assertTrue(
                text.contains("#   - persistentvolumeclaims\n#   verbs:\n#   - create\n#   - get\n#   - delete"), text);
    }

    @Test
    void asksForTheVersionOfTheServerForClaims() {
        server.serverVersion = "1.20";
        String claim = "hearth.kubernetes.driver.volumes.persistentVolumeClaim.data.";
        submit(Map.of(
                claim + "mount.path", "/data",
                claim + "options.claimName", "OnDemand",
                claim + "options.sizeLimit", "1Gi"));
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, Duration.ofSeconds(5)));
        String text = server.object(Resource.PERSISTENT_VOLUME_CLAIM, "pi-0000000000000001-driver-pvc-0")
                .orElseThrow()
                .json();
        assertTrue(text.contains("\"ReadWriteOnce\""), text);
    }

    @Test
    void deletesWhatItCreatedWhenTheUserEndsIt() {
        server.delay = Duration.ofMillis(200);
        SendingServices services = submit(Map.of());
        assertTrue(simulation.runUntil(() -> server.size() > 1, MINUTE));
        services.stopped.complete(null);
        assertTrue(simulation.runUntil(() -> failure.isPresent(), Duration.ofSeconds(9)));
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names());
        assertTrue(failure.get().getMessage().contains("stopped before the cluster had accepted it"));
    }

    @Test
    void leavesARunningDriverWhenTheUserEndsTheWait() {
        SendingServices services = submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
        services.stopped.complete(null);
        simulation.runFor(MINUTE);
        assertTrue(server.exists(Resource.POD, POD));
    }

    @Test
    void endsWithADeletedPod() {
        submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
        server.deleteByStranger(POD, 30);
        assertTrue(simulation.runUntil(told::ended, MINUTE));
        assertEquals(SubmissionState.KILLED, told.state());
    }

    @Test
    void endsADriverWhoseImageIsMissing() {
        server.imageExists = false;
        submit(Map.of());
        assertTrue(simulation.runUntil(told::ended, Duration.ofSeconds(20)));
        assertEquals(SubmissionState.ERROR, told.state());
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void learnsTheEndInSpiteOfBrokenWatches(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
        server.faultRate = 0.05;
        for (int i = 0; i < 3; i++) {
            server.compact();
            server.breakWatches(
                    i == 1
                            ? new Answer.Unknown("connection reset")
                            : new Answer.Refused(RefusalKind.GONE, "too old resource version"));
            server.away = i == 2;
            simulation.runFor(Duration.ofSeconds(1 + simulation.random().nextInt(20)));
        }
        assertFalse(told.ended());
        server.end(POD, 5, "Error");
        server.away = false;
        server.faultRate = 0;
        assertTrue(simulation.runUntil(told::ended, Duration.ofMinutes(2)));
        assertEquals(SubmissionState.FAILED, told.state());
        assertEquals(5, told.statuses.get(told.statuses.size() - 1).exitStatus().orElse(0));
        assertEquals(
                1,
                told.statuses.stream()
                        .filter(status -> status.state().isFinal())
                        .count());
    }

    @Test
    void tellsAndKillsByIdAndByPattern() {
        submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
        told.lines.clear();

        List<SubmissionStatus> found =
                ask("status", Map.of(), queries -> queries.status(new SubmissionPattern(ID.value())));
        assertEquals(SubmissionState.RUNNING, found.get(0).state());
        assertEquals(ID, found.get(0).submission());
        assertEquals(
                "Submitting a request for the status of submission " + ID + " in k8s://https://h:6443.",
                told.lines.get(0));
        assertEquals("Application status (driver): ", told.lines.get(1));

        told.lines.clear();
        assertEquals(
                List.of(), ask("other", Map.of(), queries -> queries.status(new SubmissionPattern("default:other"))));
        assertEquals("Application not found.", told.lines.get(1));
        assertEquals(
                List.of(), ask("none", Map.of(), queries -> queries.kill(new SubmissionPattern("default:other*"))));
        assertEquals("No applications found.", told.lines.get(3));

        told.lines.clear();
        List<SubmissionStatus> killed = ask(
                "kill",
                Map.of("hearth.kubernetes.appKillPodDeletionGracePeriod", "7s"),
                queries -> queries.kill(new SubmissionPattern("default:pi*")));
        assertEquals(1, killed.size());
        assertEquals(
                List.of(
                        "Submitting a request to kill submission default:pi* in k8s://https://h:6443."
                                + " Grace period in secs: 7",
                        "Deleting driver pod: " + POD + "."),
                told.lines);
        simulation.runFor(MINUTE);
        assertFalse(server.exists(Resource.POD, POD));
    }

    @Test
    void killsNoPodThatIsNoDriver() {
        submit(Map.of());
        assertTrue(simulation.runUntil(() -> told.state() == SubmissionState.RUNNING, MINUTE));
        server.create(
                new ApiObject(Resource.POD, "web", Map.of("spark-role", "executor"), Optional.empty(), "{}"),
                answer -> {});
        simulation.runFor(MINUTE);
        assertEquals(List.of(), ask("kill", Map.of(), queries -> queries.kill(new SubmissionPattern("web"))));
        assertTrue(server.exists(Resource.POD, "web"));
        assertTrue(told.lines.contains(
                "Submitting a request to kill submission web in k8s://https://h:6443. Grace period in secs: not set."));
    }
}
