package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.driver.CopyPeers.Peer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to give copies. A giver is DUE when it may have become able to give, and WAITS when all that could take what it
 * would give first are busy: until one of them has room, in the order they began to wait. So an end of a copy costs a look at who
 * can use it, however much there is to copy. Owned by the driver's loop.
 */
final class GivingTurns {
    private final CopyPeers peers;
    private final Set<Giver> due = new LinkedHashSet<>();
    private final Set<Giver> waiting = new LinkedHashSet<>();

    /** What became of a turn. */
    enum Turn {
        /** Nothing is left to give, or it has to end something first. */
        OVER,
        /** Takers are busy; something was done before. */
        WAITS,
        /** Takers are busy, and nothing was done. */
        WAITS_STILL
    }

    /** Gives what it has, one after the other. */
    interface Giver {
        Peer peer();

        /** Whether what it would give first may go to its own host, as there is nobody on another. */
        boolean givesNear();

        /** Gives what can be given now; must not touch other givers but by {@link GivingTurns#due}. */
        Turn give();
    }

    GivingTurns(CopyPeers peers) {
        this.peers = peers;
    }

    /** There may be something that it can give, if it does not wait for takers. */
    void due(Giver giver) {
        if (!waiting.contains(giver)) {
            due.add(giver);
        }
    }

    /** What it would give first is another thing than before. */
    void changed(Giver giver) {
        waiting.remove(giver);
        due.add(giver);
    }

    /** It gives nothing any more. */
    void leave(Giver giver) {
        waiting.remove(giver);
        due.remove(giver);
    }

    /** Has those give that can. */
    void look() {
        if (peers.fewerTake()) { // what waited for one of these may go to others, or to nobody
            due.addAll(waiting);
            waiting.clear();
        }
        for (Peer freed = peers.nextFreed(); freed != null; freed = peers.nextFreed()) {
            offer(freed);
        }
        for (Giver next = next(); next != null; next = next()) {
            due.remove(next);
            if (next.give() != Turn.OVER) {
                waiting.add(next);
            }
        }
    }

    private @Nullable Giver next() {
        return due.isEmpty() ? null : due.iterator().next();
    }

    /** Those that could not use it keep their places, those that did come behind the others. */
    private void offer(Peer taker) {
        List<Giver> behind = new ArrayList<>();
        Iterator<Giver> each = waiting.iterator();
        while (each.hasNext() && taker.takesMore()) {
            Giver giver = each.next();
            if (giver.givesNear() || !giver.peer().host().equals(taker.host())) {
                Turn turn = giver.give();
                if (turn != Turn.WAITS_STILL) {
                    each.remove();
                }
                if (turn == Turn.WAITS) {
                    behind.add(giver);
                }
            }
        }
        waiting.addAll(behind);
    }
}
