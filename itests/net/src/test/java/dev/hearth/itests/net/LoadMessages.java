package dev.hearth.itests.net;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** The load of the test: numbered one-way messages and numbered requests. */
final class LoadMessages {
    static final Protocol PROTOCOL = Protocol.named("load", MethodHandles.lookup())
            .message(1, Count.class)
            .message(2, Ask.class)
            .message(3, Answer.class)
            .build();

    private LoadMessages() {}

    record Count(long number) {}

    record Ask(long number) {}

    record Answer(long number) {}
}
