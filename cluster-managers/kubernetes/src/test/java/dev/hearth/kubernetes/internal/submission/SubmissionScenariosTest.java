package dev.hearth.kubernetes.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.sweep.SweepShell;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Submissions to a simulated API server: refusals, faults, cancellation and death at every point. */
class SubmissionScenariosTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Submission.Times TIMES = new Submission.Times(MINUTE, Duration.ZERO);

    private Simulation simulation = new Simulation(1);
    private SimulatedApiServer server = new SimulatedApiServer(simulation);
    private int submitters;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    /** One submitter, and what it has learned. */
    private final class Submitting {
        private final List<String> warnings = new ArrayList<>();
        private final DriverObjects objects;
        private final SimulatedProcess process;
        private final EventLoop loop;
        private Optional<String> podUid = Optional.empty();
        private Optional<Throwable> failure = Optional.empty();
        private SubmissionShell shell;

        Submitting(int number, Submission.Times times) {
            this(number, times, Map.of());
        }

        Submitting(int number, Submission.Times times, Map<String, String> settings) {
            objects = DriverFixtures.objects(number, settings);
            process = simulation.process("submitter-" + ++submitters);
            loop = process.loop("submission");
            loop.execute(() -> {
                shell = new SubmissionShell(server, loop, objects, ServerVersion.NEWEST, times, warnings::add);
                shell.begin().whenComplete((uid, why) -> {
                    podUid = Optional.ofNullable(uid);
                    failure = Optional.ofNullable(why);
                });
            });
        }

        void stop() {
            loop.execute(() -> shell.stop());
        }

        boolean ended() {
            return podUid.isPresent() || failure.isPresent();
        }

        String failureText() {
            return failure.map(Throwable::getMessage).orElse("none");
        }
    }

    private void sweep() {
        EventLoop loop = simulation.process("sweep").loop("sweep");
        loop.execute(() -> new SweepShell(server, loop, SweepShell.AGE).run());
        simulation.runFor(MINUTE);
    }

    @Test
    void createsTheSecretFirstAndHandsItToTheDriver() {
        Submitting submitting = new Submitting(1, TIMES);
        assertTrue(simulation.runUntil(submitting::ended, MINUTE));
        simulation.runFor(Duration.ofSeconds(1));

        DriverObjects objects = submitting.objects;
        assertEquals(objects.secretName(), server.posts().get(0));
        assertEquals(submitting.podUid, server.ownerOf(Resource.SECRET, objects.secretName()));
        assertFalse(server.labelsOf(Resource.SECRET, objects.secretName()).containsKey(DriverObjects.PENDING));
        assertEquals(4, server.size());
        assertEquals(List.of(), submitting.warnings);

        server.deleteByStranger(objects.podName(), 0);
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names());
    }

    private static final String CLAIM = "hearth.kubernetes.driver.volumes.persistentVolumeClaim.";
    private static final Map<String, String> CLAIMS = Map.of(
            CLAIM + "a.mount.path", "/a",
            CLAIM + "a.options.claimName", "OnDemand",
            CLAIM + "a.options.sizeLimit", "1Gi",
            CLAIM + "b.mount.path", "/b",
            CLAIM + "b.options.claimName", "OnDemand",
            CLAIM + "b.options.sizeLimit", "2Gi");

    @Test
    void createsTheClaimsOfTheDriverBeforeItsPod() {
        Submitting submitting = new Submitting(1, TIMES, CLAIMS);
        assertTrue(simulation.runUntil(submitting::ended, MINUTE));
        assertTrue(submitting.podUid.isPresent(), submitting::failureText);
        DriverObjects objects = submitting.objects;
        List<String> posts = server.posts();
        assertEquals(objects.secretName(), posts.get(0));
        assertEquals(objects.podName(), posts.get(posts.size() - 1));
        assertEquals(2, server.mountedBy(objects.podName()).size());
        assertTrue(posts.containsAll(server.mountedBy(objects.podName())), posts::toString);

        server.deleteByStranger(objects.podName(), 0);
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names(), "the claims go with the secret, and that with the pod");
    }

    @Test
    void deletesTheSecretIfAClaimIsRefused() {
        server.refusals.put(
                Resource.PERSISTENT_VOLUME_CLAIM, new Answer.Refused(RefusalKind.DENIED, "claims is forbidden"));
        Submitting submitting = new Submitting(1, TIMES, CLAIMS);
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(3)));
        simulation.runFor(MINUTE);
        assertTrue(
                submitting.failureText().contains("claim pi-0000000000000001-driver-pvc-0"), submitting::failureText);
        assertEquals(List.of(), server.names());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void leavesNoClaimWhenItIsStopped(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        server.faultRate = seed % 3 == 0 ? 0 : 0.1;
        Submitting submitting = new Submitting(1, TIMES, CLAIMS);
        simulation.always(
                "no driver without its claims",
                () -> server.pods("spark-role=driver").isEmpty()
                        || server.names(Resource.PERSISTENT_VOLUME_CLAIM, "spark-role=driver")
                                        .size()
                                == 2
                        || submitting.ended());
        simulation.runFor(Duration.ofMillis(simulation.random().nextInt(seed % 2 == 0 ? 250 : 20_000)));
        submitting.stop();
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(9)));
        server.faultRate = 0;
        simulation.runFor(Duration.ofMinutes(11));
        server.deleteByStranger(submitting.objects.podName(), 0);
        sweep();
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names());
    }

    @Test
    void refusesWhatTheClusterRefuses() {
        server.refusals.put(Resource.SECRET, new Answer.Refused(RefusalKind.DENIED, "secrets is forbidden"));
        Submitting submitting = new Submitting(1, TIMES);
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(3)));

        assertTrue(submitting.failureText().contains("secrets is forbidden"), submitting::failureText);
        assertTrue(submitting.failureText().contains("the role that docs/kubernetes.md names"));
        assertEquals(1, server.posts().size());
        assertEquals(0, server.size());
    }

    @Test
    void deletesTheSecretIfTheDriverIsRefused() {
        server.refusal = Optional.of(new Answer.Refused(RefusalKind.WEBHOOK_DENIED, "admission webhook: no"));
        Submitting submitting = new Submitting(1, TIMES);
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(3)));
        simulation.runFor(MINUTE);

        assertTrue(submitting.failureText().contains("admission webhook: no"));
        assertEquals(List.of(), server.names());
    }

    @Test
    void doesWithoutServiceAndPolicy() {
        server.refusals.put(Resource.SERVICE, new Answer.Refused(RefusalKind.DENIED, "services is forbidden"));
        server.refusals.put(Resource.NETWORK_POLICY, new Answer.Refused(RefusalKind.DENIED, "policies forbidden"));
        Submitting submitting = new Submitting(1, TIMES);
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(3)));

        assertTrue(submitting.podUid.isPresent(), submitting::failureText);
        assertEquals(2, submitting.warnings.size());
    }

    @Test
    void refusesAtOnceWhatAQuotaForbids() {
        server.quota = 0;
        Submitting submitting = new Submitting(1, TIMES);
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(3)));
        simulation.runFor(MINUTE);

        assertTrue(submitting.failureText().contains("exceeded quota"));
        assertEquals(List.of(), server.names());
    }

    @Test
    void waitsForAQuotaIfTold() {
        server.quota = 0;
        Submitting submitting = new Submitting(1, new Submission.Times(MINUTE, Duration.ofMinutes(10)));
        simulation.runFor(Duration.ofMinutes(5));
        assertFalse(submitting.ended());
        assertEquals(1, submitting.warnings.size());

        server.quota = 1;
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(5)));
        assertTrue(submitting.podUid.isPresent());
    }

    @Test
    void givesUpOnAnApiServerThatIsAway() {
        server.away = true;
        Submitting submitting = new Submitting(1, TIMES);
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(75)));
        assertTrue(submitting.failureText().contains("connection refused"), submitting::failureText);
        assertTrue(server.posts().size() < 30, () -> server.posts().size() + " requests");
    }

    @Test
    void recognisesItsOwnObjects() {
        Submitting first = new Submitting(1, TIMES);
        assertTrue(simulation.runUntil(first::ended, MINUTE));
        Submitting again = new Submitting(1, TIMES); // a retry with the same request id
        assertTrue(simulation.runUntil(again::ended, MINUTE));

        assertEquals(first.podUid, again.podUid);
        assertEquals(1, server.pods("spark-role=driver").size());
    }

    @Test
    void takesNoPodOfAnotherSubmission() {
        Map<String, String> named = Map.of("hearth.kubernetes.driver.pod.name", "pi");
        Submitting first = new Submitting(1, TIMES, named);
        assertTrue(simulation.runUntil(first::ended, MINUTE));
        Submitting second = new Submitting(2, TIMES, named);
        assertTrue(simulation.runUntil(second::ended, MINUTE));
        simulation.runFor(MINUTE);

        assertTrue(second.failureText().contains("an object named pi exists already"), second::failureText);
        assertTrue(server.exists(Resource.POD, "pi"));
        assertFalse(server.exists(Resource.SECRET, second.objects.secretName()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void leavesNothingWhenItIsStopped(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        server.faultRate = seed % 3 == 0 ? 0 : 0.1;
        Submitting submitting = new Submitting(1, TIMES);
        simulation.runFor(Duration.ofMillis(simulation.random().nextInt(seed % 2 == 0 ? 150 : 20_000)));
        boolean accepted = submitting.podUid.isPresent();
        submitting.stop();
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofSeconds(9)));
        server.faultRate = 0;
        simulation.runFor(Duration.ofMinutes(11));

        if (submitting.podUid.isPresent()) {
            assertTrue(accepted || server.exists(Resource.POD, submitting.objects.podName()));
            server.deleteByStranger(submitting.objects.podName(), 0);
            simulation.runFor(MINUTE);
            sweep();
        } else if (!server.names().isEmpty()) { // it said so
            assertTrue(submitting.failureText().contains("may be left"), submitting::failureText);
            server.deleteByStranger(submitting.objects.podName(), 0); // as it says
            sweep();
        }
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void leavesAtMostTheSecretWhenItDies(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        server.faultRate = seed % 2 == 0 ? 0 : 0.1;
        Submitting submitting = new Submitting(1, TIMES);
        simulation.runFor(Duration.ofMillis(simulation.random().nextInt(seed % 2 == 0 ? 120 : 15_000)));
        submitting.process.crash();
        server.faultRate = 0;
        simulation.runFor(Duration.ofMinutes(11));

        boolean driver = server.exists(Resource.POD, submitting.objects.podName());
        assertTrue(driver
                || server.names().stream()
                                .filter(name -> name.endsWith("-submission"))
                                .count()
                        <= 1);
        sweep();
        assertEquals(driver, server.exists(Resource.POD, submitting.objects.podName()), "the driver runs on");
        if (driver) {
            assertTrue(server.ownerOf(Resource.SECRET, submitting.objects.secretName())
                    .isPresent());
            server.deleteByStranger(submitting.objects.podName(), 0);
        }
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void isAcceptedOnceInSpiteOfFaults(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        server.faultRate = 0.1;
        Submitting submitting = new Submitting(1, new Submission.Times(Duration.ofMinutes(10), Duration.ZERO));
        simulation.always(
                "at most one driver", () -> server.pods("spark-role=driver").size() <= 1);
        simulation.always(
                "no driver without its secret",
                () -> server.pods("spark-role=driver").isEmpty()
                        || server.exists(Resource.SECRET, submitting.objects.secretName()));
        assertTrue(simulation.runUntil(submitting::ended, Duration.ofMinutes(10)));
        assertTrue(submitting.podUid.isPresent(), submitting::failureText);
    }

    @Test
    void repeatsTheSameForTheSameSeed() {
        assertEquals(trace(7), trace(7));
    }

    private static List<String> trace(long seed) {
        SubmissionScenariosTest run = new SubmissionScenariosTest();
        run.simulation = new Simulation(seed);
        run.server = new SimulatedApiServer(run.simulation);
        run.server.faultRate = 0.15;
        Submitting submitting = run.new Submitting(1, TIMES);
        run.simulation.runFor(MINUTE);
        List<String> trace = new ArrayList<>(run.server.posts());
        trace.addAll(run.server.names());
        trace.add(submitting.failureText());
        return trace;
    }
}
