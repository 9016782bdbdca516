package dev.hearth.testkit;

import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Protocol;
import java.time.Duration;

/** Reference to the endpoint named {@code name} in the process at the other end of {@code peer}. */
record SimulatedRef(SimulatedPeer peer, String name, Protocol protocol) implements EndpointRef {
    @Override
    public void send(Record message) {
        requireHeld(protocol, message);
        peer.send(this, copy().copy(protocol, message), copy().size(protocol, message));
    }

    @Override
    public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
        requireHeld(protocol, message);
        return peer.ask(this, copy().copy(protocol, message), copy().size(protocol, message), answer, timeout);
    }

    static void requireHeld(Protocol protocol, Record message) {
        if (!protocol.holds(message.getClass())) {
            throw new IllegalArgumentException(
                    protocol + ": " + message.getClass().getSimpleName() + " (expected: one of its records)");
        }
    }

    private MessageTransform copy() {
        return peer.scope().env().network().copy();
    }

    @Override
    public String toString() {
        return "endpoint " + name + " at " + peer.remote();
    }
}
