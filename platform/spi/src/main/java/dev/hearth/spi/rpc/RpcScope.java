package dev.hearth.spi.rpc;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.Streams;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One conversation space of a process: endpoint names, streams, connections, and the secret that admits to them.
 * <p>Several applications in one process have a scope each; a connection belongs to one scope from its handshake on and
 * reaches nothing of another. Any thread may call.
 */
@ProviderType
public interface RpcScope extends AutoCloseable {
    /** What the other side has to ask for; it is also the id of the key that proves the right to. */
    String name();

    /** Makes an endpoint reachable for connections of this scope; it runs where {@code dispatch} says. */
    Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver);

    /** Makes an endpoint reachable; what happens to it are actions of {@code loop}, one at a time. */
    default Registration register(String endpoint, Protocol protocol, EventLoop loop, RpcEndpoint receiver) {
        return register(endpoint, protocol, Dispatch.on(loop), receiver);
    }

    /**
     * Connects to the scope of this name in a listening process. Fails with {@code PEER_UNREACHABLE} when nobody answers
     * there, {@code PROTOCOL_MISMATCH} when somebody else does, {@code NOT_AUTHENTICATED} when one side cannot prove the
     * secret of the scope, and {@code NO_ENDPOINT} when there is no such scope and none needs a proof. The address of this process gives a peer without a socket, with the same semantics.
     */
    CompletionStage<Peer> connect(RpcAddress address);

    /** Connects this scope to itself, whether or not the process listens; messages take the same way as between processes. */
    CompletionStage<Peer> self();

    /**
     * An endpoint by where it is: connects when it is first used, and again after a loss, at growing intervals. Delivery
     * stays that of one connection: nothing is sent twice, and what was under way when a connection ended is lost.
     */
    EndpointRef ref(EndpointUri endpoint, Protocol protocol);

    /** Bulk data of this scope, on connections of its own. */
    Streams streams();

    /** Ends every connection, endpoint and stream of this scope. Asks under way fail with {@code PEER_LOST}. */
    @Override
    void close();
}
