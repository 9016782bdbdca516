package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests when actions run: never before their facts are durable, except those that may while the log cannot be written. */
class WriteAheadTest {
    private static final List<Fact> FACTS = List.of(new Fact.NumbersUsed(1, 2, 3));

    private final Simulation simulation = new Simulation(1);
    private final HeldFactLog log = new HeldFactLog();
    private final WriteAhead facts =
            new WriteAhead(Optional.of(log), simulation.process("master").loop("master"));
    private final List<String> ran = new ArrayList<>();

    private void after(boolean strict, String name) {
        facts.after(strict, () -> ran.add(name));
    }

    @Test
    void runsActionsInOrderOnceTheirFactsAreDurable() {
        after(false, "before any fact");
        facts.append(FACTS);
        after(true, "first");
        facts.append(FACTS);
        after(false, "second");
        simulation.run();
        assertEquals(List.of("before any fact"), ran);
        log.write();
        simulation.run();
        assertEquals(List.of("before any fact", "first"), ran);
        after(false, "third");
        log.write();
        simulation.run();
        assertEquals(List.of("before any fact", "first", "second", "third"), ran);
    }

    @Test
    void letsKillsOvertakeStartsWhileTheLogCannotBeWritten() {
        facts.append(FACTS);
        after(true, "start");
        after(false, "kill");
        log.hindrance = Optional.of("full");
        facts.overtake();
        after(false, "another kill");
        after(true, "another start");
        simulation.run();
        assertEquals(List.of("kill", "another kill"), ran);
        log.hindrance = Optional.empty();
        log.write();
        simulation.run();
        assertEquals(List.of("kill", "another kill", "start", "another start"), ran);
    }

    @Test
    void runsEverythingAtOnceWithoutALog() {
        WriteAhead none =
                new WriteAhead(Optional.empty(), simulation.process("other").loop("master"));
        none.append(FACTS);
        none.after(true, () -> ran.add("at once"));
        assertEquals(List.of("at once"), ran);
    }

    @Test
    void makesASnapshotWhenTheLogWantsOne() {
        MasterLedger ledger = new MasterLedger(new MasterLedger.Bounds(1, 1, Duration.ofHours(1)));
        ledger.apply(FACTS.get(0));
        facts.snapshot(ledger);
        assertEquals(0, log.snapshots);
        log.wantsSnapshot = true;
        facts.snapshot(ledger);
        assertEquals(1, log.snapshots);
    }
}
