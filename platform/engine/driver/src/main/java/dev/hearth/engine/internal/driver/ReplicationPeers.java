package dev.hearth.engine.internal.driver;

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
 * The executors in other processes that copies go between, and how many are under way. Those that may take something stand in
 * order of what they have to do, by their hosts, so that who is to take comes first however many there are. Owned by the driver's
 * loop.
 */
final class ReplicationPeers {
    /** Copies that one executor takes, or gives, at once. */
    static final int COPIES_AT_ONCE = 4;

    private static final Comparator<Peer> BY_LOAD = Comparator.<Peer>comparingInt(peer -> peer.taking)
            .thenComparingLong(peer -> peer.given)
            .thenComparingLong(peer -> peer.number);

    private final Map<ExecutorId, Peer> peers = new LinkedHashMap<>();
    private final Map<String, Host> hosts = new LinkedHashMap<>(); // of those that may take
    private final TreeSet<Host> byLoad = new TreeSet<>(Comparator.comparing(Host::first, BY_LOAD));
    private final ArrayDeque<Peer> freed =
            new ArrayDeque<>(); // takers that can take more than when this was asked last
    private boolean fewer; // there are fewer takers than when this was asked last
    private long added;
    private long looks;

    /** One of them. {@code given} counts what it was ever told to take. */
    static final class Peer {
        final BlockServerAddress holder;
        private final long number; // in the order they came
        private boolean leaving;
        private int taking;
        private int giving;
        private long given;

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

        boolean isLeaving() {
            return leaving;
        }

        boolean isReachable() {
            return !holder.address().isEmpty();
        }

        boolean takesMore() {
            return taking < COPIES_AT_ONCE;
        }

        boolean givesMore() {
            return giving < COPIES_AT_ONCE;
        }

        int giving() {
            return giving;
        }
    }

    /** Those on one host that may take something: one at least. */
    private static final class Host {
        private final TreeSet<Peer> takers = new TreeSet<>(BY_LOAD);

        Peer first() {
            return takers.first();
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

    /** It takes nothing more. */
    void leaving(ExecutorId executor) {
        Peer peer = peers.get(executor);
        if (peer != null) {
            leave(peer);
            peer.leaving = true;
        }
    }

    @Nullable
    Peer find(ExecutorId executor) {
        return peers.get(executor);
    }

    /** Those of the named that are there. */
    List<Peer> of(Collection<String> executors) {
        return executors.stream()
                .map(id -> Optional.ofNullable(peers.get(new ExecutorId(id))))
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean isTaker(Peer peer) {
        return !peer.leaving && peers.get(peer.id()) == peer;
    }

    private void enter(Peer peer) {
        Host host = hosts.computeIfAbsent(peer.host(), missing -> new Host());
        if (!host.takers.isEmpty()) {
            byLoad.remove(host);
        }
        host.takers.add(peer);
        byLoad.add(host);
    }

    private void exit(Peer peer) {
        Host host = Objects.requireNonNull(hosts.get(peer.host()));
        byLoad.remove(host);
        host.takers.remove(peer);
        if (host.takers.isEmpty()) {
            hosts.remove(peer.host());
        } else {
            byLoad.add(host);
        }
    }

    private void leave(Peer peer) {
        if (isTaker(peer)) {
            exit(peer);
            fewer = true;
        }
    }

    /**
     * Who is to take something that {@code holders} have, though it may have to wait for that: on another host than they where
     * there is one, and of these who has least to do. Not {@code refused} ones, nor who leaves; null when there is nobody.
     */
    @Nullable
    Peer taker(Collection<Peer> holders, Set<ExecutorId> refused) {
        Set<ExecutorId> others = new LinkedHashSet<>(refused);
        holders.forEach(holder -> others.add(holder.id()));
        Peer best = null;
        Peer near = null;
        for (Host host : byLoad) {
            looks++;
            if (best != null && BY_LOAD.compare(host.first(), best) > 0) {
                break; // and all behind it have more to do
            }
            Peer first = first(host, others);
            if (first != null && isNear(first, holders)) {
                near = near == null || BY_LOAD.compare(first, near) < 0 ? first : near;
            } else if (first != null) {
                best = best == null || BY_LOAD.compare(first, best) < 0 ? first : best;
            }
        }
        return best == null ? near : best;
    }

    private @Nullable Peer first(Host host, Set<ExecutorId> others) {
        for (Peer peer : host.takers) {
            looks++;
            if (!others.contains(peer.id())) {
                return peer;
            }
        }
        return null;
    }

    /** Whether it is on the host of one of those. */
    static boolean isNear(Peer peer, Collection<Peer> holders) {
        return holders.stream().anyMatch(holder -> holder.host().equals(peer.host()));
    }

    /**
     * Who is to give it, though it may have to wait for that: of those that others reach, who stays before who leaves, and who has
     * least to do; null when there is nobody.
     */
    static @Nullable Peer giver(Collection<Peer> holders) {
        Peer best = null;
        for (Peer peer : holders) {
            if (peer.isReachable()
                    && (best == null || (peer.leaving == best.leaving ? peer.giving < best.giving : best.leaving))) {
                best = peer;
            }
        }
        return best;
    }

    void beginGiving(Peer from) {
        from.giving++;
    }

    void endGiving(Peer from) {
        from.giving--;
    }

    void beginTaking(Peer to) {
        exit(to);
        to.taking++;
        to.given++;
        enter(to);
    }

    void endTaking(Peer to) {
        boolean isTaker = isTaker(to);
        if (isTaker) {
            exit(to);
        }
        to.taking--;
        if (isTaker) {
            enter(to);
            freed.add(to);
        }
    }

    /** One that can take more than before, each time once; null when there is none. */
    @Nullable
    Peer nextFreed() {
        Peer next = freed.poll();
        while (next != null && !(isTaker(next) && next.takesMore())) {
            next = freed.poll();
        }
        return next;
    }

    /** Whether there are takers fewer than before; true once. */
    boolean fewerTake() {
        boolean were = fewer;
        fewer = false;
        return were;
    }

    /** How many peers and hosts were looked at so far, to find who takes. */
    long looks() {
        return looks;
    }
}
