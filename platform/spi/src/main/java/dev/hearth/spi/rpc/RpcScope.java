package dev.hearth.spi.rpc;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.Streams;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Namespace within a process: endpoint names, streams, connections, and the secret that grants access to them.
 * <p>Each application in a process has its own scope. A connection belongs to one scope from its handshake on and
 * cannot reach another scope. Any thread may call.
 */
@ProviderType
public interface RpcScope extends AutoCloseable {
    /** Name of this scope. A connecting process requests a scope by name, and must prove the secret of that scope. */
    String name();

    /**
     * Registers {@code receiver} as the endpoint named {@code endpoint} of this scope. {@code dispatch} decides on
     * which thread it runs.
     */
    Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver);

    /**
     * Registers {@code receiver} as the endpoint named {@code endpoint} of this scope; it runs as actions of {@code
     * loop}.
     */
    default Registration register(String endpoint, Protocol protocol, EventLoop loop, RpcEndpoint receiver) {
        return register(endpoint, protocol, Dispatch.on(loop), receiver);
    }

    /**
     * Connects to the scope that has the name of this scope in the process listening at {@code address}. Fails with
     * {@code PEER_UNREACHABLE} if nothing listens there, and with {@code PROTOCOL_MISMATCH} if another program listens
     * there. Fails with {@code NOT_AUTHENTICATED} if either process cannot prove the secret. Without secrets, fails
     * with {@code NO_ENDPOINT} if that process has no scope of this name. A connection to this process's own address
     * uses no socket, but behaves the same.
     */
    CompletionStage<Peer> connect(RpcAddress address);

    /**
     * Connects this scope to itself, whether or not the process listens. Messages behave like messages between two
     * processes.
     */
    CompletionStage<Peer> self();

    /**
     * Reference to {@code endpoint} by its address. It connects on first use and reconnects after a loss with
     * exponential back-off. Delivery is at most once: messages in flight when a connection breaks are lost, and none is
     * sent twice.
     */
    EndpointRef ref(EndpointUri endpoint, Protocol protocol);

    /** Bulk data of this scope, which is transferred on connections of its own. */
    Streams streams();

    /** Closes all connections, endpoints and streams of this scope. Pending asks fail with {@code PEER_LOST}. */
    @Override
    void close();
}
