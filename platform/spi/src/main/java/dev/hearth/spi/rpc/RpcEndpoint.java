package dev.hearth.spi.rpc;

import dev.hearth.api.HearthException;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Named receiver in one {@link RpcScope}. Its {@link Dispatch} decides on which thread its methods run, one call at a
 * time. {@link #started} comes first and {@link #stopped} last, once each; a peer's connection precedes its messages,
 * its loss follows them.
 */
@ConsumerType
public interface RpcEndpoint {
    /** The endpoint is registered and reachable. */
    default void started() {}

    /** Handles one message. {@code call} names the sender and, for an ask, takes the answer. */
    void receive(Record message, RpcCall call);

    /** A peer has connected to this scope, whether or not it uses this endpoint. */
    default void peerConnected(Peer peer) {}

    /** A peer of this scope is lost, whether or not it used this endpoint. If it reconnects, it is another peer. */
    void peerLost(Peer peer, String reason);

    /** A connection of this scope failed, while connecting or later. In the latter case {@link #peerLost} follows. */
    default void networkFailed(String remote, HearthException failure) {}

    /** One of the methods above threw. By default the owner of the endpoint's thread reports it. */
    default void failed(RuntimeException failure) {
        throw failure;
    }

    /** The registration, the scope or the env was closed. No further call follows. */
    default void stopped() {}
}
