package dev.hearth.standalone.internal.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Changes of the master, each with the time from the last fact of one master to the first fact of the next one. That time
 * makes nothing older: clocks of masters may differ by anything. Owned by {@link MasterLedger}.
 */
final class Successions {
    private static final int KEPT_MAX = 100;

    private final Deque<Succession> last = new ArrayDeque<>();

    private record Succession(long fromMillis, Fact.EpochBegun next) {}

    /** Records that {@code next} follows a fact of {@code fromMillis}; 0 if there was none. */
    void add(long fromMillis, Fact.EpochBegun next) {
        if (fromMillis > 0 && fromMillis < next.wallMillis()) {
            last.add(new Succession(fromMillis, next));
            if (last.size() > KEPT_MAX) {
                last.remove();
            }
        }
    }

    /** Time for which masters have led between two times in facts. */
    long ledMillis(long fromMillis, long toMillis) {
        long led = toMillis - fromMillis;
        for (Succession each : last) {
            if (each.fromMillis() >= fromMillis && each.next().wallMillis() <= toMillis) {
                led -= each.next().wallMillis() - each.fromMillis();
            }
        }
        return Math.max(0, led);
    }

    /** Facts that lead to equal changes, the last of which begins {@code present}. */
    List<Fact> facts(Fact.EpochBegun present) {
        List<Fact> facts = new ArrayList<>();
        last.forEach(each -> {
            facts.add(new Fact.NumbersUsed(0, 0, each.fromMillis()));
            facts.add(each.next());
        });
        if (last.isEmpty() || !last.getLast().next().equals(present)) {
            facts.add(new Fact.NumbersUsed(0, 0, present.wallMillis())); // so that nothing passes before it
            facts.add(present);
        }
        return facts;
    }
}
