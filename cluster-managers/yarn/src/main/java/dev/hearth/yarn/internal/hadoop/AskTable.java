package dev.hearth.yarn.internal.hadoop;

import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requests of one application that have no grant yet. The ResourceManager counts requests of a kind (group, priority, size, place)
 * and does not say which one a grant fulfils: the table chooses one. If its owner chooses another one of the kind and cancels
 * a request that is gone here, another of the kind is cancelled, so that the number of requests is the same on both sides.
 * Confined to the line thread. Each method takes constant time per host of a request.
 */
final class AskTable {
    /** Number of fulfilled requests whose kinds are remembered, for cancellations that crossed a grant. */
    private static final int FULFILLED_MAX = 20_000;

    private final Map<Kind, Rows> kinds = new LinkedHashMap<>();
    private final Map<Long, Kind> fulfilled = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Kind> eldest) {
            return size() > FULFILLED_MAX;
        }
    };

    private record Kind(int priority, long group, ContainerCapability capability, ContainerPlace place) {
        static Kind of(ContainerAsk ask) {
            return new Kind(ask.priority(), ask.group(), ask.capability(), ask.place());
        }
    }

    /** Adds a request; returns false if there is one with its key. */
    boolean add(ContainerAsk ask) {
        return kinds.computeIfAbsent(Kind.of(ask), kind -> new Rows()).add(ask);
    }

    /** Removes and returns the request {@code key}, or another one of its kind if that one has been fulfilled. */
    Optional<ContainerAsk> cancel(long key) {
        for (Map.Entry<Kind, Rows> each : kinds.entrySet()) {
            Optional<ContainerAsk> found = each.getValue().remove(key);
            if (found.isPresent()) {
                drop(each.getKey());
                return found;
            }
        }
        Kind kind = fulfilled.remove(key);
        if (kind == null || !kinds.containsKey(kind)) {
            return Optional.empty();
        }
        Optional<ContainerAsk> other = kinds.get(kind).removeAny();
        other.ifPresent(ask -> fulfilled.put(ask.key(), kind)); // its owner may cancel it later
        drop(kind);
        return other;
    }

    /**
     * Removes and returns the request that {@code grant} fulfils: of its group, or else its priority, and not larger, preferably one that names
     * its host, else one that names none. Empty for a surplus grant.
     */
    Optional<ContainerAsk> fulfil(GrantedContainer grant) {
        Kind best = null;
        for (Kind kind : kinds.keySet()) {
            if (grant.isOf(kind.group, kind.priority)
                    && grant.capability().serves(kind.capability)
                    && (best == null || kind.capability.serves(best.capability))) {
                best = kind;
            }
        }
        if (best == null) {
            return Optional.empty();
        }
        Optional<ContainerAsk> chosen = kinds.get(best).take(grant.host());
        drop(best);
        Kind kind = best;
        chosen.ifPresent(ask -> fulfilled.put(ask.key(), kind));
        return chosen;
    }

    int size() {
        return kinds.values().stream().mapToInt(rows -> rows.byKey.size()).sum();
    }

    private void drop(Kind kind) {
        if (kinds.get(kind).byKey.isEmpty()) {
            kinds.remove(kind);
        }
    }

    /** Requests of one kind, with an index by host. */
    private static final class Rows {
        private final Map<Long, ContainerAsk> byKey = new LinkedHashMap<>();
        private final Map<String, Set<Long>> byHost = new LinkedHashMap<>();
        private final Set<Long> withoutHosts = new LinkedHashSet<>();

        boolean add(ContainerAsk ask) {
            if (byKey.putIfAbsent(ask.key(), ask) != null) {
                return false;
            }
            ask.hosts()
                    .forEach(host -> byHost.computeIfAbsent(host, same -> new LinkedHashSet<>())
                            .add(ask.key()));
            if (ask.hosts().isEmpty()) {
                withoutHosts.add(ask.key());
            }
            return true;
        }

        Optional<ContainerAsk> take(String host) {
            Set<Long> naming = byHost.getOrDefault(host, Set.of());
            return naming.isEmpty() ? removeAny() : remove(naming.iterator().next());
        }

        Optional<ContainerAsk> removeAny() {
            Iterator<Long> keys = (withoutHosts.isEmpty() ? byKey.keySet() : withoutHosts).iterator();
            return keys.hasNext() ? remove(keys.next()) : Optional.empty();
        }

        Optional<ContainerAsk> remove(long key) {
            Optional<ContainerAsk> removed = Optional.ofNullable(byKey.remove(key));
            removed.ifPresent(ask -> {
                withoutHosts.remove(key);
                for (String host : ask.hosts()) {
                    Set<Long> naming = byHost.getOrDefault(host, Set.of());
                    naming.remove(key);
                    if (naming.isEmpty()) {
                        byHost.remove(host);
                    }
                }
            });
            return removed;
        }
    }
}
