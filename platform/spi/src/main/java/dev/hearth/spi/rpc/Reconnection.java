package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connection to one address, shared by all endpoint refs to it. Connects on first use and reconnects after a loss with
 * exponential back-off. Messages queue in order while there is no connection; if a connection attempt fails, the queue
 * is dropped and asks fail with the reason.
 * <p>Guarded by its own lock, which is never held while other components are called. Lives until its scope closes, or
 * until it retires after being idle; its refs then use a new connection, called its successor. Any thread may call.
 */
final class Reconnection {
    /** Maximum number of messages queued while there is no connection. */
    static final int WAITING_MESSAGES_MAX = 65_536;

    /**
     * Delay before an ask beyond {@link #WAITING_MESSAGES_MAX} is refused. It keeps a caller that retries immediately
     * from blocking other actions.
     */
    static final Duration REFUSAL_PAUSE = Duration.ofMillis(1);

    private static final int DOUBLINGS_MAX = 30;

    private final RpcAddress address;
    private final RpcTimes times;
    private final Reconnections.AddressConnector line;
    private final Supplier<Reconnection> successorLookup;
    private final Deque<QueuedMessage> waiting = new ArrayDeque<>();
    private final Set<Peer> lostWhileConnecting = new LinkedHashSet<>(); // one may be the result of the attempt
    private final List<QueuedMessage> refused = new ArrayList<>(); // refused after REFUSAL_PAUSE
    private State state = State.IDLE;
    private volatile @Nullable Peer peer; // target of messages that need not queue; set while CONNECTED
    private @Nullable Peer connectedPeer; // peer of the last successful attempt, until it is lost
    private long connectedNanos;
    private long earliestNanos; // earliest time of the next attempt; valid after a failure
    private int failures; // consecutive failed attempts and short-lived connections
    private String closeReason = "";
    private long idleSinceNanos; // valid while IDLE
    private int sendsRefused; // counted since the last attempt ended
    private volatile @Nullable Reconnection successor; // set once this has retired

    /** {@code successorLookup} returns the connection that replaces this one after it has retired. */
    Reconnection(
            RpcAddress address,
            RpcTimes times,
            Reconnections.AddressConnector line,
            Supplier<Reconnection> successorLookup) {
        this.address = address;
        this.times = times;
        this.line = line;
        this.successorLookup = successorLookup;
        this.idleSinceNanos = line.ticker().nanos();
    }

    /** Reference to the endpoint named {@code endpoint} at the address of this connection. */
    EndpointRef ref(String endpoint, Protocol protocol) {
        return new Ref(IdSyntax.require("endpoint", endpoint), protocol);
    }

    /** Notes the loss of {@code gone}, a peer of the scope; no effect unless this connection uses or gets that peer. */
    void lost(Peer gone) {
        synchronized (this) {
            if (gone != connectedPeer) {
                if (state == State.CONNECTING) {
                    lostWhileConnecting.add(gone); // the attempt in progress may complete with this peer
                }
                return;
            }
            connectedPeer = null;
            peer = null;
            boolean lasted = line.ticker().nanos() - connectedNanos
                    >= times.reconnectLast().toNanos();
            failures = lasted ? 1 : failures + 1;
            earliestNanos = line.ticker().nanos() + pause();
            if (state == State.CONNECTED) {
                move(State.IDLE);
            }
        }
    }

    /** Ends this connection: queued and future asks fail with {@code PEER_LOST}. The scope closes the peer itself. */
    void close(String reason) {
        List<QueuedMessage> dropped;
        int unreported;
        synchronized (this) {
            if (state == State.CLOSED || state == State.RETIRED) {
                return;
            }
            closeReason = reason;
            peer = null;
            move(State.CLOSED);
            dropped = takeAll();
            unreported = takeSendsRefused();
        }
        refuse();
        reportRefusedSends(unreported);
        drop(dropped, ErrorCode.PEER_LOST.failure(address + ": " + reason + " (expected: an open connection)"));
    }

    /**
     * Retires this connection if it has been idle for the maximum back-off, and returns whether it does. No back-off is
     * left to wait for then, so its successor may connect at once.
     */
    synchronized boolean retire() {
        boolean dispensable = state == State.IDLE
                && waiting.isEmpty()
                && line.ticker().nanos() - idleSinceNanos
                        >= times.reconnectLast().toNanos();
        if (dispensable) {
            move(State.RETIRED);
        }
        return dispensable;
    }

