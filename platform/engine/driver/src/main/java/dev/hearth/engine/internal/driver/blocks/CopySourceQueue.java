package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.engine.internal.driver.blocks.ReplicationPeers.Peer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which executor next starts copies of its blocks or map outputs to other executors. A source is READY when it
 * may be able to start a copy, and BLOCKED while every eligible target for its first copy is at its limit. When a
 * target has room again, blocked sources are woken in the order in which they blocked. The cost of the end of a copy
 * therefore does not depend on the number of pending copies. Owned by the driver's loop.
 */
final class CopySourceQueue {
    private final ReplicationPeers peers;
    private final Set<CopySource> ready = new LinkedHashSet<>();
    private final Set<CopySource> blocked = new LinkedHashSet<>();

    /** The result of one attempt of a source to start copies. */
    enum Outcome {
        /** No copy is left to start, or a copy in flight has to end first. */
        DONE,
        /** The source started copies, until every eligible target was at its limit. */
        BLOCKED,
        /** The source started no copy, because every eligible target was at its limit. */
        STILL_BLOCKED
    }

    /** An executor with pending copies to others, which it starts in order. */
    interface CopySource {
        Peer peer();

        /** Whether the first copy may go to another executor of the same host, because no other host is eligible. */
        boolean allowsSameHost();

        /**
         * Starts every copy that can start now. May affect other sources only through {@link CopySourceQueue#ready}.
         */
        Outcome copy();
    }

    CopySourceQueue(ReplicationPeers peers) {
        this.peers = peers;
    }

    /** Marks a source as ready, unless it is blocked. */
    void ready(CopySource source) {
        if (!blocked.contains(source)) {
            ready.add(source);
        }
    }

    /** Marks a source as ready, even if blocked, because its first copy has changed. */
    void firstChanged(CopySource source) {
        blocked.remove(source);
        ready.add(source);
    }

    /** Removes a source that has no copy left to start. */
    void remove(CopySource source) {
        blocked.remove(source);
        ready.remove(source);
    }

    /** Lets every ready source start the copies that it can, and wakes blocked sources for targets with room. */
    void run() {
        if (peers.targetsRemoved()) { // copies of blocked sources may now go to other targets, or have no target left
            ready.addAll(blocked);
            blocked.clear();
        }
        for (Peer freed = peers.nextFreed(); freed != null; freed = peers.nextFreed()) {
            wakeBlocked(freed);
        }
        for (CopySource next = next(); next != null; next = next()) {
            ready.remove(next);
            if (next.copy() != Outcome.DONE) {
                blocked.add(next);
            }
        }
    }

    private @Nullable CopySource next() {
        return ready.isEmpty() ? null : ready.iterator().next();
    }

    /** Wakes blocked sources for a target that has room. Sources that made progress move to the end of the queue. */
    private void wakeBlocked(Peer target) {
        List<CopySource> requeued = new ArrayList<>();
        Iterator<CopySource> each = blocked.iterator();
        while (each.hasNext() && target.canReceive()) {
            CopySource source = each.next();
            if (source.allowsSameHost() || !source.peer().host().equals(target.host())) {
                Outcome turn = source.copy();
                if (turn != Outcome.STILL_BLOCKED) {
                    each.remove();
                }
                if (turn == Outcome.BLOCKED) {
                    requeued.add(source);
                }
            }
        }
        blocked.addAll(requeued);
    }
}
