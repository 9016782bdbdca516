package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.yarn.internal.allocator.AllocatorCounts;
import dev.hearth.yarn.internal.allocator.AllocatorRules;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.SimulatedLine;
import dev.hearth.yarn.internal.line.SimulatedYarn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An application of the production classes on a simulated cluster, with random wishes and faults. The rules of the allocator
 * are checked after every event. Owned by a simulation.
 */
final class YarnWorld {
    static final String NEVER_USED = "host0";
    static final Duration EXCLUSION = Duration.ofSeconds(25);

    private static final int EXECUTORS_MAX = 24;
    private static final int FAULTS = 20;
    private static final int[] EXITS = {1, 137, 143, -104, -103, 52, 0, -109, 7, -1000, -101, -108};

    final Simulation simulation;
    final SimulatedYarn yarn;
    final SimulatedExecutors executors;
    final SimulatedLine line;
    final YarnMetrics metrics = new YarnMetrics();
    final YarnApplication application;
    final AllocatingDriver driver;
    private final EventLoop loop;
    private Optional<AllocatingDriver> second = Optional.empty();

    YarnWorld(long seed, int hosts, boolean shared) {
        simulation = new Simulation(seed);
        executors = new SimulatedExecutors(simulation);
        yarn = new SimulatedYarn(simulation, hosts, 3, 8 * 1408, executors);
        yarn.returnsGroups = seed % 4 != 1;
        yarn.repeatsNotices = seed % 2 == 0;
        executors.on(yarn);
        SimulatedProcess process = simulation.process("driver");
        loop = process.loop("application");
        line = yarn.line(loop);
        application = new YarnApplication(
                new YarnIdentity(
                        new ApplicationId("application_1_0001"), "ada", "cluster1", "http://", "metrics", false),
                loop,
                line,
                rules(),
                metrics);
        EventLoop context = shared ? process.loop("context 1") : loop;
        driver = new AllocatingDriver(simulation, context, application, executors, !shared);
        application.open();
        if (shared) {
            AllocatingDriver other =
                    new AllocatingDriver(simulation, process.loop("context 2"), application, executors, false);
            second = Optional.of(other);
        }
        line.releaseCheck = this::checkRelease;
        simulation.always("no request is lost on the line", this::keepsRequests);
    }

    /** Fails if the container of an executor that the driver has released is released before the executor could end. */
    private void checkRelease(String container) {
        for (AllocatingDriver one : drivers()) {
            executors
                    .in(container)
                    .filter(executors::isRunning)
                    .map(one.givenUp::get)
                    .ifPresent(since -> {
                        if (!one.closing && simulation.elapsed().minus(since).toMillis() < 2_000) {
                            throw new AssertionError(
                                    container + ": released while its executor ends (expected: 2 s later)");
                        }
                    });
        }
    }

    /**
     * Whether the line has the requests that the allocator has, once nothing is under way between them. It may have one more
     * for a grant that crossed orders, which leads to a surplus grant.
     */
    private boolean keepsRequests() {
        return !line.isSettled() || line.openAsks() >= application.counts().pending();
    }

    private static AllocatorRules rules() {
        return AllocatorRules.DEFAULTS
                .with(new AllocatorRules.Exclusion(Set.of(NEVER_USED), true, 2, EXCLUSION))
                .with(new AllocatorRules.Failures(OptionalInt.of(100_000), Optional.of(Duration.ofMinutes(1))))
                .on(Duration.ofMinutes(5), Duration.ofSeconds(15));
    }

    List<AllocatingDriver> drivers() {
        List<AllocatingDriver> drivers = new ArrayList<>(List.of(driver));
        second.ifPresent(drivers::add);
        return drivers;
    }

    private int wanted() {
        return drivers().stream()
                .filter(one -> !one.closed)
                .mapToInt(one -> one.wanted)
                .sum();
    }

    int held() {
        AllocatorCounts counts = application.counts();
        return counts.running() + counts.starting();
    }

    /** Lets {@code count} wishes and faults happen, about one a second. */
    void trouble(int count) {
        Duration end = simulation.elapsed();
        for (int i = 0; i < count; i++) {
            end = end.plus(Duration.ofMillis(simulation.random().nextInt(2_000)));
            simulation.schedule(end.minus(simulation.elapsed()), this::fault);
        }
        simulation.runFor(end.minus(simulation.elapsed()));
    }

