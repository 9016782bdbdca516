package dev.hearth.testkit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.Names;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One side of a simulated connection: what the env of this side sees of the other.
 * <p>Both sides share two lanes; each is lost to its own env once, when it closes or when the end of its lane arrives.
 */
final class SimulatedPeer implements Peer {
    private final SimulatedEnv env;
    private final long id;
    private final String remote;
    private final Lane outgoing;
    private final Lane incoming;
    private final Map<Long, Asked<?>> asks = new LinkedHashMap<>();
    private SimulatedPeer other = this; // until connected
    private long asksMade;
    private boolean known; // to its env: a peer lost before that was none
    private boolean lost;
    private Runnable onLost = () -> {};

    private SimulatedPeer(SimulatedEnv env, String remote, Lane outgoing, Lane incoming) {
        this.env = env;
        this.id = env.nextPeerId();
        this.remote = remote;
        this.outgoing = outgoing;
        this.incoming = incoming;
    }

    /** Makes a connection; {@code connected} completes when word of it comes back. */
    static void connect(SimulatedEnv from, SimulatedEnv to, RpcAddress address, CompletableFuture<Peer> connected) {
        Simulation simulation = from.network().simulation();
        Lane there = new Lane(simulation);
        Lane back = new Lane(simulation);
        SimulatedPeer opener = new SimulatedPeer(from, address.toString(), there, back);
        SimulatedPeer acceptor = new SimulatedPeer(to, from.toString(), back, there);
        opener.other = acceptor;
        acceptor.other = opener;
        from.add(opener);
        to.add(acceptor);
        acceptor.known = true;
        back.send(from.process().name() + " connected to " + address, () -> {
            opener.known = true;
            from.connected(connected, opener);
        });
        opener.onLost = () -> from.refused(
                connected, address + ": closed while connecting (expected: a Hearth process that answers)");
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
        return new SimulatedRef(this, Names.require("endpoint", name), protocol);
    }

    @Override
    public void close() {
        if (lost || !env.process().alive()) {
            return;
        }
        outgoing.end(end("closed"), () -> other.lose("closed by " + other.remote));
        incoming.drop();
        lose("closed here");
    }

    SimulatedEnv env() {
        return env;
    }

    SimulatedPeer other() {
        return other;
    }

    /** The network between breaks: both sides keep a part of what was under way and then hear of it. */
    void breakConnection() {
        outgoing.breakOff(end("cut"), () -> other.lose("connection to " + other.remote + " broke"));
        incoming.breakOff(other.end("cut"), () -> lose("connection to " + remote + " broke"));
    }

    /** This side's process is dead. */
    void die() {
        lost = true;
        asks.values().forEach(asked -> asked.timeout.cancel());
        asks.clear();
        outgoing.breakOff(end("reset"), () -> other.lose("connection to " + other.remote + " was reset"));
        incoming.drop();
    }

    void send(SimulatedRef to, Record message) {
        transmit(to, message, 0);
    }

    <R extends Record> CompletionStage<R> ask(SimulatedRef to, Record message, Class<R> answer, Duration timeout) {
        Asked<R> asked = new Asked<>(to, message.getClass().getSimpleName(), answer, now());
        if (!env.process().alive()) {
            return asked.stage; // never completes: nobody is left to hear of it
        }
        if (lost) {
            asked.fail(ErrorCode.PEER_LOST, "connection lost before it was asked", now());
            return asked.stage;
        }
        long number = ++asksMade;
        asks.put(number, asked);
        asked.timeout = env.network().simulation().schedule(timeout, () -> {
            if (asks.remove(number) != null) {
                asked.fail(ErrorCode.ASK_TIMED_OUT, "no answer within " + timeout.toMillis() + " ms", now());
            }
        });
        transmit(to, message, number);
        return asked.stage;
    }

    void sendReply(long number, Record answer) {
        answer(number, answer.getClass().getSimpleName(), asked -> asked.complete(answer, now()));
    }

    void sendFailure(long number, ErrorCode code, String message) {
        answer(number, code.name(), asked -> asked.refuse(code, message, now()));
    }

    private void answer(long number, String what, Consumer<Asked<?>> completion) {
        if (lost || !env.process().alive()) {
            return;
        }
        outgoing.send(route() + ": answer " + what, () -> {
            Asked<?> asked = other.asks.remove(number);
            if (asked != null) {
                asked.timeout.cancel();
                completion.accept(asked);
            }
        });
    }

    private void transmit(SimulatedRef to, Record message, long number) {
        if (lost || !env.process().alive()) {
            return;
        }
        String what = route() + ": " + message.getClass().getSimpleName() + " for " + to.name();
        outgoing.send(what, () -> other.env.deliver(to.name(), message, new SimulatedCall(other, number)));
    }

    /** Happens once: both lanes end before it, and what ends a lane is the last that arrives by it. */
    private void lose(String reason) {
        lost = true;
        env.lost(this, known, reason);
        List<Asked<?>> unanswered = new ArrayList<>(asks.values());
        asks.clear();
        for (Asked<?> asked : unanswered) {
            asked.timeout.cancel();
            asked.fail(ErrorCode.PEER_LOST, reason, now());
        }
        onLost.run();
    }

    private String route() {
        return env.process().name() + " -> " + other.env.process().name();
    }

    private String end(String how) {
        return route() + ": " + how;
    }

    private long now() {
        return env.network().simulation().ticker().nanos();
    }
}
