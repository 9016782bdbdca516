package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.driver.ReplicationPeers.Peer;
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
final class CopySourceQueue {
    private final ReplicationPeers peers;
    private final Set<CopySource> due = new LinkedHashSet<>();
    private final Set<CopySource> waiting = new LinkedHashSet<>();

    /** What became of a turn. */
    enum Outcome {
        /** Nothing is left to give, or it has to end something first. */
        OVER,
        /** Takers are busy; something was done before. */
        WAITS,
        /** Takers are busy, and nothing was done. */
        WAITS_STILL
    }

    /** Gives what it has, one after the other. */
    interface CopySource {
        Peer peer();

        /** Whether what it would give first may go to its own host, as there is nobody on another. */
        boolean givesNear();

        /** Gives what can be given now; must not touch other givers but by {@link CopySourceQueue#due}. */
        Outcome give();
    }

    CopySourceQueue(ReplicationPeers peers) {
        this.peers = peers;
    }

    /** There may be something that it can give, if it does not wait for takers. */
    void due(CopySource giver) {
        if (!waiting.contains(giver)) {
            due.add(giver);
        }
    }

    /** What it would give first is another thing than before. */
    void changed(CopySource giver) {
        waiting.remove(giver);
        due.add(giver);
    }

    /** It gives nothing any more. */
    void leave(CopySource giver) {
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
        for (CopySource next = next(); next != null; next = next()) {
            due.remove(next);
            if (next.give() != Outcome.OVER) {
                waiting.add(next);
            }
        }
    }

    private @Nullable CopySource next() {
        return due.isEmpty() ? null : due.iterator().next();
    }

    /** Those that could not use it keep their places, those that did come behind the others. */
    private void offer(Peer taker) {
        List<CopySource> behind = new ArrayList<>();
        Iterator<CopySource> each = waiting.iterator();
        while (each.hasNext() && taker.takesMore()) {
            CopySource giver = each.next();
            if (giver.givesNear() || !giver.peer().host().equals(taker.host())) {
                Outcome turn = giver.give();
                if (turn != Outcome.WAITS_STILL) {
                    each.remove();
                }
                if (turn == Outcome.WAITS) {
                    behind.add(giver);
                }
            }
        }
        waiting.addAll(behind);
    }
}
