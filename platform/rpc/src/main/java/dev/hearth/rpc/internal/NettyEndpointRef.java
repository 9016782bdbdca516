package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.EndpointRef;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Reference to an endpoint reachable over one connection, with the codec of the endpoint's protocol. Immutable. */
final class NettyEndpointRef implements EndpointRef {
    private final NettyPeer peer;
    private final String endpoint;
    private final ProtocolCodec codec;

    NettyEndpointRef(NettyPeer peer, String endpoint, ProtocolCodec codec) {
        this.peer = peer;
        this.endpoint = endpoint;
        this.codec = codec;
    }

    @Override
    public void send(Record message) {
        peer.send(endpoint, codec, message);
    }

    @Override
    public <R extends Record> CompletionStage<R> ask(Record message, Class<R> answer, Duration timeout) {
        return peer.ask(endpoint, codec, message, answer, timeout);
    }

    @Override
    public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
        PendingAsk<R> ask = peer.ask(endpoint, codec, message, answer, timeout);
        return new AbortableAsk<>(ask, ask::abort);
    }

    @Override
    public String toString() {
        return "endpoint " + endpoint + " at " + peer.remote();
    }
}
