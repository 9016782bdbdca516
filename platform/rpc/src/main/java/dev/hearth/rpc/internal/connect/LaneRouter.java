package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.Secret;
import java.util.Optional;

/**
 * Assigns accepted connections to their scope (application) and lane: messages, bulk data or HTTP. Called on the event
 * loop of the connection.
 */
public interface LaneRouter {
    /** Finds the scope with this name, for the handshake; empty if there is none. */
    Optional<ScopeKey> scope(String name);

    /**
     * Takes over a connection: adds handlers to the end of its pipeline, which get the bytes received after the
     * handshake.
     */
    void accepted(EstablishedConnection connection);

    /** Name of a scope, with the secret that both sides must prove in the handshake; empty if the scope has none. */
    record ScopeKey(String name, Optional<Secret> secret) {}
}
