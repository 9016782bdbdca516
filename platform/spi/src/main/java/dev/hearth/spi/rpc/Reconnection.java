package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.Names;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one address that all refs to it share: made when one is first used, and again after a loss, at growing
 * intervals. What is given while there is none waits, in order; an attempt that fails drops it, so that askers hear why.
 * <p>Guarded by its own lock, under which nothing of others is called. Lives as long as its scope. Any thread may call.
 */
public final class Reconnection {
    /** How many messages may wait for a connection. */
    public static final int WAITING_MESSAGES_MAX = 65_536;

    private static final int DOUBLINGS_MAX = 30;

    private final RpcAddress address;
    private final RpcTimes times;
    private final Line line;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Set<Peer> lostEarly = new LinkedHashSet<>(); // while CONNECTING: peers of the scope that were lost
    private State state = State.IDLE;
    private volatile @Nullable Peer peer; // whom to talk to at once; set while CONNECTED
    private @Nullable Peer gained; // the peer of the last attempt, until it is lost
    private long gainedNanos;
    private long earliestNanos; // when the next attempt may begin; means something once one failed
    private int failures; // attempts and short connections in a row
    private String closedFor = "";

    public Reconnection(RpcAddress address, RpcTimes times, Line line) {
        this.address = address;
        this.times = times;
        this.line = line;
    }

    /** An endpoint at the address. */
    public EndpointRef ref(String endpoint, Protocol protocol) {
        return new Ref(Names.require("endpoint", endpoint), protocol);
    }

    /** The owner's word that a peer is gone; those of others mean nothing here. */
    public void lost(Peer gone) {
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
    public void close(String reason) {
        List<Waiting> dropped;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            closedFor = reason;
            peer = null;
            move(State.CLOSED);
            dropped = takeAll();
        }
        drop(dropped, ErrorCode.PEER_LOST.failure(address + ": " + reason + " (expected: an open connection)"));
    }

    /** Goes over to the connection, or begins to wait for one. */
    private void give(Waiting message) {
        boolean begin;
        synchronized (this) {
            if (state == State.CLOSED) {
                message.refuse(ErrorCode.PEER_LOST, closedFor);
                begin = false;
            } else if (waiting.size() >= WAITING_MESSAGES_MAX) {
                message.refuse(
                        ErrorCode.TOO_MANY_ASKS,
                        waiting.size() + " messages wait for the connection already; send less at once");
                begin = false;
            } else {
                waiting.addLast(message);
                begin = state == State.IDLE || state == State.CONNECTED;
            }
        }
        if (message.refusal != null) {
            drop(List.of(message), message.refusal);
            return;
        }
        message.time();
        if (begin) {
            proceed();
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
            case IDLE, CONNECTED, CLOSED -> throw new IllegalStateException("reconnection: cannot begin " + next);
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
        List<Waiting> dropped;
        synchronized (this) {
            if (state != State.CONNECTING) {
                return;
            }
            lostEarly.clear();
            failures++;
            earliestNanos = line.ticker().nanos() + pause();
            move(State.IDLE);
            dropped = takeAll();
        }
        drop(dropped, failure);
    }

    /** Hands over everything that waits, in order, one by one and outside the lock; then messages need not wait any more. */
    private void handOver() {
        while (true) {
            Waiting next;
            Peer to;
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
                    return;
                }
                waiting.removeFirst();
            }
            try {
                next.handTo(to);
            } catch (RuntimeException unsendable) { // that message's fault alone: those behind it still wait
                drop(List.of(next), unsendable);
            }
        }
        proceed();
    }

    private void drop(List<Waiting> dropped, Throwable reason) {
        int sends = 0;
        for (Waiting each : dropped) {
            sends += each.fail(reason) ? 0 : 1;
        }
        if (sends > 0) {
            line.dropped(sends, reason);
        }
    }

    private synchronized void forget(Waiting message) {
        waiting.remove(message);
    }

    private List<Waiting> takeAll() {
        List<Waiting> all = new ArrayList<>(waiting);
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
    }

    @Override
    public synchronized String toString() {
        return "reconnection to " + address + ", " + state;
    }

    /** What a reconnection needs of its scope. Called outside locks of the reconnection, but for its clock and chance. */
    public interface Line {
        /** Connects once. */
        CompletionStage<Peer> connect();

        EventLoop.Timeout schedule(Duration delay, Runnable action);

        Ticker ticker();

        RandomGenerator random();

        /** So many messages that nobody waits for an answer to were dropped, for people to read. */
        void dropped(int messages, Throwable reason);
    }

    private enum State {
        IDLE,
        PAUSING,
        CONNECTING,
        HANDING_OVER,
        CONNECTED,
        CLOSED;

        boolean leadsTo(State next) {
            return switch (this) {
                case IDLE -> next == PAUSING || next == CONNECTING || next == CLOSED;
                case PAUSING -> next == CONNECTING || next == CLOSED;
                case CONNECTING -> next == HANDING_OVER || next == IDLE || next == CLOSED;
                case HANDING_OVER -> next == CONNECTED || next == IDLE || next == CLOSED;
                case CONNECTED -> next == HANDING_OVER || next == IDLE || next == CLOSED;
                case CLOSED -> false;
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
            if (now != null) {
                now.endpoint(endpoint, protocol).send(message);
            } else {
                give(new Send(this, message));
            }
        }

        @Override
        public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
            Peer now = peer;
            if (now != null) {
                return now.endpoint(endpoint, protocol).askAbortable(message, answer, timeout);
            }
            Ask<R> ask = new Ask<>(this, message, answer, timeout);
            give(ask);
            return new AbortableAsk<>(ask.result, ask::abort);
        }

        @Override
        public String toString() {
            return new EndpointUri(endpoint, address).toString();
        }
    }

    /** A message that waits for a connection. */
    private abstract static class Waiting {
        final Ref ref;
        final Record message;

        @Nullable
        Throwable refusal; // set before anybody else sees it

        Waiting(Ref ref, Record message) {
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

        abstract void handTo(Peer peer);

        /** Tells whoever waits for an answer; false when nobody does. */
        abstract boolean fail(Throwable reason);
    }

    private static final class Send extends Waiting {
        Send(Ref ref, Record message) {
            super(ref, message);
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
    private final class Ask<R extends Record> extends Waiting {
        private final Class<R> answer;
        private final Duration timeout;
        private final long sinceNanos;
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private volatile EventLoop.Timeout timer = () -> {};
        private volatile @Nullable AbortableAsk<R> handed; // once it is under way

        Ask(Ref ref, Record message, Class<R> answer, Duration timeout) {
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
