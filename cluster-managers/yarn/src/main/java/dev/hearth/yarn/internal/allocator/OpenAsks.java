package dev.hearth.yarn.internal.allocator;

import dev.hearth.yarn.internal.line.ContainerAsk;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Asks of one pool that have no grant yet, by key and by the hosts that they name. Owned by {@link ContainerPool}. */
final class OpenAsks {
    private final Map<Long, ContainerAsk> byKey = new LinkedHashMap<>();
    private final Map<String, Set<Long>> byHost = new LinkedHashMap<>();
    private final Set<Long> anywhere = new LinkedHashSet<>();

    int size() {
        return byKey.size();
    }

    Collection<ContainerAsk> all() {
        return Collections.unmodifiableCollection(byKey.values());
    }

    /** Keys of the asks that name no host. */
    Set<Long> anywhere() {
        return Collections.unmodifiableSet(anywhere);
    }

    /** Number of asks that name {@code host}. */
    int naming(String host) {
        return byHost.getOrDefault(host, Set.of()).size();
    }

    /** Hosts that asks name. */
    Set<String> hosts() {
        return Collections.unmodifiableSet(byHost.keySet());
    }

    void add(ContainerAsk ask) {
        byKey.put(ask.key(), ask);
        ask.hosts()
                .forEach(host -> byHost.computeIfAbsent(host, named -> new LinkedHashSet<>())
                        .add(ask.key()));
        if (ask.hosts().isEmpty()) {
            anywhere.add(ask.key());
        }
    }

    void remove(long key) {
        ContainerAsk ask = byKey.remove(key);
        if (ask == null) {
            throw new IllegalStateException("ask " + key + ": unknown (expected: one that is open)");
        }
        anywhere.remove(key);
        for (String host : ask.hosts()) {
            Set<Long> named = byHost.getOrDefault(host, Set.of());
            named.remove(key);
            if (named.isEmpty()) {
                byHost.remove(host);
            }
        }
    }

    /**
     * Key of the ask that a grant on {@code host} serves: one that names the host, or else one of {@code near}, the known
     * hosts of its rack, or else one without hosts, or else any.
     */
    Optional<Long> servedBy(String host, Collection<String> near) {
        Optional<Long> local = first(byHost.get(host));
        if (local.isPresent() || byKey.isEmpty()) {
            return local;
        }
        for (String neighbour : near) {
            Optional<Long> inRack = first(byHost.get(neighbour));
            if (inRack.isPresent()) {
                return inRack;
            }
        }
        return first(anywhere).or(() -> first(byKey.keySet()));
    }

    private static Optional<Long> first(@org.jspecify.annotations.Nullable Set<Long> keys) {
        return keys == null || keys.isEmpty()
                ? Optional.empty()
                : Optional.of(keys.iterator().next());
    }
}
