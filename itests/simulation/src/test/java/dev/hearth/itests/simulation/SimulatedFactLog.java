package dev.hearth.itests.simulation;

import dev.hearth.spi.ledger.FactLog;
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
    private final List<Bytes> durable = new ArrayList<>();
    private final List<Bytes> all = new ArrayList<>(); // as if there were no snapshots
    private long epoch;
    private Optional<Life> present = Optional.empty();

    SimulatedFactLog(Simulation simulation) {
        this.simulation = simulation;
    }

    long epoch() {
        return epoch;
    }

    /** Facts with which the next master begins. */
    MasterShell.Recovered recover(MasterSettings settings, Instant wall) {
        MasterLedger ledger = replayed(settings, durable);
        Life life = new Life(ledger, settings);
        present = Optional.of(life);
        Fact.EpochBegun begun =
                new Fact.EpochBegun(++epoch, "master", Math.max(ledger.wallMillis(), wall.toEpochMilli()));
        return new MasterShell.Recovered(ledger, life, begun);
    }

    private MasterLedger replayed(MasterSettings settings, List<Bytes> facts) {
        MasterLedger ledger = new MasterLedger(settings.ledgerBounds());
        facts.forEach(fact -> ledger.apply(form.read(fact)));
        return ledger;
    }

    /** Loses what is not durable. */
    void crash() {
        present.ifPresent(life -> life.dead = true);
        present = Optional.empty();
    }

    /** Whether the facts, with and without snapshots, lead to the ledger of the present master. */
    boolean replays() {
        Life life = present.orElseThrow();
        List<Fact> live = life.ledger.snapshot();
        return live.equals(replayed(life.settings, durable).snapshot())
                && live.equals(replayed(life.settings, all).snapshot());
    }

    /** The log in the hands of one master. */
    private final class Life implements FactLog {
        private final MasterLedger ledger;
        private final MasterSettings settings;
        private Duration last = Duration.ZERO; // when the last write ends
        private int sinceSnapshot;
        private boolean dead;

        Life(MasterLedger ledger, MasterSettings settings) {
            this.ledger = ledger;
            this.settings = settings;
        }

        @Override
        public CompletionStage<Void> append(List<Bytes> facts) {
            sinceSnapshot += facts.size();
            return later(() -> {
                durable.addAll(facts);
                all.addAll(facts);
            });
        }

        private CompletionStage<Void> later(Runnable write) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            Duration at = simulation
                    .elapsed()
                    .plusNanos(1_000L * (1 + simulation.random().nextInt(FSYNC_MICROS_MAX)));
            last = at.compareTo(last) > 0 ? at : last.plusNanos(1);
            simulation.schedule(last.minus(simulation.elapsed()), () -> {
                if (!dead) {
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

        @Override
        public CompletionStage<Void> snapshot(Iterable<Bytes> facts) {
            sinceSnapshot = 0;
            List<Bytes> replacing = new ArrayList<>();
            facts.forEach(replacing::add);
            return later(() -> {
                durable.clear();
                durable.addAll(replacing);
            });
        }
    }
}
