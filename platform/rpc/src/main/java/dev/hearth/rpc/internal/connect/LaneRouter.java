package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.Secret;
import java.util.Optional;

/** Receives accepted connections. Called on the event loop of the connection. */
public interface LaneRouter {
    /** The scope of this name with what a handshake needs of it; empty if there is none. */
    Optional<ScopeKey> scope(String name);

    /**
     * Takes over a connection: adds handlers to the end of its pipeline, which get the bytes received after the
     * handshake.
     */
    void accepted(EstablishedConnection connection);

    /** A scope as a handshake needs it: its name, and the secret to prove. */
    record ScopeKey(String name, Optional<Secret> secret) {}
}
