package dev.hearth.local.cluster;

import static dev.hearth.local.cluster.LocalClusterTest.exit;
import static dev.hearth.local.cluster.LocalClusterTest.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random events with effects that are performed late, early, or after the cluster has changed its decision. */
class LocalClusterRandomTest {
    private static final int EVENTS = 400;

    static LongStream seeds() {
        return Simulation.seeds(300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsItsInvariants(long seed) {
        World world = new World(new SplittableRandom(seed));
        for (int i = 0; i < EVENTS; i++) {
            world.anything();
        }
        world.calmDown();
        world.end();
    }

    /** The machine, driver and clock of a cluster. */
    private static final class World implements LocalClusterEffect.Handler {
        private final SplittableRandom random;
        private final int executorsMax;
        private final int failuresMax;
        private final LocalCluster cluster;
        // started and not ended; true once the process runs
        private final Map<ExecutorId, Boolean> processes = new LinkedHashMap<>();
        private final Map<ExecutorId, Integer> shares = new LinkedHashMap<>(); // of living processes
        private final Set<ExecutorId> stopping = new LinkedHashSet<>(); // stopped by the cluster
        private final Set<ExecutorId> released = new LinkedHashSet<>(); // released by the driver
        private final Set<ExecutorId> begun = new LinkedHashSet<>();
        private final Set<ExecutorId> lost = new LinkedHashSet<>();
        private final List<Long> wakes = new ArrayList<>();
        private long now;
        private int wanted;
        private int failures;
        private boolean givenUp;
        private final boolean sharing; // executors request resources

        World(SplittableRandom random) {
            this.random = random;
            this.executorsMax = 1 + random.nextInt(5);
            this.sharing = random.nextBoolean();
            this.failuresMax = random.nextInt(4) == 0 ? 3 : EVENTS;
            boolean forgets = random.nextBoolean() && failuresMax == EVENTS;
            this.cluster = new LocalCluster(
                    settings(
                            executorsMax,
                            failuresMax,
                            forgets ? Optional.of(Duration.ofMinutes(1)) : Optional.empty(),
                            sharing ? Map.of("gpu", new ResourceRequest("gpu", 1, List.of(), "/find", "")) : Map.of()),
                    now);
        }

        void anything() {
            now += Duration.ofMillis(random.nextInt(5_000)).toNanos();
            switch (random.nextInt(7)) {
                case 0 -> want(random.nextInt(executorsMax + 2));
                case 1 -> any(begun).ifPresent(this::release);
                case 2, 3 -> any(processes.keySet()).ifPresent(this::arrive);
                case 4 -> any(stopping).ifPresent(this::leave);
                case 5 -> any(processes.keySet()).ifPresent(this::leave); // by itself, or without ever having run
                default -> wakeIfDue();
            }
            check();
        }

        /** Lets everything that was started end; then as many run as are wanted. */
        void calmDown() {
            for (int i = 0; i < 4 * executorsMax; i++) {
                List.copyOf(processes.keySet()).forEach(this::arrive);
                List.copyOf(stopping).forEach(this::leave);
                now += Duration.ofMinutes(1).toNanos();
                wakeIfDue();
                check();
            }
            if (!givenUp) {
                want(executorsMax);
                assertEquals(executorsMax, lasting());
            }
        }

        void end() {
            cluster.close();
            perform();
            check();
            List.copyOf(processes.keySet()).forEach(this::arrive);
            assertTrue(stopping.containsAll(processes.keySet()));
            List.copyOf(stopping).forEach(this::leave);
            check();
            assertEquals(LocalCluster.State.ENDED, cluster.state());
            assertEquals(Set.of(), processes.keySet());
        }

        private void want(int total) {
            wanted = Math.min(total, executorsMax);
            cluster.want(total, now);
            perform();
        }

        private void release(ExecutorId executor) {
            if (processes.containsKey(executor)) {
                released.add(executor);
            }
            cluster.release(Set.of(executor), "idle", now);
            perform();
        }

        private void arrive(ExecutorId executor) {
            if (!processes.getOrDefault(executor, true)) {
                processes.put(executor, true);
                cluster.started(executor);
                perform();
            }
        }

        private void leave(ExecutorId executor) {
            processes.remove(executor);
            stopping.remove(executor);
            boolean open = cluster.state() == LocalCluster.State.OPEN;
            failures += open && !released.contains(executor) ? 1 : 0;
            cluster.ended(executor, exit(1, ""), List.of(), now);
            perform();
            assertEquals(open, lost.contains(executor));
        }

        private void wakeIfDue() {
            if (wakes.removeIf(due -> due - now <= 0)) {
                cluster.wake(now);
                perform();
            }
        }

        private void check() {
            assertTrue(failures <= failuresMax);
            assertEquals(givenUp, failures == failuresMax && failuresMax < EVENTS);
            long lasting = lasting();
            boolean waits = !wakes.isEmpty() || (sharing && processes.size() == executorsMax);
            assertTrue(givenUp || lasting >= wanted || waits || cluster.state() != LocalCluster.State.OPEN);
        }

        private long lasting() {
            return processes.keySet().stream()
                    .filter(executor -> !released.contains(executor) && !stopping.contains(executor))
                    .count();
        }

        private Optional<ExecutorId> any(Set<ExecutorId> of) {
            return of.stream()
                    .skip(of.isEmpty() ? 0 : random.nextInt(of.size()))
                    .findFirst();
        }

        private void perform() {
            cluster.effects().forEach(effect -> effect.perform(this));
        }

        @Override
        public void onStart(LocalClusterEffect.Start effect) {
            assertTrue(begun.add(effect.executor()), () -> effect + ": a reused id");
            assertEquals(LocalCluster.State.OPEN, cluster.state());
            processes.put(effect.executor(), false);
            shares.keySet().retainAll(processes.keySet());
            assertFalse(shares.containsValue(effect.share()), () -> effect + ": a share in use");
            shares.put(effect.executor(), effect.share());
            assertTrue(!sharing || effect.share() < executorsMax, () -> effect + ": not a share of this machine");
            assertTrue(lasting() <= wanted, () -> effect + ": more than " + wanted);
        }

        @Override
        public void onStop(LocalClusterEffect.Stop effect) {
            assertTrue(processes.getOrDefault(effect.executor(), false), () -> effect + ": not there");
            assertTrue(stopping.add(effect.executor()), () -> effect + ": stopped twice");
        }

        @Override
        public void onLost(LocalClusterEffect.Lost effect) {
            assertTrue(lost.add(effect.executor()), () -> effect + ": lost twice");
            assertEquals(released.contains(effect.executor()), effect.why().cause() == LostExecutor.Cause.RELEASED);
        }

        @Override
        public void onGiveUp(LocalClusterEffect.GiveUp effect) {
            assertFalse(givenUp);
            givenUp = true;
        }

        @Override
        public void onWake(LocalClusterEffect.Wake effect) {
            wakes.add(now + effect.after().toNanos());
        }
    }
}
