package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Connection to another process, from its handshake to its loss. Reconnecting creates another peer.
 * <p>Both processes can send messages over it, so only one of them has to listen on a port. Peers are compared by
 * identity. Any thread may call.
 */
@ProviderType
public interface Peer {
    /** Number that is unique among the peers of this RPC environment. State machines identify peers by this number. */
    long id();

    /** Address of the other process, for display. */
    String remote();

    /**
     * Reference to an endpoint of the other process. It is not checked that the endpoint exists: an ask to a missing
     * endpoint fails with {@code NO_ENDPOINT}.
     */
    EndpointRef endpoint(String name, Protocol protocol);

    /** Closes the connection. The endpoints of both processes are notified of the loss. */
    void close();
}
