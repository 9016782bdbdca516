package dev.hearth.standalone.internal.client;

import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client's one connection to a master and the endpoint at which it is answered. Owned by the client's loop. */
final class MasterConnection {
    private final Registration endpoint;
    private @Nullable Peer master;

    /** {@code endpoint} is closed together with the connection. */
    MasterConnection(Registration endpoint) {
        this.endpoint = endpoint;
    }

    void connected(Peer peer) {
        master = peer;
    }

    boolean isTo(Peer peer) {
        return peer == master;
    }

    /** The master's endpoint; empty before the connection and after its end. */
    Optional<EndpointRef> master() {
        return Optional.ofNullable(master).map(MasterConnection::endpointOf);
    }

    static EndpointRef endpointOf(Peer peer) {
        return peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL);
    }

    /** The connection has ended by itself. */
    void lost() {
        master = null;
    }

    /** Ends what is left; later calls do nothing. */
    void close() {
        endpoint.close();
        Peer peer = master;
        master = null;
        if (peer != null) {
            peer.close();
        }
    }
}