    private void fault() {
        AllocatingDriver one = pick(drivers());
        List<String> running = executors.running();
        String host = pick(yarn.hosts());
        int kind = simulation.random().nextInt(FAULTS);
        simulation.note("fault " + kind);
        switch (kind) {
            case 0, 1, 2 -> one.want(simulation.random().nextInt(EXECUTORS_MAX), places(), excluded());
            case 3 -> one.live.keySet().stream().findFirst().ifPresent(executor -> one.giveUp(executor, "idle"));
            case 4, 5, 6 -> {
                if (!running.isEmpty()) {
                    executors.exit(pick(running), EXITS[simulation.random().nextInt(EXITS.length)]);
                }
            }
            case 7 -> {
                if (!running.isEmpty()) {
                    String container = pick(running);
                    yarn.announce(container, simulation.random().nextBoolean());
                    simulation.schedule(Duration.ofSeconds(simulation.random().nextInt(20)), () -> {
                        if (simulation.random().nextBoolean()) {
                            yarn.kill(container, -102, "preempted");
                        } else {
                            yarn.withdrawNotices();
                        }
                    });
                }
            }
            case 8 -> yarn.withdrawNotices();
            case 9 -> {
                if (yarn.usable() > 4) {
                    yarn.loseNode(host, simulation.random().nextBoolean());
                }
            }
            case 10 -> yarn.decommission(host, simulation.random().nextInt(60));
            case 11, 12 -> yarn.restore(host);
            case 13 -> line.restartManager(Duration.ofMillis(simulation.random().nextInt(20_000)));
            case 14 -> line.replace(Duration.ofMillis(simulation.random().nextInt(10_000)));
            case 15 -> yarn.granting = !yarn.granting;
            case 16 -> yarn.headroomFactor = simulation.random().nextDouble();
            case 17 -> executors.earlyEnds = simulation.random().nextDouble() * 0.5;
            case 18 -> one.failsLaunches = !one.failsLaunches;
            default -> unreliable();
        }
    }

    private void unreliable() {
        yarn.overGrants = simulation.random().nextDouble() * 0.3;
        yarn.strangePriorities = simulation.random().nextDouble() * 0.3;
        yarn.lateness = simulation.random().nextDouble() * 0.9;
        yarn.wrongRacks = simulation.random().nextDouble() * 0.3;
        yarn.repeatedReports = simulation.random().nextDouble() * 0.3;
        yarn.lostEnds = simulation.random().nextDouble() * 0.1;
        yarn.failedStarts = simulation.random().nextDouble() * 0.2;
        yarn.slowStarts = simulation.random().nextDouble() * 0.3;
    }

    private Map<String, Integer> places() {
        Map<String, Integer> places = new LinkedHashMap<>();
        int count = simulation.random().nextInt(5);
        for (int i = 0; i < count; i++) {
            places.put(pick(yarn.hosts()), 1 + simulation.random().nextInt(20));
        }
        return places;
    }

    private Set<String> excluded() {
        return simulation.random().nextInt(4) == 0 ? Set.of(pick(yarn.hosts())) : Set.of();
    }

    private <T> T pick(List<T> all) {
        return all.get(simulation.random().nextInt(all.size()));
    }

    /** Ends all faults. */
    void calmDown() {
        yarn.granting = true;
        yarn.overGrants = 0;
        yarn.strangePriorities = 0;
        yarn.lateness = 0.2;
        yarn.wrongRacks = 0;
        yarn.repeatedReports = 0;
        yarn.lostEnds = 0;
        yarn.failedStarts = 0;
        yarn.slowStarts = 0;
        yarn.headroomFactor = 1;
        yarn.withdrawNotices();
        executors.earlyEnds = 0;
        yarn.hosts().forEach(yarn::restore);
        drivers().forEach(one -> {
            one.failsLaunches = false;
            one.want(one.wanted, Map.of(), Set.of());
        });
    }

    /** Whether everything is as wanted and nothing is under way. */
    boolean isQuiet() {
        int wanted = wanted();
        return application.counts().pending() == 0
                && held() >= wanted
                && yarn.running().size() == held()
                && yarn.containers().size() == held()
                && drivers().stream().mapToInt(one -> one.live.size()).sum() == held()
                && line.unanswered().isEmpty()
                && drivers().stream().allMatch(one -> one.registered.containsAll(one.live.keySet()));
    }

    String state() {
        return "wanted " + wanted() + ", " + application.counts() + ", at the ResourceManager "
                + yarn.containers().size() + " of which run "
                + yarn.running().size() + ", asked " + yarn.asked() + ", live "
                + drivers().stream().map(one -> one.live.keySet()).toList() + ", excluded " + yarn.excluded()
                + ", unanswered " + line.unanswered() + ", hindrances "
                + driver.hindrances;
    }

    /** Executors that were reported as started and neither live nor reported as lost. */
    Set<ExecutorId> forgotten() {
        Set<ExecutorId> forgotten = new LinkedHashSet<>();
        for (AllocatingDriver one : drivers()) {
            forgotten.addAll(one.starts.keySet());
            forgotten.removeAll(one.live.keySet());
            forgotten.removeAll(one.reportedLost);
        }
        return forgotten;
    }

    Optional<AllocatingDriver> second() {
        return second;
    }

    void finish() {
        loop.execute(() -> application.finish(FinalOutcome.SUCCEEDED, ""));
    }

    /** Runs an action on the application's loop. */
    void inLoop(Runnable action) {
        loop.execute(action);
        simulation.runFor(Duration.ofMillis(1));
    }
}