    /** The connection that refs to the address use: this one, or its successor if this one has retired. */
    private Reconnection inUse() {
        Reconnection next = successor;
        return next == null ? this : next;
    }

    /** Queues a message and connects if necessary. Returns false if this connection has retired. */
    private boolean enqueue(QueuedMessage message) {
        boolean begin;
        boolean firstRefused = false;
        synchronized (this) {
            if (state == State.RETIRED) {
                return false;
            }
            if (state == State.CLOSED) {
                message.refuse(ErrorCode.PEER_LOST, closeReason);
                begin = false;
            } else if (waiting.size() >= WAITING_MESSAGES_MAX) {
                message.refuse(
                        ErrorCode.TOO_MANY_ASKS,
                        waiting.size() + " messages wait for the connection already (expected: at most that many,"
                                + " with this one); send fewer messages at once");
                begin = false;
                firstRefused = refuseSoon(message);
            } else {
                waiting.addLast(message);
                begin = state == State.IDLE || state == State.CONNECTED;
            }
        }
        Throwable refusal = message.refusal;
        if (firstRefused) {
            line.schedule(REFUSAL_PAUSE, this::refuse);
        } else if (refusal != null && Failures.code(refusal) != ErrorCode.TOO_MANY_ASKS) {
            drop(List.of(message), refusal);
        } else if (refusal == null) {
            message.time();
            if (begin) {
                proceed();
            }
        }
        return true;
    }

    /**
     * Keeps a message beyond the limit until {@link #refuse} drops it. Returns whether the caller must schedule that
     * call. Of messages that expect no answer, only the first is kept; the others are counted.
     */
    private boolean refuseSoon(QueuedMessage message) {
        if (!message.isAsk() && sendsRefused++ > 0) {
            return false;
        }
        refused.add(message);
        return refused.size() == 1;
    }

    private void refuse() {
        List<QueuedMessage> dropped;
        synchronized (this) {
            dropped = List.copyOf(refused);
            refused.clear();
        }
        for (QueuedMessage each : dropped) {
            Throwable refusal = each.refusal;
            if (refusal != null) {
                drop(List.of(each), refusal);
            }
        }
    }

    /** Starts the next step for queued messages: a connection attempt, the back-off before it, or the delivery. */
    private void proceed() {
        long pauseNanos = 0;
        State next;
        synchronized (this) {
            if (waiting.isEmpty() || (state != State.IDLE && state != State.CONNECTED)) {
                return;
            }
            if (state == State.CONNECTED) {
                next = State.HANDING_OVER;
            } else {
                pauseNanos = failures == 0 ? 0 : earliestNanos - line.ticker().nanos();
                next = pauseNanos > 0 ? State.PAUSING : State.CONNECTING;
            }
            peer = null; // later messages queue after those already waiting
            move(next);
        }
        switch (next) {
            case PAUSING -> line.schedule(Duration.ofNanos(pauseNanos), this::attemptAfterPause);
            case CONNECTING -> attempt();
            case HANDING_OVER -> handOver();
            case IDLE, CONNECTED, RETIRED, CLOSED ->
                throw new IllegalStateException("reconnection: cannot begin " + next);
        }
    }

    private void attemptAfterPause() {
        synchronized (this) {
            if (state != State.PAUSING) {
                return;
            }
            move(State.CONNECTING);
        }
        attempt();
    }

    private void attempt() {
        line.connect().whenComplete((connected, failure) -> {
            if (connected != null) {
                connected(connected);
            } else {
                failed(Failures.unwrap(failure));
            }
        });
    }

    private void connected(Peer fresh) {
        boolean wanted;
        synchronized (this) {
            wanted = state == State.CONNECTING;
            if (wanted) {
                boolean alive = !lostWhileConnecting.contains(fresh);
                lostWhileConnecting.clear();
                connectedPeer = alive ? fresh : null;
                connectedNanos = line.ticker().nanos();
                if (!alive) {
                    failures++;
                    earliestNanos = connectedNanos + pause();
                }
                move(State.HANDING_OVER);
            }
        }
        if (wanted) {
            handOver();
        } else {
            fresh.close();
        }
    }

    private void failed(Throwable failure) {
        List<QueuedMessage> dropped;
        int unreported;
        synchronized (this) {
            if (state != State.CONNECTING) {
                return;
            }
            lostWhileConnecting.clear();
            failures++;
            earliestNanos = line.ticker().nanos() + pause();
            move(State.IDLE);
            dropped = takeAll();
            unreported = takeSendsRefused();
        }
        drop(dropped, failure);
        reportRefusedSends(unreported);
    }

