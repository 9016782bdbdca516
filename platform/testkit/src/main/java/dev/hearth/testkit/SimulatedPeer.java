package dev.hearth.testkit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One end of a simulated connection.
 * <p>The two ends share two channels, one per direction. Each end reports the loss of the connection to its scope once.
 * It does so when it closes, when the end of its incoming channel arrives, or when nothing has arrived for {@code
 * hearth.rpc.silenceTimeout}.
 */
final class SimulatedPeer implements Peer {
    private static final int PINGS_PER_SILENCE = 3;
    private static final Duration REFUSAL_PAUSE = Duration.ofMillis(1);

    private final SimulatedScope scope;
    private final long id;
    private final String remote;
    private final SimulatedChannel outgoing;
    private final SimulatedChannel incoming;
    private final Map<Long, SimulatedAsk<?>> asks = new LinkedHashMap<>();
    // endpoints with a full queue; while there are any, this peer does not read messages
    private final Set<Object> unreadFor = new LinkedHashSet<>();
    private final Traffic traffic = new Traffic();
    private final long sinceNanos;
    private SimulatedPeer other = this; // opposite end; this peer itself until connected
    private long asksMade;
    private boolean known; // true once the scope knows this peer; a loss before that is not reported
    private boolean lost;
    private boolean silent;
    private EventLoop.Timeout patience = () -> {};
    private Runnable onLost = () -> {};

    private SimulatedPeer(SimulatedScope scope, String remote, SimulatedChannel outgoing, SimulatedChannel incoming) {
        this.scope = scope;
        this.id = scope.env().nextPeerId();
        this.remote = remote;
        this.outgoing = outgoing;
        this.incoming = incoming;
        this.sinceNanos = now();
    }

    /**
     * Creates both ends of a connection {@code from} one scope {@code to} another. It exists at once in the listening
     * process; {@code connected} completes with the end of the connecting process when the answer arrives there.
     */
    static void connect(
            SimulatedScope from,
            SimulatedScope to,
            RpcAddress address,
            SimulatedConnectAttempt attempt,
            CompletableFuture<Peer> connected) {
        SimulatedPeer opener = pair(from, address.toString(), to, from.env().toString());
        SimulatedPeer acceptor = opener.other;
        acceptor.become();
        acceptor.outgoing.send(from.process().name() + " connected to " + address, () -> {
            if (attempt.succeed()) {
                opener.become();
                connected.complete(opener);
            } else {
                opener.close();
            }
        });
        opener.onLost = () -> attempt.unreachable("closed while connecting", "");
    }

    /** Creates a connection between {@code scope} and itself, and returns one end. */
    static SimulatedPeer self(SimulatedScope scope) {
        SimulatedPeer here = pair(scope, scope.env() + " (itself)", scope, scope.env() + " (itself)");
        here.become();
        here.other.become();
        return here;
    }

