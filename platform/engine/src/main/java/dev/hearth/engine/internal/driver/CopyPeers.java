package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.spi.id.ExecutorId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The executors in other processes that copies go between, and how many are under way. Owned by the driver's loop. */
final class CopyPeers {
    /** Copies that one executor takes, or gives, at once. */
    static final int COPIES_AT_ONCE = 4;

    private final Map<ExecutorId, Peer> peers = new LinkedHashMap<>();

    /** One of them. {@code given} counts what it was ever told to take. */
    static final class Peer {
        final Holder holder;
        boolean leaving;
        int taking;
        int giving;
        long given;

        private Peer(Holder holder) {
            this.holder = holder;
        }

        ExecutorId id() {
            return holder.executor();
        }

        boolean isReachable() {
            return !holder.address().isEmpty();
        }
    }

    void add(ExecutorId executor, String host, String address) {
        peers.putIfAbsent(executor, new Peer(new Holder(executor, host, address)));
    }

    void remove(ExecutorId executor) {
        peers.remove(executor);
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

    /** How many copies may be under way in all. */
    int capacity() {
        return peers.size() * COPIES_AT_ONCE;
    }

    /**
     * Who may take something that {@code holders} have: on another host than they where there is one, and of these who has least to
     * do. Not {@code refused} ones, nor who leaves.
     */
    Choice taker(Collection<Peer> holders, Set<ExecutorId> refused) {
        Set<String> hosts = new LinkedHashSet<>();
        Set<ExecutorId> having = new LinkedHashSet<>();
        holders.forEach(holder -> {
            having.add(holder.id());
            hosts.add(holder.holder.host());
        });
        Peer best = null;
        for (Peer peer : peers.values()) {
            boolean may = !peer.leaving && !having.contains(peer.id()) && !refused.contains(peer.id());
            if (may && (best == null || isBetter(peer, best, hosts))) {
                best = peer;
            }
        }
        if (best == null) {
            return Choice.NONE;
        }
        return best.taking < COPIES_AT_ONCE ? new Choice(best, false) : Choice.LATER;
    }

    private static boolean isBetter(Peer peer, Peer best, Set<String> hosts) {
        boolean near = hosts.contains(peer.holder.host());
        boolean bestNear = hosts.contains(best.holder.host());
        if (near != bestNear) {
            return bestNear;
        }
        return peer.taking != best.taking ? peer.taking < best.taking : peer.given < best.given;
    }

    /** Who gives it: of those that others reach, who stays before who leaves, and who has least to do. */
    static Choice giver(Collection<Peer> holders) {
        Peer best = null;
        for (Peer peer : holders) {
            if (peer.isReachable()
                    && (best == null || (peer.leaving == best.leaving ? peer.giving < best.giving : best.leaving))) {
                best = peer;
            }
        }
        if (best == null) {
            return Choice.NONE;
        }
        return best.giving < COPIES_AT_ONCE ? new Choice(best, false) : Choice.LATER;
    }

    /** One peer, or none now, or none at all. */
    record Choice(@Nullable Peer peer, boolean later) {
        static final Choice NONE = new Choice(null, false);
        static final Choice LATER = new Choice(null, true);
    }

    static void begin(Peer from, Peer to) {
        from.giving++;
        to.taking++;
        to.given++;
    }

    static void end(Peer from, Peer to) {
        from.giving--;
        to.taking--;
    }
}
