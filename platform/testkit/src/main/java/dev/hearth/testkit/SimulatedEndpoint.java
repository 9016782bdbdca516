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
 * Endpoint registered in a simulated process. Its receiver, the registered {@link RpcEndpoint}, is called in order, one
 * call at a time. Depending on the dispatch mode, calls are actions of a loop, delayed events like those of a thread,
 * or part of a message arrival. After its registration is closed, the endpoint ignores all events.
 */
final class SimulatedEndpoint {
    private static final Duration THREAD_LAG_MAX = Duration.ofNanos(50_000);

    private final SimulatedProcess process;
    private final String name;
    private final Protocol protocol;
    private final Dispatch dispatch;
    private final EventLoop place; // loop of the dispatch mode, or one that simulates its thread
    private final RpcEndpoint receiver;
    private final Set<SimulatedPeer> unread = new LinkedHashSet<>();
    private int planned; // for inline endpoints: calls that could not run immediately
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

    /**
     * Calls {@code started} of the receiver, then {@code peerConnected} for each of {@code peers}, the existing peers
     * of the scope.
     */
    void start(List<SimulatedPeer> peers) {
        plan(() -> perform(receiver::started)); // runs after register returns, as in the real implementation
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

    /** Stops the endpoint: asks that are still queued are refused, and the receiver is notified. */
    void stop() {
        deaf = true;
        happen(() -> perform(receiver::stopped));
    }

    /**
     * Queues a message that arrived. If the queue is full, an ask is refused instead; any other message is queued, and
     * reading from its sender stops until the queue has room again.
     */
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
                    "endpoint " + name + ": " + waiting + " messages wait for the endpoint already (expected: at"
                            + " most " + dispatch.waitingMax() + ", with this one); ask again later");
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
                process.simulation()
                        .network()
                        .watch()
                        .handled(
                                call.from().other().process(), process, message, () -> receiver.receive(message, call));
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
            receiver.failed(failure); // throws by default, which fails the simulation
        }
    }

    /**
     * Message in the queue of the endpoint. It is refused if the loop of the endpoint is closed before the message is
     * handled.
     */
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
