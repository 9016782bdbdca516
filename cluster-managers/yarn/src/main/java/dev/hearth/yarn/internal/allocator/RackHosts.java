package dev.hearth.yarn.internal.allocator;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Hosts by rack, as grants have shown them; at most {@link #HOSTS_MAX}. Owned by {@link Allocator}. */
final class RackHosts {
    static final int HOSTS_MAX = 10_000;
    private static final String NO_RACK = "/default-rack";

    private final Map<String, Set<String>> hosts = new LinkedHashMap<>();
    private int size;

    void seen(String host, String rack) {
        if (!rack.isEmpty()
                && !rack.equals(NO_RACK)
                && size < HOSTS_MAX
                && hosts.computeIfAbsent(rack, named -> new LinkedHashSet<>()).add(host)) {
            size++;
        }
    }

    Set<String> of(String rack) {
        return hosts.getOrDefault(rack, Set.of());
    }
}
