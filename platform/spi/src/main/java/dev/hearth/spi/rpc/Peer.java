package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/**
 * One connection to another process, from its handshake to its loss; a new connection is another peer.
 * <p>Either side reaches the other's endpoints, so only one of them has to listen. Compared by identity.
 */
@ProviderType
public interface Peer {
    /** A number no other peer of this env has had; what state machines know a peer by. */
    long id();

    /** The other end, for people to read. */
    String remote();

    /** An endpoint of the other side; whether it exists shows when it is asked. */
    EndpointRef endpoint(String name, Protocol protocol);

    /** Ends the connection; both sides hear of it. */
    void close();
}
