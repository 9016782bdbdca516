package dev.hearth.rpc.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Received message for an endpoint, with the connection and the ask id that an answer needs. Any thread may answer;
 * only the first answer is sent.
 */
final class InboundMessage implements RpcCall, EventLoop.Droppable {
    static final long NOT_ASKED = -1;

    private static final AtomicIntegerFieldUpdater<InboundMessage> ANSWERED =
            AtomicIntegerFieldUpdater.newUpdater(InboundMessage.class, "answered");

    private final Endpoint endpoint;
    private final NettyPeer peer;
    private final long ask;
    private final Record message;
    private final int bytes;

    @SuppressWarnings("UnusedVariable") // accessed through the atomic field updater
    private volatile int answered;

    /**
     * Creates a message of {@code bytes} bytes on the wire. They count in the peer's {@link Backlog} until the endpoint
     * starts to handle the message. {@code ask} is the ask id, or {@link #NOT_ASKED}.
     */
    InboundMessage(Endpoint endpoint, NettyPeer peer, long ask, Record message, int bytes) {
        this.endpoint = endpoint;
        this.peer = peer;
        this.ask = ask;
        this.message = message;
        this.bytes = bytes;
    }

    Record message() {
        return message;
    }

    /**
     * Connection that the message arrived on. The endpoint pauses reading from it while the endpoint's queue is full.
     */
    NettyPeer sender() {
        return peer;
    }

    /**
     * Subtracts the bytes of this message from the {@link Backlog}, the count of its peer's unhandled bytes, because
     * the endpoint starts to handle the message.
     */
    void started() {
        peer.backlog().started(bytes);
    }

    @Override
    public void run() {
        endpoint.handle(this);
    }

    @Override
    public void dropped() {
        endpoint.dropped(this);
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
        if (asked() && ANSWERED.compareAndSet(this, 0, 1)) {
            peer.answer(ask, endpoint.codec(), answer);
        }
    }

    @Override
    public void fail(ErrorCode code, String text) {
        if (asked() && ANSWERED.compareAndSet(this, 0, 1)) {
            peer.answerFailure(ask, code.name(), text);
        }
    }
}
