package dev.hearth.itests.simulation;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** The messages between buyers and a shop. */
final class OrderMessages {
    static final Protocol PROTOCOL = Protocol.named("orders", MethodHandles.lookup())
            .message(1, Order.class)
            .message(2, Delivered.class)
            .message(3, Remark.class)
            .build();

    private OrderMessages() {}

    /** A request to be carried out exactly once; {@code id} is the same in every retry. */
    record Order(String id, String buyer) {}

    record Delivered(String id, String buyer) {}

    /** A one-way message; {@code number} counts the remarks of one buyer to one shop. */
    record Remark(String buyer, long number) {}
}
