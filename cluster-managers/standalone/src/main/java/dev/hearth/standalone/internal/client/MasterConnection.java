package dev.hearth.standalone.internal.client;

import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client to a master, and the client's endpoint for messages from that master. Owned by the client's
 * event loop.
 */
final class MasterConnection {
    private final Registration endpoint;
    private @Nullable Peer master;

    /** {@code endpoint} is the registration of the client's endpoint, which closing the connection also ends. */
    MasterConnection(Registration endpoint) {
        this.endpoint = endpoint;
    }

    void connected(Peer peer) {
        master = peer;
    }

    boolean isConnectedTo(Peer peer) {
        return peer == master;
    }

    /** Returns the endpoint of the master; empty while this client is not connected to it. */
    Optional<EndpointRef> master() {
        return Optional.ofNullable(master).map(MasterConnection::endpointOf);
    }

    static EndpointRef endpointOf(Peer peer) {
        return peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL);
    }

    /** Records that the connection to the master was lost, so that {@link #master()} returns empty. */
    void lost() {
        master = null;
    }

    /** Closes the connection and the endpoint. Idempotent. */
    void close() {
        endpoint.close();
        Peer peer = master;
        master = null;
        if (peer != null) {
            peer.close();
        }
    }
}
