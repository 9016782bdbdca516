package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEndpoint;

/** One registered receiver: hands over on its loop, and nothing any more once it is closed. Any thread may call. */
final class Endpoint {
    private final String name;
    private final ProtocolCodec codec;
    private final EventLoop loop;
    private final RpcEndpoint receiver;
    private volatile boolean closed;

    Endpoint(String name, ProtocolCodec codec, EventLoop loop, RpcEndpoint receiver) {
        this.name = name;
        this.codec = codec;
        this.loop = loop;
        this.receiver = receiver;
    }

    String name() {
        return name;
    }

    ProtocolCodec codec() {
        return codec;
    }

    /** Hands a message over on the loop; {@code begun} runs as soon as it waits no more. */
    void deliver(Record message, NettyCall call, Runnable begun) {
        loop.execute(() -> {
            begun.run();
            if (closed) {
                call.fail(
                        ErrorCode.NO_ENDPOINT,
                        "endpoint " + name + ": closed while the message waited" + " (expected: an open endpoint)");
                return;
            }
            try {
                receiver.receive(message, call);
            } catch (RuntimeException | Error failure) {
                call.fail(
                        ErrorCode.INTERNAL,
                        "endpoint " + name + ": failed at "
                                + message.getClass().getSimpleName() + ": " + Failures.describe(failure)
                                + " (expected: an answer); its log says more");
                throw failure;
            }
        });
    }

    void peerLost(NettyPeer peer, String reason) {
        loop.execute(() -> {
            if (!closed) {
                receiver.peerLost(peer, reason);
            }
        });
    }

    void close() {
        closed = true;
    }
}
