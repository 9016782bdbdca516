package dev.hearth.testkit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcSnapshot;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One registered receiver. What happens to it are events of its process, in order and one at a time: actions of its loop,
 * late ones of a thread that it shares or has, or the very arrival of a message. Deaf once its registration is closed.
 */
final class SimulatedEndpoint {
    private static final Duration THREAD_LAG_MAX = Duration.ofNanos(50_000);

    private final SimulatedProcess process;
    private final String name;
    private final Protocol protocol;
    private final Dispatch dispatch;
    private final EventLoop place; // the loop of the dispatch, or one that stands for its thread
    private final RpcEndpoint receiver;
    private final Set<SimulatedPeer> unread = new LinkedHashSet<>();
    private int planned; // for inline endpoints: what could not happen at once
    private boolean busy;
    private int waiting;
    private long handled;
    private long failed;
    private boolean deaf;

    SimulatedEndpoint(
            SimulatedProcess process, String name, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        this.process = process;
        this.name = name;
        this.protocol = protocol;
        this.dispatch = dispatch;
        this.receiver = receiver;
        this.place = dispatch.loop().orElseGet(() -> new SimulatedLoop(process, "endpoint " + name, THREAD_LAG_MAX));
    }

    /** Begins its life: the start, and then the peers that are there already. */
    void start(List<SimulatedPeer> peers) {
        plan(() -> perform(receiver::started)); // never within the registration
        peers.forEach(this::connected);
    }

    void connected(SimulatedPeer peer) {
        happen(() -> {
            if (!deaf) {
                perform(() -> receiver.peerConnected(peer));
            }
        });
    }

    void lost(SimulatedPeer peer, String reason) {
        unread.remove(peer);
        happen(() -> {
            if (!deaf) {
                perform(() -> receiver.peerLost(peer, reason));
            }
        });
    }

    void networkFailed(String remote, HearthException failure) {
        happen(() -> {
            if (!deaf) {
                perform(() -> receiver.networkFailed(remote, failure));
            }
        });
    }

    /** Ends its life; what waits for it is refused. */
    void stop() {
        deaf = true;
        happen(() -> perform(receiver::stopped));
    }

    /** Takes a message that arrived: refuses an ask, and reads no more of who sends, when too much waits. */
    void deliver(Record message, SimulatedCall call) {
        if (!protocol.holds(message.getClass())) {
            call.fail(
                    ErrorCode.MALFORMED_MESSAGE,
                    "endpoint " + name + ": " + message.getClass().getSimpleName() + " (expected: a message of "
                            + protocol + ")");
            return;
        }
        if (call.asked() && waiting >= dispatch.waitingMax()) {
            call.fail(
                    ErrorCode.ENDPOINT_BUSY,
                    "endpoint " + name + ": " + waiting + " messages wait for it (expected: fewer than "
                            + dispatch.waitingMax() + "); ask again later");
            return;
        }
        call.answersIn(protocol);
        waiting++;
        if (waiting >= dispatch.waitingMax() && !call.asked() && unread.add(call.from())) {
            call.from().read(this, false);
        }
        happen(new QueuedDelivery(message, call));
    }

    RpcSnapshot.EndpointState snapshot() {
        return new RpcSnapshot.EndpointState(name, dispatch.toString(), waiting, handled, failed);
    }

    private void receive(Record message, SimulatedCall call) {
        if (deaf) {
            call.fail(
                    ErrorCode.NO_ENDPOINT,
                    "endpoint " + name + ": closed while the message waited (expected: an open endpoint)");
            return;
        }
        handled++;
        perform(() -> {
            try {
                receiver.receive(message, call);
            } catch (RuntimeException failure) {
                call.fail(
                        ErrorCode.INTERNAL,
                        "endpoint " + name + ": failed at "
                                + message.getClass().getSimpleName() + ": " + Failures.describe(failure)
                                + " (expected: an answer)");
                throw failure;
            }
        });
    }

    private void readOn() {
        if (waiting <= dispatch.waitingMax() / 2 && !unread.isEmpty()) {
            List<SimulatedPeer> resumed = List.copyOf(unread);
            unread.clear();
            resumed.forEach(peer -> peer.read(this, true));
        }
    }

    private void perform(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException failure) {
            failed++;
            receiver.failed(failure); // throws unless it handles it: then the simulation fails
        }
    }

    /** A message on its way to the receiver, or out again when the loop has ended. */
    private final class QueuedDelivery implements EventLoop.Droppable {
        private final Record message;
        private final SimulatedCall call;

        QueuedDelivery(Record message, SimulatedCall call) {
            this.message = message;
            this.call = call;
        }

        @Override
        public void run() {
            waiting--;
            receive(message, call);
            readOn();
        }

        @Override
        public void dropped() {
            waiting--;
            call.fail(
                    ErrorCode.NO_ENDPOINT,
                    "endpoint " + name + ": its loop ended before the message was handled (expected: a running one)");
            readOn();
        }
    }

    private void happen(Runnable action) {
        if (dispatch.kind() != Dispatch.Kind.INLINE) {
            place.execute(action);
        } else if (busy || planned > 0) {
            plan(action);
        } else {
            alone(action);
        }
    }

    private void plan(Runnable action) {
        if (dispatch.kind() != Dispatch.Kind.INLINE) {
            place.execute(action);
            return;
        }
        planned++;
        process.later(Duration.ZERO, () -> {
            planned--;
            alone(action);
        });
    }

    private void alone(Runnable action) {
        busy = true;
        try {
            action.run();
        } finally {
            busy = false;
        }
    }
}
