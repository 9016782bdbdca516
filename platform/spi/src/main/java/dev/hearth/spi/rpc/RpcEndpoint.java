package dev.hearth.spi.rpc;

import dev.hearth.api.HearthException;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Named receiver in one {@link RpcScope}. Its {@link Dispatch} decides on which thread its methods run, one call at a
 * time. {@link #started} comes first and {@link #stopped} last, once each; between them, a peer's messages come after
 * the call of {@link #peerConnected} and before that of {@link #peerLost}.
 */
@ConsumerType
public interface RpcEndpoint {
    /** Called once the endpoint is registered and reachable. */
    default void started() {}

    /** Handles one message. {@code call} names the sender, and accepts the answer if the sender expects one. */
    void receive(Record message, RpcCall call);

    /** Called when a peer has connected to this scope, whether or not it uses this endpoint. */
    default void peerConnected(Peer peer) {}

    /**
     * Called when a peer of this scope is lost, whether or not it used this endpoint. A new connection to the same
     * process is another peer.
     */
    void peerLost(Peer peer, String reason);

    /**
     * Called when an attempt to connect or a connection of this scope has failed; {@code remote} is the other process.
     * If the connection was established, a call of {@link #peerLost} follows.
     */
    default void networkFailed(String remote, HearthException failure) {}

    /**
     * Called when any other method of this endpoint has thrown an exception. By default, rethrows the exception, and
     * the owner of the endpoint's thread reports it.
     */
    default void failed(RuntimeException failure) {
        throw failure;
    }

    /**
     * Called when this endpoint's registration, its scope or the RPC environment has been closed. No further call
     * follows, except {@link #failed} if this method throws an exception.
     */
    default void stopped() {}
}
