package dev.hearth.hazookeeper.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.net.Bytes;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three masters in virtual time whose connections and sessions are lost, that pause, crash and start again. Whatever was
 * acknowledged is replayed by each later leader, once and in order.
 */
class EnsembleFaultsTest {
    private static final Duration STORM = Duration.ofMinutes(2);
    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final EnsembleFactLog.Bounds SMALL = new EnsembleFactLog.Bounds(64, 20, 2_000);
    private static final int MASTERS = 3;

    static LongStream seeds() {
        return Simulation.seeds(40);
    }

    /** Cluster of masters that append facts whenever they lead. */
    private static final class World {
        private final Simulation simulation;
        private final ModelEnsemble ensemble;
        private final Map<Long, Duration> last = new LinkedHashMap<>(); // when the last action of a session comes
        private final Set<String> acknowledged = new LinkedHashSet<>();
        private final List<Master> masters = new ArrayList<>();
        private final List<String> broken = new ArrayList<>();
        private final Set<Long> epochs = new LinkedHashSet<>();

        World(long seed) {
            simulation = new Simulation(seed);
            ensemble = new ModelEnsemble(this::later);
            for (int i = 0; i < MASTERS; i++) {
                masters.add(new Master("master-" + i));
            }
        }

        private void later(long session, Runnable action) {
            Duration at = simulation.elapsed().plusNanos(1 + upTo(20_000_000));
            Duration before = last.getOrDefault(session, Duration.ZERO);
            Duration then = at.compareTo(before) > 0 ? at : before.plusNanos(1);
            last.put(session, then);
            simulation.schedule(then.minus(simulation.elapsed()), action);
        }

        /** Connects to a master. In a storm, a proxy before it may refuse what it would accept. */
        private CompletionStage<MasterProbe.Answer> probe(String master) {
            boolean storms = simulation.elapsed().compareTo(STORM) < 0;
            boolean accepted = simulation.named(master).alive() && (!storms || upTo(8) > 0);
            CompletableFuture<MasterProbe.Answer> answer = new CompletableFuture<>();
            simulation.schedule(
                    Duration.ofMillis(1 + upTo(50)),
                    () -> answer.complete(accepted ? MasterProbe.Answer.ACCEPTED : MasterProbe.Answer.REFUSED));
            return answer;
        }

        private int upTo(int bound) {
            return simulation.random().nextInt(bound);
        }

        void storm() {
            simulation.every(Duration.ofSeconds(2), () -> {
                if (simulation.elapsed().compareTo(STORM) < 0) {
                    fault();
                }
            });
            simulation.runFor(STORM);
            ensemble.comeBack();
            masters.forEach(Master::heal);
            ensemble.sessions().forEach(ModelEnsemble.ModelSession::connect);
            simulation.runFor(QUIET);
        }

        private void fault() {
            List<ModelEnsemble.ModelSession> sessions = ensemble.sessions();
            Master master = masters.get(upTo(MASTERS));
            switch (upTo(10)) {
                case 0, 1 -> pick(sessions).ifPresent(ModelEnsemble.ModelSession::disconnect);
                case 2, 3, 4 -> pick(sessions).ifPresent(ModelEnsemble.ModelSession::connect);
                case 5 -> pick(sessions).ifPresent(ModelEnsemble.ModelSession::expire);
                case 6 -> {
                    ensemble.goAway();
                    simulation.schedule(Duration.ofMillis(upTo(5_000)), ensemble::comeBack);
                }
                case 7 -> master.pauses();
                case 8 -> { // an operator replaces a leader that hangs, and whose session goes on
                    masters.stream()
                            .filter(each -> each.life.log.isPresent())
                            .findFirst()
                            .ifPresent(leader -> leader.process.pauseFor(Duration.ofMillis(2_000 + upTo(5_000))));
                    ensemble.delete("/hearth/leader");
                }
                default -> master.crashesAndStarts();
            }
        }

        private Optional<ModelEnsemble.ModelSession> pick(List<ModelEnsemble.ModelSession> sessions) {
            return sessions.isEmpty() ? Optional.empty() : Optional.of(sessions.get(upTo(sessions.size())));
        }

        /** Process that stands for leadership, from one start to the next. */
        private final class Master {
            private SimulatedProcess process;
            private Life life;

            Master(String name) {
                process = simulation.process(name);
                life = new Life(process);
                life.begin();
            }

            void pauses() {
                if (process.alive()) {
                    process.pauseFor(Duration.ofMillis(upTo(20_000)));
                    simulation.schedule(
                            Duration.ofMillis(upTo(8_000)),
                            () -> pick(ensemble.sessions()).ifPresent(ModelEnsemble.ModelSession::expire));
                }
            }

            void crashesAndStarts() {
                if (process.alive()) {
                    life.session().ifPresent(ModelEnsemble.ModelSession::expire); // as its session times out
                    process.crash();
                    process = process.restart();
                    life = new Life(process);
                    life.begin();
                }
            }

