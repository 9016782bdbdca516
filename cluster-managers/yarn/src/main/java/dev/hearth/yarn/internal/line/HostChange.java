package dev.hearth.yarn.internal.line;

import java.util.OptionalInt;

/** Change of a node, as the ResourceManager reports it. Immutable. */
public record HostChange(String host, State state, OptionalInt timeoutSeconds) {
    /** State of a node as far as executors care. */
    public enum State {
        /** The node takes containers. */
        USABLE,
        /** The node is decommissioned gracefully; its containers may end within the timeout. */
        DECOMMISSIONING,
        /** The node is lost, unhealthy, decommissioned or shut down. */
        GONE
    }
}
