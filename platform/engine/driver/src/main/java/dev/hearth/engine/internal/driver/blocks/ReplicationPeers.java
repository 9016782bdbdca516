package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The executors in other processes between which blocks and map outputs are copied, with the copies in flight at each.
 * Eligible targets are sorted by load and grouped by host, so that choosing a target does not require a scan of all
 * executors. Owned by the driver's event loop.
 */
final class ReplicationPeers {
    /**
     * Maximum number of copies that one executor sends at the same time. The same maximum applies to the copies that it
     * receives.
     */
    static final int COPIES_AT_ONCE = 4;

    private static final Comparator<Peer> BY_LOAD = Comparator.<Peer>comparingInt(peer -> peer.receiving)
            .thenComparingLong(peer -> peer.received)
            .thenComparingLong(peer -> peer.number);

    private final Map<ExecutorId, Peer> peers = new LinkedHashMap<>();
    private final Map<String, Host> hosts = new LinkedHashMap<>(); // of eligible targets
    private final TreeSet<Host> byLoad = new TreeSet<>(Comparator.comparing(Host::first, BY_LOAD));
    private final ArrayDeque<Peer> freed = new ArrayDeque<>(); // new targets, and targets at which a copy ended
    private boolean targetsRemoved; // since the last call of targetsRemoved()
    private long added;
    private long steps;

    /**
     * One executor as a source or target of copies: the numbers of copies that it sends and receives now, and of those
     * received in total.
     */
    static final class Peer {
        final BlockServerAddress holder;
        private final long number; // order of registration
        private boolean decommissioning;
        private int receiving;
        private int sending;
        private long received;

        private Peer(BlockServerAddress holder, long number) {
            this.holder = holder;
            this.number = number;
        }

        ExecutorId id() {
            return holder.executor();
        }

        String host() {
            return holder.host();
        }

        boolean isDecommissioning() {
            return decommissioning;
        }

        boolean isReachable() {
            return !holder.address().isEmpty();
        }

        boolean canReceive() {
            return receiving < COPIES_AT_ONCE;
        }

        boolean canSend() {
            return sending < COPIES_AT_ONCE;
        }

        int sending() {
            return sending;
        }
    }

    /**
     * One host with the executors on it that are eligible as targets of copies. A host without such executors is
     * removed.
     */
    private static final class Host {
        private final TreeSet<Peer> targets = new TreeSet<>(BY_LOAD);

        Peer first() {
            return targets.first();
        }
    }

    void add(ExecutorId executor, String host, String address) {
        Peer peer = new Peer(new BlockServerAddress(executor, host, address), added++);
        if (peers.putIfAbsent(executor, peer) == null) {
            enter(peer);
            freed.add(peer);
        }
    }

    void remove(ExecutorId executor) {
        Peer peer = peers.get(executor);
        if (peer != null) {
            leave(peer);
            peers.remove(executor);
        }
    }

    /**
     * Excludes an executor that is being decommissioned from being the target of further copies. It remains a source.
     */
    void decommission(ExecutorId executor) {
        Peer peer = peers.get(executor);
        if (peer != null) {
            leave(peer);
            peer.decommissioning = true;
        }
    }

    /** Admits an executor as a target again that was being decommissioned. */
    void recommission(ExecutorId executor) {
        Peer peer = peers.get(executor);
        if (peer != null && peer.decommissioning) {
            peer.decommissioning = false;
            enter(peer);
            freed.add(peer);
        }
    }

    @Nullable
    Peer find(ExecutorId executor) {
        return peers.get(executor);
    }

