package dev.hearth.testkit.rpc;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Defines the protocol and the messages that the contract tests of message systems exchange. */
final class ContractMessages {
    static final Protocol PROTOCOL = Protocol.named("contract", MethodHandles.lookup())
            .message(1, Count.class)
            .message(2, Ask.class)
            .message(3, AskLater.class)
            .message(4, AskRefused.class)
            .message(5, AskRefusedLater.class)
            .message(6, AskInVain.class)
            .message(7, AskBack.class)
            .message(8, Answer.class)
            .message(9, Everything.class)
            .build();

    /** Protocol with the name of {@link #PROTOCOL} but other records, for tests in which the protocols do not match. */
    static final Protocol OTHER = Protocol.named("contract", MethodHandles.lookup())
            .message(100, Foreign.class)
            .build();

    private ContractMessages() {}

    record Count(int value) {}

    record Ask(int value) {}

    record AskLater(int value) {}

    record AskRefused() {}

    record AskRefusedLater() {}

    record AskInVain() {}

    /**
     * Message whose receiver sends a question to the endpoint {@code endpoint} of the sender, and passes the answer of
     * that endpoint back.
     */
    record AskBack(String endpoint, int value) {}

    record Answer(int value) {}

    record Foreign(int value) {}

    enum Colour {
        RED,
        GREEN
    }

    record Nested(String name, Optional<Integer> size) {}

    /** Message with components of every type that a protocol supports. */
    record Everything(
            boolean flag,
            int whole,
            long large,
            double real,
            String text,
            Bytes bytes,
            Colour colour,
            Nested nested,
            Duration time,
            List<Nested> list,
            Optional<String> present,
            Optional<String> absent,
            Map<String, List<Long>> map,
            byte tiny,
            short small,
            float single,
            char letter,
            Map<Character, Optional<Short>> boxes) {
        static Everything sample() {
            return new Everything(
                    true,
                    -1,
                    Long.MIN_VALUE,
                    Math.PI,
                    "grüße \uD83D\uDD25",
                    Bytes.owning(new byte[] {0, 1, -1}),
                    Colour.GREEN,
                    new Nested("nested", Optional.of(7)),
                    Duration.ofSeconds(-3, 5),
                    List.of(new Nested("", Optional.empty()), new Nested("b", Optional.of(Integer.MAX_VALUE))),
                    Optional.of("here"),
                    Optional.empty(),
                    Map.of("key", List.of(1L, Long.MAX_VALUE)),
                    Byte.MIN_VALUE,
                    Short.MAX_VALUE,
                    Float.NaN,
                    '\uD83D',
                    Map.of(Character.MAX_VALUE, Optional.of(Short.MIN_VALUE)));
        }
    }
}