    /** Delivers the queued messages in order, without holding the lock. Later messages bypass the empty queue. */
    private void handOver() {
        while (true) {
            QueuedMessage next;
            Peer to;
            int unreported = 0;
            synchronized (this) {
                if (state != State.HANDING_OVER) {
                    return;
                }
                to = connectedPeer;
                next = waiting.peekFirst();
                if (to == null) { // the peer was lost during the delivery
                    move(State.IDLE);
                    break;
                }
                if (next == null) {
                    move(State.CONNECTED);
                    peer = to;
                    unreported = takeSendsRefused();
                } else {
                    waiting.removeFirst();
                }
            }
            if (next == null) {
                reportRefusedSends(unreported);
                return;
            }
            try {
                next.deliverTo(to);
            } catch (RuntimeException unsendable) { // only this message fails
                drop(List.of(next), unsendable);
            }
        }
        proceed();
    }

    private void drop(List<QueuedMessage> dropped, Throwable reason) {
        int sends = 0;
        for (QueuedMessage each : dropped) {
            sends += each.fail(reason) ? 0 : 1;
        }
        if (sends > 0) {
            line.dropped(sends, reason);
        }
    }

    /** Returns the number of refused, unreported messages that expect no answer, and resets it. */
    private int takeSendsRefused() {
        int unreported = Math.max(0, sendsRefused - 1);
        sendsRefused = 0;
        return unreported;
    }

    private void reportRefusedSends(int sends) {
        if (sends > 0) {
            line.dropped(
                    sends,
                    ErrorCode.TOO_MANY_ASKS.failure(address + ": more than " + WAITING_MESSAGES_MAX
                            + " messages waited for the connection (expected: at most that many); send fewer"
                            + " messages at once"));
        }
    }

    private synchronized void forget(QueuedMessage message) {
        waiting.remove(message);
    }

    private List<QueuedMessage> takeAll() {
        List<QueuedMessage> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }

