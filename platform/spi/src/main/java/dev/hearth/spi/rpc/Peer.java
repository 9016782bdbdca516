package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Connection to another process, from its handshake to its loss. Reconnecting creates another peer.
 * <p>Each side reaches the other's endpoints, so only one of them has to listen. Compared by identity. Any thread may
 * call.
 */
@ProviderType
public interface Peer {
    /** Number that is unique among the peers of this env. State machines identify peers by this number. */
    long id();

    /** Address of the other side, for display. */
    String remote();

    /** Endpoint of the other side. The first message shows whether it exists. */
    EndpointRef endpoint(String name, Protocol protocol);

    /** Closes the connection. Both sides are notified of the loss. */
    void close();
}
