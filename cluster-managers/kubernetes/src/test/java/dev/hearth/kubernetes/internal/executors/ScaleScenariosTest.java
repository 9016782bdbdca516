package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large applications on a simulated API server, with bounds on requests and on virtual time. */
class ScaleScenariosTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Simulation simulation = new Simulation(1);
    private SimulatedApiServer server = new SimulatedApiServer(simulation);

    private SimulatedApplication application(int wanted, AllocatorSettings settings) {
        SimulatedApplication made = new SimulatedApplication(simulation, server, "app", settings);
        made.want(wanted);
        return made;
    }

    private SimulatedApplication running(int executors) {
        SimulatedApplication made = application(executors, AllocatorSettings.DEFAULTS);
        assertTrue(simulation.runUntil(() -> made.live.size() == executors, MINUTE));
        return made;
    }

    @Test
    void createsTenThousandPodsOnASlowServerWithinFiftySeconds() {
        server.delay = Duration.ofMillis(300);
        application(10_000, AllocatorSettings.DEFAULTS);
        assertTrue(simulation.runUntil(() -> server.size() == 10_001, Duration.ofSeconds(50)));
        assertTrue(server.posts().size() <= 10_010, () -> server.posts().size() + " requests");
    }

    @Test
    void replacesARackOfATenThousandByTenDeletions() {
        SimulatedApplication application = running(10_000);
        int posts = server.posts().size();
        List<String> rack = server.running(application.pods.selector()).subList(0, 1_000);

        rack.forEach(pod -> server.end(pod, 137, "Error"));
        assertTrue(simulation.runUntil(() -> application.lost.size() == 1_000, Duration.ofMillis(100)));
        assertTrue(simulation.runUntil(() -> application.live.size() == 10_000, MINUTE));

        assertEquals(1_000, server.posts().size() - posts);
        assertTrue(server.deletionRequests() <= 10, () -> server.deletionRequests() + " deletions");
    }

    @Test
    void takesBackTenThousandPodsBySixtyDeletions() {
        server.schedulable = false;
        SimulatedApplication application = application(10_000, AllocatorSettings.DEFAULTS);
        assertTrue(simulation.runUntil(() -> server.posts().size() >= 9_900, MINUTE));
        int before = server.posts().size();

        application.want(0);
        assertTrue(simulation.runUntil(() -> server.size() == 1, MINUTE), "the anchor alone is left");
        simulation.runFor(MINUTE);

        assertEquals(List.of(), server.pods(application.pods.selector()));
        assertTrue(server.posts().size() - before <= 64, () -> server.posts().size() - before + " requests");
        assertTrue(server.deletionRequests() <= 60, () -> server.deletionRequests() + " deletions");
    }

    @Test
    void boundsItsRequestsWhileTheWantedNumberOscillates() {
        server.schedulable = false;
        int pendingMax = 200;
        SimulatedApplication application = application(1_000, AllocatorScene.bounded(pendingMax, Integer.MAX_VALUE));
        int turns = 600;
        for (int i = 0; i < turns; i++) {
            application.want(i % 2 == 0 ? 100 : 1_000);
            simulation.runFor(Duration.ofMillis(100));
            assertTrue(application.backend.allocator().slots().pending() <= pendingMax);
            assertTrue(
                    application.backend.allocator().slots().size() <= 1_000,
                    () -> application.backend.allocator().slots().size() + " slots remembered");
        }
        // of each two turns, one takes half of the pending pods back and one requests as many
        assertTrue(
                server.posts().size() <= pendingMax + turns / 2 * (pendingMax / 2 + 64),
                () -> server.posts().size() + " requests");
        application.want(0);
        simulation.runFor(MINUTE);
        assertEquals(0, application.backend.allocator().slots().size());
    }

    @Test
    void listsOnceForEachGapAndNeverElse() {
        SimulatedApplication application = running(50);
        int lists = server.lists();
        simulation.runFor(Duration.ofMinutes(30));
        assertEquals(0, server.lists() - lists, "lists without a gap");

        server.compact();
        server.breakWatches(new Answer.Refused(RefusalKind.GONE, "too old resource version"));
        simulation.runFor(MINUTE);
        assertEquals(1, server.lists() - lists);
        assertEquals(Map.of(), application.lost);
    }

    @Test
    void sendsFewRequestsToAServerThatIsAway() {
        SimulatedApplication application = running(1_000);
        int before = server.posts().size();
        server.away = true;
        server.breakWatches(new Answer.Unknown("connection reset"));
        application.want(1_004);
        simulation.runFor(MINUTE);

        assertEquals(Map.of(), application.lost);
        assertTrue(server.posts().size() - before <= 12, () -> server.posts().size() - before + " requests");
        server.away = false;
        assertTrue(simulation.runUntil(() -> application.live.size() == 1_004, Duration.ofSeconds(15)));
    }

    @Test
    void spreadsTheAttemptsOfExecutorsThatEndAtTheirStart() {
        server.endsAtOnceWith = 1;
        SimulatedApplication application = application(10, AllocatorSettings.DEFAULTS);
        application.registering = false;
        assertTrue(simulation.runUntil(() -> application.end.isPresent(), Duration.ofMinutes(30)));

        long pods =
                server.posts().stream().filter(name -> name.contains("-exec-")).count();
        assertTrue(pods <= 10 + 20, () -> pods + " attempts");
        assertTrue(simulation.elapsed().compareTo(MINUTE) > 0, () -> "within " + simulation.elapsed());
        assertTrue(application.end.orElseThrow().getMessage().contains("exit status 1"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void survivesAnHourOfFaultsWithAThousandExecutors(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        SimulatedApplication application = application(1_000, AllocatorSettings.DEFAULTS);
        simulation.runFor(MINUTE);
        RandomFaults faults = new RandomFaults(simulation, server, application, 1_000);
        for (int i = 0; i < 120; i++) {
            faults.next();
            simulation.runFor(Duration.ofSeconds(30));
            if (i % 8 == 7) { // an application gives up on a cluster that supplies nothing for 10 minutes
                faults.calmDown();
                simulation.runFor(Duration.ofSeconds(30));
            }
        }
        faults.calmDown();
        int wanted = application.wanted;
        assertTrue(
                simulation.runUntil(
                        () -> application.live.size() == wanted
                                && server.running(application.pods.selector()).size() == wanted,
                        Duration.ofMinutes(5)),
                () -> "wanted " + wanted + ", live " + application.live.size() + ", "
                        + application.backend.allocator().slots().size() + " slots, " + application.end);
        assertEquals(Optional.empty(), application.end);
    }

    @Test
    void repeatsTheSameForTheSameSeed() {
        String first = trace(11);
        assertEquals(first, trace(11));
        assertTrue(first.length() > 1_000, "something happened");
    }

    /** Everything that an application requested and received under the faults of one seed, with times. */
    private String trace(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        SimulatedApplication application = application(20, AllocatorSettings.DEFAULTS);
        RandomFaults faults = new RandomFaults(simulation, server, application, 30);
        StringBuilder trace = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            faults.next();
            simulation.runFor(Duration.ofMillis(simulation.random().nextInt(5_000)));
            trace.append(simulation.elapsed())
                    .append(server.posts())
                    .append(server.deletionRequests())
                    .append(application.live)
                    .append(application.lost)
                    .append(application.hindrances)
                    .append(application.backend.allocator().slots())
                    .append('\n');
        }
        return trace.append(simulation.fingerprint()).toString();
    }
}