    /** Delay before reconnecting: doubles with each failure; half is random, so that clients do not act in step. */
    private long pause() {
        long first = times.reconnectFirst().toNanos();
        long last = times.reconnectLast().toNanos();
        int doublings = Math.min(DOUBLINGS_MAX, failures - 1);
        long full = first > last >> doublings ? last : first << doublings;
        return full / 2 + line.random().nextLong(full / 2 + 1);
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("reconnection to " + address + ": from " + state + " to " + next
                    + " (expected: a step that " + state + " has)");
        }
        state = next;
        if (next == State.IDLE) {
            idleSinceNanos = line.ticker().nanos();
        }
    }

    @Override
    public synchronized String toString() {
        return "reconnection to " + address + ", " + state;
    }

    private enum State {
        IDLE,
        PAUSING,
        CONNECTING,
        HANDING_OVER,
        CONNECTED,
        RETIRED,
        CLOSED;

        boolean leadsTo(State next) {
            return switch (this) {
                case IDLE -> next == PAUSING || next == CONNECTING || next == RETIRED || next == CLOSED;
                case PAUSING -> next == CONNECTING || next == CLOSED;
                case CONNECTING -> next == HANDING_OVER || next == IDLE || next == CLOSED;
                case HANDING_OVER -> next == CONNECTED || next == IDLE || next == CLOSED;
                case CONNECTED -> next == HANDING_OVER || next == IDLE || next == CLOSED;
                case RETIRED, CLOSED -> false;
            };
        }
    }

    /** Reference to one endpoint at the address of this connection, or of its successor. */
    private final class Ref implements EndpointRef {
        private final String endpoint;
        private final Protocol protocol;

        Ref(String endpoint, Protocol protocol) {
            this.endpoint = endpoint;
            this.protocol = protocol;
        }

        @Override
        public void send(Record message) {
            Peer now = peer;
            if (now == null) {
                now = inUse().peer;
            }
            if (now != null) {
                now.endpoint(endpoint, protocol).send(message);
                return;
            }
            Reconnection to = inUse();
            while (!to.enqueue(new QueuedSend(this, message))) {
                to = moveToSuccessor();
            }
        }

        @Override
        public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
            Peer now = peer;
            if (now == null) {
                now = inUse().peer;
            }
            if (now != null) {
                return now.endpoint(endpoint, protocol).askAbortable(message, answer, timeout);
            }
            Reconnection to = inUse();
            while (true) {
                QueuedAsk<R> ask = to.new QueuedAsk<>(this, message, answer, timeout);
                if (to.enqueue(ask)) {
                    return new AbortableAsk<>(ask.result, ask::abort);
                }
                to = moveToSuccessor();
            }
        }

        /** Switches this ref to the successor, because the connection it used has retired after being idle. */
        private Reconnection moveToSuccessor() {
            Reconnection next = successorLookup.get();
            successor = next;
            return next;
        }

        @Override
        public String toString() {
            return new EndpointUri(endpoint, address).toString();
        }
    }

    /** Message that waits until this connection is established; a send or an ask. */
    private abstract static class QueuedMessage {
        final Ref ref;
        final Record message;

        @Nullable
        Throwable refusal; // set before other threads see it

        QueuedMessage(Ref ref, Record message) {
            if (!ref.protocol.holds(message.getClass())) {
                throw new IllegalArgumentException(
                        ref.protocol + ": " + message.getClass().getSimpleName() + " (expected: one of its records)");
            }
            this.ref = ref;
            this.message = message;
        }

        void refuse(ErrorCode code, String why) {
            refusal = code.failure(Failures.expecting(
                    ref + ": " + why,
                    "a connection that takes " + message.getClass().getSimpleName()));
        }

        void time() {}

        abstract boolean isAsk();

        abstract void deliverTo(Peer peer);

        /** Fails this message with {@code reason} if it is an ask, and returns whether it is one. */
        abstract boolean fail(Throwable reason);
    }

    private static final class QueuedSend extends QueuedMessage {
        QueuedSend(Ref ref, Record message) {
            super(ref, message);
        }

        @Override
        boolean isAsk() {
            return false;
        }

        @Override
        void deliverTo(Peer peer) {
            peer.endpoint(ref.endpoint, ref.protocol).send(message);
        }

        @Override
        boolean fail(Throwable reason) {
            return false;
        }
    }

    /** Queued message whose sender expects an answer within {@code timeout}, the time in the queue included. */
    private final class QueuedAsk<R extends Record> extends QueuedMessage {
        private final Class<R> answer;
        private final Duration timeout;
        private final long sinceNanos;
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private volatile EventLoop.Timeout timer = () -> {};
        private volatile @Nullable AbortableAsk<R> delivered; // set once the ask is sent

        QueuedAsk(Ref ref, Record message, Class<R> answer, Duration timeout) {
            super(ref, message);
            this.answer = answer;
            this.timeout = timeout;
            this.sinceNanos = line.ticker().nanos();
        }

        @Override
        void time() {
            timer = line.schedule(
                    timeout,
                    () -> end(ErrorCode.ASK_TIMED_OUT, "no connection within the time limit," + " and so no answer"));
            if (delivered != null || result.isDone()) {
                timer.cancel();
            }
        }

        @Override
        boolean isAsk() {
            return true;
        }

        @Override
        void deliverTo(Peer peer) {
            timer.cancel();
            if (result.isDone()) {
                return;
            }
            Duration left = timeout.minusNanos(line.ticker().nanos() - sinceNanos);
            AbortableAsk<R> asked = peer.endpoint(ref.endpoint, ref.protocol)
                    .askAbortable(message, answer, left.isNegative() ? Duration.ZERO : left);
            delivered = asked;
            if (result.isDone()) {
                asked.abort().run();
            }
            asked.answer().whenComplete((record, failure) -> {
                if (failure == null) {
                    result.complete(record);
                } else {
                    result.completeExceptionally(Failures.unwrap(failure));
                }
            });
        }

        @Override
        boolean fail(Throwable reason) {
            timer.cancel();
            result.completeExceptionally(reason);
            return true;
        }

        void abort() {
            AbortableAsk<R> asked = delivered;
            if (asked != null) {
                asked.abort().run();
            } else {
                end(ErrorCode.ASK_ABORTED, "aborted by the caller");
            }
        }

        private void end(ErrorCode code, String why) {
            if (delivered == null) {
                forget(this);
                fail(code.failure(ref + ": " + why + " (expected: " + answer.getSimpleName() + " for "
                        + message.getClass().getSimpleName() + "); after "
                        + Duration.ofNanos(line.ticker().nanos() - sinceNanos).toMillis() + " ms"));
            }
        }
    }
}
