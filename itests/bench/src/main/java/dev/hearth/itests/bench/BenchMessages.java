package dev.hearth.itests.bench;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** The messages of the programs. */
final class BenchMessages {
    static final Protocol PROTOCOL = Protocol.named("bench", MethodHandles.lookup())
            .message(1, Letter.class)
            .message(2, Received.class)
            .message(3, Count.class)
            .build();

    /** Payload that every engine of the bench sends: 64 characters. */
    static final String BODY = "x".repeat(64);

    private BenchMessages() {}

    /** Sent, or asked and then answered with itself. */
    record Letter(long id, String body) {}

    /** Asks how many letters were sent; sent after them. */
    record Received() {}

    /** The answer to {@link Received}, which begins at 0 again. */
    record Count(long letters) {}
}
