package dev.hearth.testkit;

import dev.hearth.spi.rpc.Protocol;

/** What a message becomes on its way from one simulated process to another, for example its bytes and back. */
@FunctionalInterface
public interface MessageTransform {
    /** Hands over the very same record, which is right as long as records hold nothing that changes. */
    MessageTransform IDENTITY = (protocol, message) -> message;

    Record copy(Protocol protocol, Record message);

    /** How many bytes a message is on the wire; 0 when that is not known, and then none is too large. */
    default int size(Protocol protocol, Record message) {
        return 0;
    }
}
