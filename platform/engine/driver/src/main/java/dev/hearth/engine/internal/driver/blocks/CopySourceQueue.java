package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.engine.internal.driver.blocks.ReplicationPeers.Peer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which source next starts copies of its blocks or map outputs; a source is an executor with pending copies to
 * other executors. It is READY if it may be able to start a copy. It is BLOCKED while every eligible target of its
 * first copy has its maximum of copies. When a target can take another copy, blocked sources are woken, longest blocked
 * first. So the cost of ending a copy does not grow with the number of pending copies. Owned by the driver's event
 * loop.
 */
final class CopySourceQueue {
    private final ReplicationPeers peers;
    private final Set<CopySource> ready = new LinkedHashSet<>();
    private final Set<CopySource> blocked = new LinkedHashSet<>();

    /**
     * Result of one call of {@link CopySource#copy}: whether the source is blocked, because no eligible target of its
     * first copy can take another copy.
     */
    enum Outcome {
        /** The source has no copy left to start, or must wait until one of its own copies has ended. */
        DONE,
        /** The source started copies until every eligible target had its maximum of copies. */
        BLOCKED,
        /** The source started no copy, because every eligible target already had its maximum of copies in flight. */
        STILL_BLOCKED
    }

    /**
     * An executor with pending copies to other executors, as the {@link CopySourceQueue} sees it. The executor's copies
     * start in the order in which they were queued.
     */
    interface CopySource {
        Peer peer();

        /**
         * Whether the copy that this source must start next may go to a host that already stores the data, because no
         * other host is eligible.
         */
        boolean allowsSameHost();

        /**
         * Starts every copy from this source that can start now. Must not change the state of other sources except
         * through {@link CopySourceQueue#ready}.
         */
        Outcome copy();
    }

    CopySourceQueue(ReplicationPeers peers) {
        this.peers = peers;
    }

    /**
     * Marks a source as ready to start copies, unless it is blocked because its targets have their maximum of copies.
     */
    void ready(CopySource source) {
        if (!blocked.contains(source)) {
            ready.add(source);
        }
    }

    /**
     * Marks a source as ready even if it is blocked, because the copy that it must start next has changed and may have
     * another target.
     */
    void firstChanged(CopySource source) {
        blocked.remove(source);
        ready.add(source);
    }

    /** Removes a source from this queue, because it has no copy left to start. */
    void remove(CopySource source) {
        blocked.remove(source);
        ready.remove(source);
    }

    /**
     * Starts the copies that can start now. Blocked sources come first, if a target can take another copy; then all
     * ready sources follow.
     */
    void run() {
        if (peers.targetsRemoved()) { // the first copies of blocked sources may now have another target, or none
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

    /**
     * Lets blocked sources start copies, longest blocked first, while {@code target} can take another copy. Sources
     * that remain blocked after they started copies move to the end of the queue.
     */
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
