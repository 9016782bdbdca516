package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ConsumerType;

/** A named receiver in one {@link RpcEnv}. All calls arrive as actions of the loop it was registered with. */
@ConsumerType
public interface RpcEndpoint {
    /** One message; {@code call} says who sent it and, when it was asked, takes the answer. */
    void receive(Record message, RpcCall call);

    /** A peer of this process is gone, whether or not it ever talked to this endpoint. It comes back as another peer. */
    void peerLost(Peer peer, String reason);
}
