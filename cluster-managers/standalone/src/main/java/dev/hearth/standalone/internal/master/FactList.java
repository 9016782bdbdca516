package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Facts that the master has decided on since {@link #take} was last called, in order, each of which its ledger contains. A
 * master without a log has no ledger and no facts. Owned by {@link Master}.
 */
final class FactList {
    private final Optional<MasterLedger> ledger;
    private List<Fact> facts = new ArrayList<>();

    FactList(Optional<MasterLedger> ledger) {
        this.ledger = ledger;
    }

    void add(Supplier<Fact> fact) {
        ledger.ifPresent(kept -> {
            Fact made = fact.get();
            kept.apply(made);
            facts.add(made);
        });
    }

    Optional<MasterLedger> ledger() {
        return ledger;
    }

    /** Returns the facts and empties this list. */
    List<Fact> take() {
        if (facts.isEmpty()) {
            return List.of();
        }
        List<Fact> taken = facts;
        facts = new ArrayList<>();
        return taken;
    }
}
