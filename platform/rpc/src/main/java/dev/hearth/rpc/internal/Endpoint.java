package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcSnapshot.EndpointState;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Named endpoint and its receiver, the {@link RpcEndpoint} object that handles the messages, one at a time and none
 * after the endpoint is closed. The queue of waiting messages is bounded. While it is full, asks (messages that expect
 * an answer) are refused. After any other message, this process stops reading from the sender until the queue shrinks.
 * Thread-safe.
 */
final class Endpoint {
    private final String name;
    private final ProtocolCodec codec;
    private final Dispatch dispatch;
    private final Dispatcher place;
    private final RpcEndpoint receiver;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Queue<NettyPeer> pausedSenders = new ConcurrentLinkedQueue<>();
    private final LongAdder handled = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile long number;

    Endpoint(String name, ProtocolCodec codec, Dispatch dispatch, Dispatcher place, RpcEndpoint receiver) {
        this.name = name;
        this.codec = codec;
        this.dispatch = dispatch;
        this.place = place;
        this.receiver = receiver;
    }

    String name() {
        return name;
    }

    ProtocolCodec codec() {
        return codec;
    }

    EndpointState state() {
        return new EndpointState(name, dispatch.toString(), waiting.get(), handled.sum(), failed.sum());
    }

    /** Sets the registration number of the endpoint and notifies the receiver that the endpoint has started. */
    void start(long assigned) {
        number = assigned;
        runUnlessClosed(receiver::started);
    }

    long number() {
        return number;
    }

    /**
     * Passes a message to the dispatcher. If the queue of the endpoint is full, an ask is refused. Any other message is
     * queued nevertheless, and this process stops reading from its sender.
     */
    void deliver(InboundMessage delivery) {
        if (closed.get()) {
            delivery.started();
            refuse(delivery);
            return;
        }
        if (waiting.incrementAndGet() > dispatch.waitingMax()) {
            if (delivery.asked()) {
                waiting.decrementAndGet();
                delivery.started();
                delivery.fail(
                        ErrorCode.ENDPOINT_BUSY,
                        "endpoint " + name + ": " + dispatch.waitingMax() + " messages wait for the endpoint"
                                + " already (expected: at most that many, with this one); ask again later");
                return;
            }
            delivery.sender().backlog().hold(name);
            pausedSenders.add(delivery.sender());
            // check again: all waiting messages may have been handled before the sender was added
            resumeSenders(closed.get() ? 0 : waiting.get());
        }
        place.run(delivery);
    }

    /** Passes one message to the receiver, unless the endpoint is closed. Called by the dispatcher. */
    void handle(InboundMessage delivery) {
        delivery.started();
        resumeSenders(waiting.decrementAndGet());
        if (closed.get()) {
            refuse(delivery);
            return;
        }
        try {
            receiver.receive(delivery.message(), delivery);
            handled.increment();
        } catch (RuntimeException | Error failure) {
            failed.increment();
            delivery.fail(
                    ErrorCode.INTERNAL,
                    Failures.expecting(
                                    "endpoint " + name + ": failed at "
                                            + delivery.message().getClass().getSimpleName() + ": "
                                            + Failures.describe(failure),
                                    "an answer")
                            + "; see the log of its process");
            report(failure);
        }
    }

    /** Refuses a waiting message, because the dispatcher's event loop has ended before it handled the message. */
    void dropped(InboundMessage delivery) {
        delivery.started();
        resumeSenders(waiting.decrementAndGet());
        delivery.fail(
                ErrorCode.NO_ENDPOINT,
                "endpoint " + name + ": its loop ended before the message was handled (expected: a running one)");
    }

    void peerConnected(NettyPeer peer) {
        runUnlessClosed(() -> receiver.peerConnected(peer));
    }

    void peerLost(NettyPeer peer, String reason) {
        runUnlessClosed(() -> receiver.peerLost(peer, reason));
    }

    void networkFailed(String remote, HearthException failure) {
        runUnlessClosed(() -> receiver.networkFailed(remote, failure));
    }

    /**
     * Closes the endpoint. The asks that still wait for the receiver are refused; then the receiver is notified that
     * its endpoint has ended.
     */
    void close() {
        if (closed.compareAndSet(false, true)) {
            place.run(() -> guarded(receiver::stopped));
            place.close();
            // resume reading from all blocked senders here, because the dispatcher may run no more actions
            resumeSenders(0);
        }
    }

    private void refuse(InboundMessage delivery) {
        delivery.fail(
                ErrorCode.NO_ENDPOINT,
                "endpoint " + name + ": closed while the message waited (expected: an open endpoint)");
    }

    private void runUnlessClosed(Runnable what) {
        place.run(() -> {
            if (!closed.get()) {
                guarded(what);
            }
        });
    }

    private void guarded(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException | Error failure) {
            failed.increment();
            report(failure);
        }
    }

    /**
     * Passes an exception that the receiver threw to the receiver's own failure handler. An Error, or an exception
     * thrown by that handler, goes to the dispatcher.
     */
    private void report(Throwable failure) {
        if (failure instanceof RuntimeException mistake) {
            receiver.failed(mistake);
        } else {
            throw (Error) failure;
        }
    }

    private void resumeSenders(int waitingNow) {
        if (waitingNow <= dispatch.waitingMax() / 2 && !pausedSenders.isEmpty()) {
            for (NettyPeer peer = pausedSenders.poll(); peer != null; peer = pausedSenders.poll()) {
                peer.backlog().release();
            }
        }
    }
}
