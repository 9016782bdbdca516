package dev.hearth.itests.simulation;

import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.net.Bytes;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.FactForm;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Facts on the disk of a simulated master, which are durable some time after they were appended, and in order. */
final class SimulatedFactLog {
    private static final int FSYNC_MICROS_MAX = 30_000;
    private static final int SNAPSHOT_FACTS = 60;

    private final Simulation simulation;
    private final FactForm form = new FactForm();
    private final MasterSettings settings;
    private final List<Bytes> durable = new ArrayList<>();
    private final List<Bytes> all = new ArrayList<>(); // as if there were no snapshots
    private long epoch;
    private int compared;
    private Optional<Life> present = Optional.empty();

    SimulatedFactLog(Simulation simulation, MasterSettings settings) {
        this.simulation = simulation;
        this.settings = settings;
    }

    long epoch() {
        return epoch;
    }

    /** Facts with which the next master begins. */
    MasterShell.Recovered recover(Instant wall) {
        MasterLedger ledger = replayed(durable);
        Fact.EpochBegun begun =
                new Fact.EpochBegun(epoch + 1, "master", Math.max(ledger.wallMillis(), wall.toEpochMilli()));
        return new MasterShell.Recovered(ledger, elect().life, begun);
    }

    /** Gives the log to the next leader. What the one before appends from now on fails. */
    Elected elect() {
        fence();
        Life life = new Life();
        present = Optional.of(life);
        return new Elected(++epoch, life);
    }

    /** The log in the hands of a leader that has been elected, with its number. */
    final class Elected {
        private final long number;
        private final Life life;

        private Elected(long number, Life life) {
            this.number = number;
            this.life = life;
        }

        long epoch() {
            return number;
        }

        /** Lets {@code seat} recover and lead. */
        void begin(LeadershipListener seat) {
            seat.recovering();
            durable.forEach(seat::replay);
            seat.leading(number, life);
        }
    }

    private MasterLedger replayed(List<Bytes> facts) {
        MasterLedger ledger = new MasterLedger(settings.ledgerBounds());
        facts.forEach(fact -> ledger.apply(form.read(fact)));
        return ledger;
    }

    /** Loses what is not durable. */
    void crash() {
        present.ifPresent(life -> life.dead = true);
        present = Optional.empty();
    }

    /** Takes nothing more of the present leader, whose appends fail. */
    void fence() {
        present.ifPresent(life -> life.fenced = true);
        present = Optional.empty();
    }

    /** Has the present leader make a snapshot, which is compared with the facts. */
    void wantSnapshot() {
        present.orElseThrow().sinceSnapshot = SNAPSHOT_FACTS + 1;
    }

    /** Number of snapshots that were compared with the facts before them. */
    int compared() {
        return compared;
    }

    /** Whether a snapshot and the facts after it lead to the same ledger as all facts. */
    boolean replays() {
        return replayed(durable).snapshot().equals(replayed(all).snapshot());
    }

    /** Every fact that was ever durable, in order. */
    List<Fact> facts() {
        return all.stream().map(form::read).toList();
    }

    /** The log in the hands of one master. */
    private final class Life implements FactLog {
        private final List<Bytes> pending = new ArrayList<>(); // appended, and not durable yet
        private Duration last = Duration.ZERO; // when the last write ends
        private int sinceSnapshot;
        private boolean dead;
        private boolean fenced;

        @Override
        public CompletionStage<Void> append(List<Bytes> facts) {
            sinceSnapshot += facts.size();
            pending.addAll(facts);
            return later(() -> {
                durable.addAll(facts);
                all.addAll(facts);
                pending.subList(0, facts.size()).clear();
            });
        }

        private CompletionStage<Void> later(Runnable write) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            Duration at = simulation
                    .elapsed()
                    .plusNanos(1_000L * (1 + simulation.random().nextInt(FSYNC_MICROS_MAX)));
            last = at.compareTo(last) > 0 ? at : last.plusNanos(1);
            simulation.schedule(last.minus(simulation.elapsed()), () -> {
                if (fenced) {
                    done.completeExceptionally(new IllegalStateException("another master leads"));
                } else if (!dead) {
                    write.run();
                    done.complete(null);
                }
            });
            return done;
        }

        @Override
        public Optional<String> hindrance() {
            return Optional.empty();
        }

        @Override
        public boolean wantsSnapshot() {
            return sinceSnapshot > SNAPSHOT_FACTS;
        }

        /** {@inheritDoc} A snapshot shows the ledger of the leader, which all facts so far lead to. */
        @Override
        public CompletionStage<Void> snapshot(Iterable<Bytes> facts) {
            sinceSnapshot = 0;
            List<Bytes> replacing = new ArrayList<>();
            facts.forEach(replacing::add);
            if (!fenced && !dead) {
                List<Bytes> soFar = new ArrayList<>(all);
                soFar.addAll(pending);
                simulation.require(
                        "the log leads to the ledger of the leader",
                        () -> replayed(replacing)
                                .snapshot()
                                .equals(replayed(soFar).snapshot()));
                compared++;
            }
            return later(() -> {
                durable.clear();
                durable.addAll(replacing);
            });
        }
    }
}
