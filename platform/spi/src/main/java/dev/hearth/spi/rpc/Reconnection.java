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
 * The connection to one address that all refs to it share: made when one is first used, and again after a loss, at growing
 * intervals. What is given while there is none waits, in order; an attempt that fails drops it, so that askers hear why.
 * <p>Guarded by its own lock, under which nothing of others is called. Lives until its scope closes, or until it retires: then
 * its refs go over to its successor. Any thread may call.
 */
final class Reconnection {
    /** How many messages may wait for a connection. */
    static final int WAITING_MESSAGES_MAX = 65_536;

    /**
     * How long an ask too many waits for its refusal: whoever asks again at once must come back through a timer, in between
     * which others have their turn.
     */
    static final Duration REFUSAL_PAUSE = Duration.ofMillis(1);

    private static final int DOUBLINGS_MAX = 30;

    private final RpcAddress address;
    private final RpcTimes times;
    private final Reconnections.AddressConnector line;
    private final Supplier<Reconnection> inItsPlace;
    private final Deque<QueuedMessage> waiting = new ArrayDeque<>();
    private final Set<Peer> lostEarly = new LinkedHashSet<>(); // while CONNECTING: peers of the scope that were lost
    private final List<QueuedMessage> refused = new ArrayList<>(); // of the last REFUSAL_PAUSE
    private State state = State.IDLE;
    private volatile @Nullable Peer peer; // whom to talk to at once; set while CONNECTED
    private @Nullable Peer gained; // the peer of the last attempt, until it is lost
    private long gainedNanos;
    private long earliestNanos; // when the next attempt may begin; means something once one failed
    private int failures; // attempts and short connections in a row
    private String closedFor = "";
    private long idleSinceNanos; // means something while IDLE
    private int sendsRefused; // since the last attempt ended; the first was told of at once
    private volatile @Nullable Reconnection successor; // of one that has retired

    /** {@code inItsPlace} says, once this has retired, who does its work. */
    Reconnection(
            RpcAddress address,
            RpcTimes times,
            Reconnections.AddressConnector line,
            Supplier<Reconnection> inItsPlace) {
        this.address = address;
        this.times = times;
        this.line = line;
        this.inItsPlace = inItsPlace;
        this.idleSinceNanos = line.ticker().nanos();
    }

    /** An endpoint at the address. */
    EndpointRef ref(String endpoint, Protocol protocol) {
        return new Ref(IdSyntax.require("endpoint", endpoint), protocol);
    }

    /** The owner's word that a peer is gone; those of others mean nothing here. */
    void lost(Peer gone) {
        synchronized (this) {
            if (gone != gained) {
                if (state == State.CONNECTING) {
                    lostEarly.add(gone); // it may be the one that is about to be told of
                }
                return;
            }
            gained = null;
            peer = null;
            boolean lasted =
                    line.ticker().nanos() - gainedNanos >= times.reconnectLast().toNanos();
            failures = lasted ? 1 : failures + 1;
            earliestNanos = line.ticker().nanos() + pause();
            if (state == State.CONNECTED) {
                move(State.IDLE);
            }
        }
    }

    /** Ends it: asks that wait fail with {@code PEER_LOST}, and so do those to come. Connections are the owner's to close. */
    void close(String reason) {
        List<QueuedMessage> dropped;
        int untold;
        synchronized (this) {
            if (state == State.CLOSED || state == State.RETIRED) {
                return;
            }
            closedFor = reason;
            peer = null;
            move(State.CLOSED);
            dropped = takeAll();
            untold = takeSendsRefused();
        }
        refuse();
        tellOfRefused(untold);
        drop(dropped, ErrorCode.PEER_LOST.failure(address + ": " + reason + " (expected: an open connection)"));
    }

    /**
     * Ends it for good when it has had nothing to do for so long that its next attempt may begin at once in any case; false
     * when it goes on.
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

    /** Whom refs are to use: this, or whoever does its work. */
    private Reconnection inUse() {
        Reconnection next = successor;
        return next == null ? this : next;
    }

