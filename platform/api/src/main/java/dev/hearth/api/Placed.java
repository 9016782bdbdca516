package dev.hearth.api;

import java.util.List;

/**
 * An element with the preferred hosts of its task; {@link HearthContext#parallelizeAt} creates one partition per
 * element.
 */
public record Placed<T>(T element, List<String> hosts) {
    public Placed {
        hosts = List.copyOf(hosts);
    }
}