    private static SimulatedPeer pair(SimulatedScope a, String nameOfB, SimulatedScope b, String nameOfA) {
        Simulation simulation = a.process().simulation();
        SimulatedChannel there = new SimulatedChannel(simulation, a.process(), b.process());
        SimulatedChannel back = new SimulatedChannel(simulation, b.process(), a.process());
        SimulatedPeer one = new SimulatedPeer(a, nameOfB, there, back);
        SimulatedPeer two = new SimulatedPeer(b, nameOfA, back, there);
        one.other = two;
        two.other = one;
        a.add(one);
        b.add(two);
        one.recheck();
        two.recheck();
        return one;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public EndpointRef endpoint(String name, Protocol protocol) {
        return new SimulatedRef(this, IdSyntax.require("endpoint", name), protocol);
    }

    @Override
    public void close() {
        if (lost || !process().alive()) {
            return;
        }
        outgoing.end(end("closed"), () -> other.lose("closed by " + other.remote, false));
        incoming.drop();
        lose("closed here", false);
    }

    SimulatedScope scope() {
        return scope;
    }

    SimulatedProcess process() {
        return scope.process();
    }

    SimulatedPeer other() {
        return other;
    }

    boolean isKnown() {
        return known;
    }

    boolean isLost() {
        return lost;
    }

    int asksUnderWay() {
        return asks.size();
    }

    /**
     * Breaks the connection, as a network failure does: both ends receive some of the messages in flight, and then
     * report the loss.
     */
    void breakConnection() {
        outgoing.breakOff(end("cut"), () -> other.lose("connection to " + other.remote + " broke", true));
        incoming.breakOff(other.end("cut"), () -> lose("connection to " + remote + " broke", true));
    }

    /** Closes the connection from this end because of a protocol error or an oversized message. */
    void breakOff(String reason) {
        if (!lost) {
            outgoing.end(end("broken off"), () -> other.lose("closed by " + other.remote, false));
            incoming.drop();
            lose(reason, true);
        }
    }

    /**
     * Ends the connection because the process of this end has died. The other end is notified, as by an operating
     * system, unless the machine has failed as well ({@code silently}).
     */
    void die(boolean silently) {
        lost = true;
        patience.cancel();
        asks.values().forEach(asked -> asked.timeout.cancel());
        asks.clear();
        if (silently) {
            outgoing.fallSilent();
        } else {
            outgoing.breakOff(end("reset"), () -> other.lose("connection to " + other.remote + " was reset", true));
        }
        incoming.drop();
    }

    /**
     * Loses the connection because the other machine has restarted and no longer knows it: the next keep-alive is
     * answered by a reset.
     */
    void resetByOther() {
        Duration ping = silenceTimeout().dividedBy(PINGS_PER_SILENCE);
        Duration after = Duration.ofNanos(simulation().random().nextLong(1, ping.toNanos()));
        incoming.reset(other.end("reset"), after, () -> lose("connection to " + remote + " was reset", true));
    }

    /**
     * Checks whether messages from the other end can arrive now. Starts the silence timeout if they no longer can, and
     * stops it if they can again.
     */
    void recheck() {
        boolean muted = simulation().network().isMuted(other.process(), process());
        incoming.mute(muted);
        boolean reachable = !muted && other.process().isHeard();
        if (lost || reachable == !silent) {
            return;
        }
        silent = !reachable;
        patience.cancel();
        if (silent) {
            Duration bound = silenceTimeout();
            long ping = bound.dividedBy(PINGS_PER_SILENCE).toNanos(); // the last keep-alive came at most this long ago
            Duration left = bound.minusNanos(simulation().random().nextLong(ping));
            patience = process().schedule(left, () -> giveUp(bound));
        }
    }

    /**
     * Resumes (if {@code on}) or stops reading messages from the other end, on behalf of {@code who}: an endpoint that
     * stops it while its queue is full. Messages are read while no endpoint has stopped it.
     */
    void read(Object who, boolean on) {
        if (on ? unreadFor.remove(who) : unreadFor.add(who)) {
            incoming.read(unreadFor.isEmpty());
        }
    }

    void send(SimulatedRef to, Record message, int bytes) {
        int bytesMax = scope.env().settings().limits().messageBytesMax();
        if (bytes > bytesMax) {
            breakOff("a message to " + to + " could not be sent: " + tooLarge(bytes, bytesMax));
            return;
        }
        transmit(to, message, 0, bytes);
    }

    <R extends Record> AbortableAsk<R> ask(
            SimulatedRef to, Record message, int bytes, Class<R> answer, Duration timeout) {
        SimulatedAsk<R> asked = new SimulatedAsk<>(to, message.getClass().getSimpleName(), answer, now());
        int bytesMax = scope.env().settings().limits().messageBytesMax();
        int asksMax = scope.env().settings().limits().asksPerPeerMax();
        if (!process().alive()) {
            return new AbortableAsk<>(asked.stage, () -> {}); // never completes, because the process is dead
        }
        if (lost) {
            asked.fail(ErrorCode.PEER_LOST, "the connection was lost before the ask was sent", now());
        } else if (bytes > bytesMax) {
            asked.fail(ErrorCode.MESSAGE_TOO_LARGE, tooLarge(bytes, bytesMax), now());
        } else if (asks.size() >= asksMax) {
            return refuse(asked, asksMax);
        }
        if (asked.stage.isDone()) {
            return new AbortableAsk<>(asked.stage, () -> {});
        }
        long number = ++asksMade;
        asks.put(number, asked);
        asked.timeout = process()
                .schedule(
                        timeout,
                        () -> end(number, ErrorCode.ASK_TIMED_OUT, "no answer within " + timeout.toMillis() + " ms"));
        transmit(to, message, number, bytes);
        return new AbortableAsk<>(asked.stage, () -> end(number, ErrorCode.ASK_ABORTED, "aborted by the caller"));
    }

    /**
     * Refuses, after a delay, an ask beyond the limit of unanswered asks per peer. Without the delay, a caller that
     * retries immediately would block other events.
     */
    private <R extends Record> AbortableAsk<R> refuse(SimulatedAsk<R> asked, int asksMax) {
        process()
                .schedule(
                        REFUSAL_PAUSE,
                        () -> asked.fail(
                                ErrorCode.TOO_MANY_ASKS,
                                asksMax + " asks to this peer wait for answers already, and"
                                        + " hearth.rpc.asksPerPeerMax is " + asksMax + "; send fewer asks at once",
                                now()));
        return new AbortableAsk<>(asked.stage, () -> asked.fail(ErrorCode.ASK_ABORTED, "aborted by the caller", now()));
    }

    void sendReply(long number, Record answer, int bytes) {
        int bytesMax = scope.env().settings().limits().messageBytesMax();
        if (bytes > bytesMax) {
            sendFailure(
                    number, ErrorCode.MESSAGE_TOO_LARGE, "the answer could not be sent: " + tooLarge(bytes, bytesMax));
            return;
        }
        answer(number, answer.getClass().getSimpleName(), bytes, asked -> asked.complete(answer, other.now()));
    }

    void sendFailure(long number, ErrorCode code, String message) {
        answer(number, code.name(), 0, asked -> asked.refuse(code, message, other.now()));
    }

    RpcSnapshot.PeerState snapshot() {
        long now = now();
        return new RpcSnapshot.PeerState(
                id,
                scope.name(),
                RpcSnapshot.Lane.MESSAGES,
                remote,
                scope.secret().isPresent() ? "simulated, proved" : "simulated",
                Duration.ofNanos(now - sinceNanos).toMillis(),
                Duration.ofNanos(now - Math.max(sinceNanos, traffic.receivedNanos))
                        .toMillis(),
                asks.size(),
                0,
                traffic.messagesSent,
                traffic.messagesReceived,
                traffic.bytesSent,
                traffic.bytesReceived,
                !unreadFor.isEmpty());
    }

    private void answer(long number, String what, int bytes, Consumer<SimulatedAsk<?>> completion) {
        if (lost || !process().alive()) {
            return;
        }
        traffic.sent(bytes);
        outgoing.send(route() + ": answer " + what, () -> {
            other.traffic.received(bytes, other.now());
            SimulatedAsk<?> asked = other.asks.remove(number);
            if (asked != null) {
                asked.timeout.cancel();
                completion.accept(asked);
            }
        });
    }

    private void transmit(SimulatedRef to, Record message, long number, int bytes) {
        if (lost || !process().alive()) {
            return;
        }
        traffic.sent(bytes);
        String what = route() + ": " + message.getClass().getSimpleName() + " for " + to.name();
        outgoing.send(what, () -> other.take(to.name(), message, number, bytes));
    }

    private void take(String endpoint, Record message, long number, int bytes) {
        int bytesMax = scope.env().settings().limits().messageBytesMax();
        if (bytes > bytesMax) {
            breakOff("the other side sent too long a message: " + tooLarge(bytes, bytesMax));
            return;
        }
        traffic.received(bytes, now());
        scope.deliver(endpoint, message, new SimulatedCall(this, number));
    }

    private void end(long number, ErrorCode code, String why) {
        SimulatedAsk<?> asked = asks.remove(number);
        if (asked != null) {
            asked.timeout.cancel();
            asked.fail(code, why, now());
        }
    }

    private void giveUp(Duration bound) {
        if (!lost && silent) {
            outgoing.breakOff(end("given up"), () -> other.lose("connection to " + other.remote + " was reset", true));
            incoming.drop();
            lose(
                    "connection to " + remote + ": not a byte for " + bound.toMillis()
                            + " ms (expected: at least a ping" + " within hearth.rpc.silenceTimeout)",
                    true);
        }
    }

    private void become() {
        known = true;
        scope.connected(this);
    }

    /**
     * Reports the loss of this peer to its scope and fails its unanswered asks; further calls do nothing. From then on
     * no message arrives.
     */
    private void lose(String reason, boolean fault) {
        if (lost) {
            return;
        }
        lost = true;
        patience.cancel();
        incoming.drop();
        scope.lost(this, reason, fault);
        List<SimulatedAsk<?>> unanswered = new ArrayList<>(asks.values());
        asks.clear();
        for (SimulatedAsk<?> asked : unanswered) {
            asked.timeout.cancel();
            asked.fail(ErrorCode.PEER_LOST, reason, now());
        }
        onLost.run();
    }

    private static String tooLarge(int bytes, int bytesMax) {
        return bytes + " bytes (expected: at most hearth.rpc.message.maxSize = " + bytesMax + ")";
    }

    private Duration silenceTimeout() {
        return scope.env().settings().times().silence();
    }

    private String route() {
        return process().name() + " -> " + other.process().name();
    }

    private String end(String how) {
        return route() + ": " + how;
    }

    private Simulation simulation() {
        return process().simulation();
    }

    private long now() {
        return process().clock().nanos();
    }

    private static final class Traffic {
        private long messagesSent;
        private long messagesReceived;
        private long bytesSent;
        private long bytesReceived;
        private long receivedNanos = Long.MIN_VALUE;

        void sent(int bytes) {
            messagesSent++;
            bytesSent += bytes;
        }

        void received(int bytes, long now) {
            messagesReceived++;
            bytesReceived += bytes;
            receivedNanos = now;
        }
    }
}
