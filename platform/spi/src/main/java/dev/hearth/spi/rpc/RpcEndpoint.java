package dev.hearth.spi.rpc;

import dev.hearth.api.HearthException;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A named receiver in one {@link RpcScope}. Everything below happens where its {@link Dispatch} says, one call at a time:
 * {@link #started} first, {@link #stopped} last, once each; a peer's connection before its messages, its loss after them.
 */
@ConsumerType
public interface RpcEndpoint {
    /** The endpoint is reachable from now on. */
    default void started() {}

    /** One message; {@code call} says who sent it and, when it was asked, takes the answer. */
    void receive(Record message, RpcCall call);

    /** A peer of this scope is there, whether or not it will ever talk to this endpoint. */
    default void peerConnected(Peer peer) {}

    /** A peer of this scope is gone, whether or not it ever talked to this endpoint. It comes back as another peer. */
    void peerLost(Peer peer, String reason);

    /** A connection of this scope could not be made, or broke by a fault; in the latter case {@link #peerLost} follows. */
    default void networkFailed(String remote, HearthException failure) {}

    /** One of the methods above threw. Unless it is handled here, whoever runs the endpoint reports it. */
    default void failed(RuntimeException failure) {
        throw failure;
    }

    /** Nothing arrives any more: the registration, the scope or the env was closed. */
    default void stopped() {}
}
