package dev.hearth.spi.rpc;

import dev.hearth.spi.loop.EventLoop;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What a process sends and receives messages with: at most one listening port, endpoints by name, and peers.
 * <p>Delivery is that of TCP: at most once, in the order sent per sender and endpoint while a connection lasts; nothing is
 * sent again by the transport. What arrives over one connection is handed over in the order of its arrival, answers too: an
 * answer's stage completes before a later message reaches its loop. Any thread may call; stages may complete on any thread.
 */
@ProviderType
public interface RpcEnv extends AutoCloseable {
    /** Where others reach this process; empty when it does not listen. */
    Optional<RpcAddress> address();

    /** Makes an endpoint reachable; its messages and losses are delivered as actions of {@code loop}, one at a time. */
    Registration register(String endpoint, Protocol protocol, EventLoop loop, RpcEndpoint receiver);

    /**
     * Connects to a listening process. Fails with {@code PEER_UNREACHABLE} when nobody answers there and with
     * {@code PROTOCOL_MISMATCH} when somebody else does.
     */
    CompletionStage<Peer> connect(RpcAddress address);

    /** Closes every endpoint, connection and port. Asks under way fail with {@code PEER_LOST}. */
    @Override
    void close();

    /** An endpoint's place in its env; closing it makes the name free and the endpoint deaf. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