    /** The registered executors with the given ids. Ids of other executors are skipped. */
    List<Peer> of(Collection<String> executors) {
        return executors.stream()
                .map(id -> Optional.ofNullable(peers.get(new ExecutorId(id))))
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean isTarget(Peer peer) {
        return !peer.decommissioning && peers.get(peer.id()) == peer;
    }

    private void enter(Peer peer) {
        Host host = hosts.computeIfAbsent(peer.host(), missing -> new Host());
        if (!host.targets.isEmpty()) {
            byLoad.remove(host);
        }
        host.targets.add(peer);
        byLoad.add(host);
    }

    private void exit(Peer peer) {
        Host host = Objects.requireNonNull(hosts.get(peer.host()));
        byLoad.remove(host);
        host.targets.remove(peer);
        if (host.targets.isEmpty()) {
            hosts.remove(peer.host());
        } else {
            byLoad.add(host);
        }
    }

    private void leave(Peer peer) {
        if (isTarget(peer)) {
            exit(peer);
            targetsRemoved = true;
        }
    }

    /**
     * Chooses the target of a new replica: the least loaded executor, preferably on a host without a replica. Skips the
     * {@code holders}, which have the data already, the {@code refused}, to which a copy has failed, and decommissioned
     * executors. The target may have its maximum of copies. Returns null if no executor is eligible.
     */
    @Nullable
    Peer target(Collection<Peer> holders, Set<ExecutorId> refused) {
        Set<ExecutorId> excluded = new LinkedHashSet<>(refused);
        holders.forEach(holder -> excluded.add(holder.id()));
        Peer best = null;
        Peer sameHost = null;
        for (Host host : byLoad) {
            steps++;
            if (best != null && BY_LOAD.compare(host.first(), best) > 0) {
                break; // all further hosts have a higher load
            }
            Peer first = first(host, excluded);
            if (first != null && sharesHost(first, holders)) {
                sameHost = sameHost == null || BY_LOAD.compare(first, sameHost) < 0 ? first : sameHost;
            } else if (first != null) {
                best = best == null || BY_LOAD.compare(first, best) < 0 ? first : best;
            }
        }
        return best == null ? sameHost : best;
    }

    private @Nullable Peer first(Host host, Set<ExecutorId> excluded) {
        for (Peer peer : host.targets) {
            steps++;
            if (!excluded.contains(peer.id())) {
                return peer;
            }
        }
        return null;
    }

    /**
     * Whether an executor is on the same host as one of {@code holders}, the executors that already store the data to
     * copy.
     */
    static boolean sharesHost(Peer peer, Collection<Peer> holders) {
        return holders.stream().anyMatch(holder -> holder.host().equals(peer.host()));
    }

    /**
     * Chooses the source of a copy among {@code holders}, which have the data. Takes a reachable executor with the
     * fewest copies to send, preferably one that is not decommissioned. The source may have its maximum of copies.
     * Returns null if none is reachable.
     */
    static @Nullable Peer source(Collection<Peer> holders) {
        Peer best = null;
        for (Peer peer : holders) {
            if (peer.isReachable()
                    && (best == null
                            || (peer.decommissioning == best.decommissioning
                                    ? peer.sending < best.sending
                                    : best.decommissioning))) {
                best = peer;
            }
        }
        return best;
    }

    void beginSend(Peer from) {
        from.sending++;
    }

    void endSend(Peer from) {
        from.sending--;
    }

    void beginReceive(Peer to) {
        exit(to);
        to.receiving++;
        to.received++;
        enter(to);
    }

    void endReceive(Peer to) {
        boolean isTarget = isTarget(to);
        if (isTarget) {
            exit(to);
        }
        to.receiving--;
        if (isTarget) {
            enter(to);
            freed.add(to);
        }
    }

    /**
     * Removes and returns the next executor that can take another copy, because it was added or one of its copies
     * ended. Returns null if there is none.
     */
    @Nullable
    Peer nextFreed() {
        Peer next = freed.poll();
        while (next != null && !(isTarget(next) && next.canReceive())) {
            next = freed.poll();
        }
        return next;
    }

    /** Whether any executor has ceased to be a target of copies since the last call of this method. */
    boolean targetsRemoved() {
        boolean removed = targetsRemoved;
        targetsRemoved = false;
        return removed;
    }

    /**
     * The number of executors and hosts inspected so far to choose targets of copies. Tests use it to measure the cost
     * of a choice.
     */
    long steps() {
        return steps;
    }
}