            void heal() {
                process.resume();
            }
        }

        /** One life of a master. */
        private final class Life implements LeadershipListener {
            private final SimulatedProcess process;
            private final EnsembleCandidacy candidacy;
            private List<String> facts = new ArrayList<>(); // what a snapshot would contain
            private Optional<FactLog> log = Optional.empty();
            private Optional<ModelEnsemble.ModelSession> present = Optional.empty();
            private long epoch;
            private int number;

            Life(SimulatedProcess process) {
                this.process = process;
                Ensemble own = new Ensemble() {
                    @Override
                    public String place() {
                        return ensemble.place();
                    }

                    @Override
                    public ZnodeSession open(ZnodeSession.Listener listener) {
                        ZnodeSession opened = ensemble.open(listener);
                        present = Optional.of((ModelEnsemble.ModelSession) opened);
                        return opened;
                    }
                };
                candidacy = new EnsembleCandidacy(
                        own,
                        new ZnodePaths("/hearth"),
                        process.name(),
                        process.loop("facts"),
                        SMALL,
                        World.this::probe,
                        this);
            }

            Optional<ModelEnsemble.ModelSession> session() {
                return present;
            }

            void begin() {
                candidacy.start();
                process.loop("facts").schedule(Duration.ofMillis(50), this::work);
            }

            private void work() {
                process.loop("facts").schedule(Duration.ofMillis(50), this::work);
                log.filter(open -> open.hindrance().isEmpty()).ifPresent(open -> {
                    String fact = epoch + ":" + number++ + (upTo(10) == 0 ? "x".repeat(upTo(200)) : "");
                    facts.add(fact);
                    open.append(List.of(bytes(fact))).thenRun(() -> acknowledged.add(fact));
                    if (open.wantsSnapshot()) {
                        List<Bytes> all = facts.stream().map(World::bytes).toList();
                        open.snapshot(all);
                    }
                });
            }

            @Override
            public void following(String leader) {
                require(log.isEmpty(), "follows while it leads");
            }

            @Override
            public void recovering() {
                require(log.isEmpty(), "recovers while it leads");
                facts = new ArrayList<>();
            }

            @Override
            public void replay(Bytes fact) {
                facts.add(new String(fact.toArray(), StandardCharsets.UTF_8));
            }

            @Override
            public void leading(long present, FactLog opened) {
                require(epochs.add(present), "epoch " + present + " twice");
                epoch = present;
                number = 0;
                log = Optional.of(opened);
                List<String> missing = new ArrayList<>(acknowledged);
                missing.removeAll(new LinkedHashSet<>(facts));
                missing.removeIf(fact -> epochOf(fact) > present); // it leads no more, which it learns after a pause
                require(missing.isEmpty(), "lost " + missing);
                require(new LinkedHashSet<>(facts).size() == facts.size(), "a fact twice");
                List<Long> order = facts.stream().map(World::epochOf).toList();
                require(order.equals(order.stream().sorted().toList()), "facts of an old leader after a new one");
            }

            @Override
            public void lost(String why) {
                log = Optional.empty();
            }

            @Override
            public void failed(HearthException why) {
                require(false, why.getMessage());
            }

            private void require(boolean holds, String text) {
                if (!holds) {
                    broken.add(process.name() + " at " + simulation.elapsed() + ": " + text);
                }
            }
        }

        private static long epochOf(String fact) {
            return Long.parseLong(fact.substring(0, fact.indexOf(':')));
        }

        private static Bytes bytes(String fact) {
            return Bytes.owning(fact.getBytes(StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsWhatWasAcknowledgedWhateverIsLost(long seed) {
        World world = new World(seed);
        world.storm();
        assertEquals(List.of(), world.broken, () -> "seed " + seed);
        assertTrue(world.epochs.size() > 3, () -> "seed " + seed + ": leaders change: " + world.epochs);
        assertTrue(world.acknowledged.size() > 100, () -> "seed " + seed + ": " + world.acknowledged.size() + " facts");
        assertEquals(
                1,
                world.masters.stream()
                        .filter(master -> master.life.log.isPresent())
                        .count(),
                () -> "seed " + seed + ": one leads when all is quiet, of " + world.ensemble.sessions()
                        + world.masters.stream()
                                .map(master -> master.life.candidacy)
                                .toList());
    }

    @Test
    void noticesALogWithoutFence() {
        List<String> broken = new ArrayList<>();
        for (long seed = 1; seed <= 20 && broken.isEmpty(); seed++) {
            World world = new World(seed);
            world.ensemble.ignoreChecks();
            world.storm();
            broken.addAll(world.broken);
        }
        assertTrue(!broken.isEmpty(), "the invariants would find a leader that writes after another has begun");
    }
}
