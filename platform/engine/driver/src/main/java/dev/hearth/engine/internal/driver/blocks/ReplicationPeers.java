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
 * The executors in other processes between which blocks and map outputs are copied, with the number of copies in flight
 * at each. Eligible targets are sorted by load and grouped by host, so that a target is chosen without a scan of all
 * executors. Owned by the driver's loop.
 */
final class ReplicationPeers {
    /** How many copies one executor sends at once, and how many it receives at once. */
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

    /** One executor, with its copies in flight and the number of all copies ever sent to it. */
    static final class Peer {
        final BlockServerAddress holder;
        private final long number; // in order of registration
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

    /** One host with its eligible targets, at least one. */
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

    /** Excludes an executor as the target of further copies. */
    void decommission(ExecutorId executor) {
        Peer peer = peers.get(executor);
        if (peer != null) {
            leave(peer);
            peer.decommissioning = true;
        }
    }

    @Nullable
    Peer find(ExecutorId executor) {
        return peers.get(executor);
    }

    /** The peers with these executor ids; unknown ids are skipped. */
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
     * Chooses the target of a new replica: the least loaded executor, preferably on a host without a replica. Skips
     * {@code holders}, {@code refused} and decommissioned executors. The target may be at its limit of copies. Null if
     * no executor is eligible.
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
                break; // all further hosts are more loaded
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

    /** Whether a peer is on the host of one of {@code holders}. */
    static boolean sharesHost(Peer peer, Collection<Peer> holders) {
        return holders.stream().anyMatch(holder -> holder.host().equals(peer.host()));
    }

    /**
     * Chooses the source of a copy: a reachable holder, preferably one that is not decommissioned, with the fewest
     * copies to send. The source may be at its limit of copies. Null if no holder is reachable.
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

    /** Takes the next target with room that was added or had a copy end since it was taken; null if there is none. */
    @Nullable
    Peer nextFreed() {
        Peer next = freed.poll();
        while (next != null && !(isTarget(next) && next.canReceive())) {
            next = freed.poll();
        }
        return next;
    }

    /** Whether targets were removed since the last call. */
    boolean targetsRemoved() {
        boolean removed = targetsRemoved;
        targetsRemoved = false;
        return removed;
    }

    /** The number of peers and hosts inspected so far to choose targets, by which tests measure the cost. */
    long steps() {
        return steps;
    }
}
