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
 * One registered receiver: hands over at its place, one at a time, and nothing any more once it is closed. What waits is
 * bounded: beyond, asks are refused and senders held back. Any thread may call.
 */
final class Endpoint {
    private final String name;
    private final ProtocolCodec codec;
    private final Dispatch dispatch;
    private final Dispatcher place;
    private final RpcEndpoint receiver;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Queue<NettyPeer> heldBack = new ConcurrentLinkedQueue<>();
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

    /** Begins its life, under a number. */
    void start(long given) {
        number = given;
        tell(receiver::started);
    }

    long number() {
        return number;
    }

    /** Hands a message over, or refuses it when too many wait. */
    void deliver(InboundMessage delivery) {
        if (closed.get()) {
            delivery.begun();
            refuse(delivery);
            return;
        }
        if (waiting.incrementAndGet() > dispatch.waitingMax()) {
            if (delivery.asked()) {
                waiting.decrementAndGet();
                delivery.begun();
                delivery.fail(
                        ErrorCode.ENDPOINT_BUSY,
                        "endpoint " + name + ": " + dispatch.waitingMax() + " messages wait already (expected: fewer);"
                                + " ask again later");
                return;
            }
            delivery.sender().backlog().hold(name);
            heldBack.add(delivery.sender());
            letGoOn(closed.get() ? 0 : waiting.get()); // it may have become free before the sender was noted
        }
        place.run(delivery);
    }

    /** Runs one message, where it was delivered to. */
    void handle(InboundMessage delivery) {
        delivery.begun();
        letGoOn(waiting.decrementAndGet());
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
                    "endpoint " + name + ": failed at "
                            + delivery.message().getClass().getSimpleName() + ": " + Failures.describe(failure)
                            + " (expected: an answer); its log says more");
            report(failure);
        }
    }

    /** Counts one message out that will never run, as the loop of its place has ended. */
    void dropped(InboundMessage delivery) {
        delivery.begun();
        letGoOn(waiting.decrementAndGet());
        delivery.fail(
                ErrorCode.NO_ENDPOINT,
                "endpoint " + name + ": its loop ended before the message was handled (expected: a running one)");
    }

    void peerConnected(NettyPeer peer) {
        tell(() -> receiver.peerConnected(peer));
    }

    void peerLost(NettyPeer peer, String reason) {
        tell(() -> receiver.peerLost(peer, reason));
    }

    void networkFailed(String remote, HearthException failure) {
        tell(() -> receiver.networkFailed(remote, failure));
    }

    /** Nothing is handed over any more; whoever waits for it is told, and so is the receiver, last. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            place.run(() -> guarded(receiver::stopped));
            place.close();
            letGoOn(0); // also when the place runs nothing any more
        }
    }

    private void refuse(InboundMessage delivery) {
        delivery.fail(
                ErrorCode.NO_ENDPOINT,
                "endpoint " + name + ": closed while the message waited (expected: an open endpoint)");
    }

    private void tell(Runnable what) {
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

    /** The receiver's own handling of its failures, whose own failures are reported by the place. */
    private void report(Throwable failure) {
        if (failure instanceof RuntimeException mistake) {
            receiver.failed(mistake);
        } else {
            throw (Error) failure;
        }
    }

    private void letGoOn(int stillWaiting) {
        if (stillWaiting <= dispatch.waitingMax() / 2 && !heldBack.isEmpty()) {
            for (NettyPeer peer = heldBack.poll(); peer != null; peer = heldBack.poll()) {
                peer.backlog().release();
            }
        }
    }
}
