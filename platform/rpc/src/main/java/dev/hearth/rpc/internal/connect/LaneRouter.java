package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.Secret;
import java.util.Optional;

/** Where accepted connections go. Called on the event loop of the connection. */
public interface LaneRouter {
    /** The scope of this name, as far as a handshake has to know it; empty when there is none. */
    Optional<ScopeKey> scope(String name);

    /** Takes a connection over: adds handlers to the end of its pipeline, and gets what has arrived behind the handshake. */
    void accepted(EstablishedConnection connection);

    /** A scope as a handshake sees it: its name, and the secret that proves the right to it. */
    record ScopeKey(String name, Optional<Secret> secret) {}
}