    /** Goes over to the connection, or begins to wait for one; false when this, {@link #inUse}, has retired. */
    private boolean give(QueuedMessage message) {
        boolean begin;
        boolean firstRefused = false;
        synchronized (this) {
            if (state == State.RETIRED) {
                return false;
            }
            if (state == State.CLOSED) {
                message.refuse(ErrorCode.PEER_LOST, closedFor);
                begin = false;
            } else if (waiting.size() >= WAITING_MESSAGES_MAX) {
                message.refuse(
                        ErrorCode.TOO_MANY_ASKS,
                        waiting.size() + " messages wait for the connection already; send less at once");
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

    /** Keeps one too many until its refusal; true when that is to be planned. Of sends, the first says it for those behind. */
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

    /** Begins what comes next for messages that wait: an attempt, the pause before it, or handing them over. */
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
            peer = null; // whoever comes now queues behind those who wait
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
                boolean alive = !lostEarly.contains(fresh);
                lostEarly.clear();
                gained = alive ? fresh : null;
                gainedNanos = line.ticker().nanos();
                if (!alive) {
                    failures++;
                    earliestNanos = gainedNanos + pause();
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
        int untold;
        synchronized (this) {
            if (state != State.CONNECTING) {
                return;
            }
            lostEarly.clear();
            failures++;
            earliestNanos = line.ticker().nanos() + pause();
            move(State.IDLE);
            dropped = takeAll();
            untold = takeSendsRefused();
        }
        drop(dropped, failure);
        tellOfRefused(untold);
    }

    /** Hands over everything that waits, in order, one by one and outside the lock; then messages need not wait any more. */
    private void handOver() {
        while (true) {
            QueuedMessage next;
            Peer to;
            int untold = 0;
            synchronized (this) {
                if (state != State.HANDING_OVER) {
                    return;
                }
                to = gained;
                next = waiting.peekFirst();
                if (to == null) { // lost while the first of them were handed over
                    move(State.IDLE);
                    break;
                }
                if (next == null) {
                    move(State.CONNECTED);
                    peer = to;
                    untold = takeSendsRefused();
                } else {
                    waiting.removeFirst();
                }
            }
            if (next == null) {
                tellOfRefused(untold);
                return;
            }
            try {
                next.handTo(to);
            } catch (RuntimeException unsendable) { // that message's fault alone: those behind it still wait
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

    /** How many sends were refused and not told of. */
    private int takeSendsRefused() {
        int untold = Math.max(0, sendsRefused - 1);
        sendsRefused = 0;
        return untold;
    }

    private void tellOfRefused(int sends) {
        if (sends > 0) {
            line.dropped(
                    sends,
                    ErrorCode.TOO_MANY_ASKS.failure(address + ": more than " + WAITING_MESSAGES_MAX
                            + " messages waited for the connection (expected: fewer); send less at once"));
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

    /** Half of it is fixed, half by chance, so that many that lost one process do not come back to it all at once. */
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

    /** One endpoint of the address. */
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
            while (!to.give(new QueuedSend(this, message))) {
                to = goOver();
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
                if (to.give(ask)) {
                    return new AbortableAsk<>(ask.result, ask::abort);
                }
                to = goOver();
            }
        }

        /** Whom was talked through has retired: from now on it is whoever does its work. */
        private Reconnection goOver() {
            Reconnection next = inItsPlace.get();
            successor = next;
            return next;
        }

        @Override
        public String toString() {
            return new EndpointUri(endpoint, address).toString();
        }
    }

    /** A message that waits for a connection. */
    private abstract static class QueuedMessage {
        final Ref ref;
        final Record message;

        @Nullable
        Throwable refusal; // set before anybody else sees it

        QueuedMessage(Ref ref, Record message) {
            if (!ref.protocol.holds(message.getClass())) {
                throw new IllegalArgumentException(
                        ref.protocol + ": " + message.getClass().getSimpleName() + " (expected: one of its records)");
            }
            this.ref = ref;
            this.message = message;
        }

        void refuse(ErrorCode code, String why) {
            refusal = code.failure(ref + ": " + why + " (expected: a connection that takes "
                    + message.getClass().getSimpleName() + ")");
        }

        void time() {}

        abstract boolean isAsk();

        abstract void handTo(Peer peer);

        /** Tells whoever waits for an answer; false when nobody does. */
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
        void handTo(Peer peer) {
            peer.endpoint(ref.endpoint, ref.protocol).send(message);
        }

        @Override
        boolean fail(Throwable reason) {
            return false;
        }
    }

    /** A question that waits, and then is another one's; its time runs from the beginning. */
    private final class QueuedAsk<R extends Record> extends QueuedMessage {
        private final Class<R> answer;
        private final Duration timeout;
        private final long sinceNanos;
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private volatile EventLoop.Timeout timer = () -> {};
        private volatile @Nullable AbortableAsk<R> handed; // once it is under way

        QueuedAsk(Ref ref, Record message, Class<R> answer, Duration timeout) {
            super(ref, message);
            this.answer = answer;
            this.timeout = timeout;
            this.sinceNanos = line.ticker().nanos();
        }

        @Override
        void time() {
            timer = line.schedule(timeout, () -> end(ErrorCode.ASK_TIMED_OUT, "no connection and so no answer"));
            if (handed != null || result.isDone()) {
                timer.cancel();
            }
        }

        @Override
        boolean isAsk() {
            return true;
        }

        @Override
        void handTo(Peer peer) {
            timer.cancel();
            if (result.isDone()) {
                return;
            }
            Duration left = timeout.minusNanos(line.ticker().nanos() - sinceNanos);
            AbortableAsk<R> asked = peer.endpoint(ref.endpoint, ref.protocol)
                    .askAbortable(message, answer, left.isNegative() ? Duration.ZERO : left);
            handed = asked;
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
            AbortableAsk<R> asked = handed;
            if (asked != null) {
                asked.abort().run();
            } else {
                end(ErrorCode.ASK_ABORTED, "given up by the asker");
            }
        }

        private void end(ErrorCode code, String why) {
            if (handed == null) {
                forget(this);
                fail(code.failure(ref + ": " + why + " (expected: " + answer.getSimpleName() + " for "
                        + message.getClass().getSimpleName() + "); after "
                        + Duration.ofNanos(line.ticker().nanos() - sinceNanos).toMillis() + " ms"));
            }
        }
    }
}
