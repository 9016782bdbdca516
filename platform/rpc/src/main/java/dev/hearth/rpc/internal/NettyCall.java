package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import java.util.concurrent.atomic.AtomicBoolean;

/** One message on its way in, and where its answer goes; the first answer counts. Any thread may answer. */
final class NettyCall implements RpcCall {
    private static final long NOT_ASKED = -1;

    private final NettyPeer peer;
    private final long ask;
    private final ProtocolCodec codec;
    private final AtomicBoolean answered;

    private NettyCall(NettyPeer peer, long ask, ProtocolCodec codec) {
        this.peer = peer;
        this.ask = ask;
        this.codec = codec;
        this.answered = new AtomicBoolean(ask == NOT_ASKED);
    }

    static NettyCall sent(NettyPeer peer, ProtocolCodec codec) {
        return new NettyCall(peer, NOT_ASKED, codec);
    }

    static NettyCall asked(NettyPeer peer, long ask, ProtocolCodec codec) {
        return new NettyCall(peer, ask, codec);
    }

    @Override
    public Peer peer() {
        return peer;
    }

    @Override
    public boolean asked() {
        return ask != NOT_ASKED;
    }

    @Override
    public void reply(Record answer) {
        if (answered.compareAndSet(false, true)) {
            peer.answer(ask, codec, answer);
        }
    }

    @Override
    public void fail(ErrorCode code, String message) {
        if (answered.compareAndSet(false, true)) {
            peer.answerFailure(ask, code.name(), message);
        }
    }
}
