package dev.hearth.testkit;

import dev.hearth.spi.rpc.Protocol;

/**
 * Transformation of a message between two simulated processes, for example encoding and decoding it, so that
 * simulations test the codec.
 */
@FunctionalInterface
public interface MessageTransform {
    /** Transformation that passes on the same record, which is correct for immutable records. */
    MessageTransform IDENTITY = (protocol, message) -> message;

    Record copy(Protocol protocol, Record message);

    /** Encoded size of {@code message} in bytes; 0 if unknown, in which case the message never counts as too large. */
    default int size(Protocol protocol, Record message) {
        return 0;
    }
}
