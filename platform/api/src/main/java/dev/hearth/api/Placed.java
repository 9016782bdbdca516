package dev.hearth.api;

import java.util.List;

/** An element and the hosts where a task over it would best run; an element so given makes a partition of its own. */
public record Placed<T>(T element, List<String> hosts) {
    public Placed {
        hosts = List.copyOf(hosts);
    }
}
