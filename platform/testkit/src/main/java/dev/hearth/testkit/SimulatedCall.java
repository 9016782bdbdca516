package dev.hearth.testkit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcCall;
import org.jspecify.annotations.Nullable;

/**
 * Incoming message of a simulated connection. The first answer to it is sent back over the same connection; further
 * answers are ignored.
 */
final class SimulatedCall implements RpcCall {
    private final SimulatedPeer peer;
    private final long ask; // 0 if the sender expects no answer
    private @Nullable Protocol protocol; // null until its endpoint is found
    private boolean answered;

    SimulatedCall(SimulatedPeer peer, long ask) {
        this.peer = peer;
        this.ask = ask;
    }

    void answersIn(Protocol spoken) {
        protocol = spoken;
    }

    /** The sender. */
    SimulatedPeer from() {
        return peer;
    }

    @Override
    public Peer peer() {
        return peer;
    }

    @Override
    public boolean asked() {
        return ask != 0;
    }

    @Override
    public void reply(Record answer) {
        Protocol spoken = protocol;
        if (spoken == null) {
            throw new IllegalStateException("call: answered before an endpoint took it (expected: after)");
        }
        SimulatedRef.requireHeld(spoken, answer);
        if (asked() && !answered) {
            answered = true;
            MessageTransform copy = peer.scope().env().network().copy();
            peer.sendReply(ask, copy.copy(spoken, answer), copy.size(spoken, answer));
        }
    }

    @Override
    public void fail(ErrorCode code, String message) {
        if (!asked()) {
            peer.process().simulation().note("refused: " + message);
        } else if (!answered) {
            answered = true;
            peer.sendFailure(ask, code, message);
        }
    }
}
