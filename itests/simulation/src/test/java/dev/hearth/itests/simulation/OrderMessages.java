package dev.hearth.itests.simulation;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** What buyers and the shop say to each other. */
final class OrderMessages {
    static final Protocol PROTOCOL = Protocol.named("orders", MethodHandles.lookup())
            .message(1, Order.class)
            .message(2, Delivered.class)
            .message(3, Remark.class)
            .build();

    private OrderMessages() {}

    /** To be carried out once, however often it is asked for; {@code id} is the same in every repetition. */
    record Order(String id, String buyer) {}

    record Delivered(String id, String buyer) {}

    /** Said in passing; {@code number} counts what one buyer says to one shop. */
    record Remark(String buyer, long number) {}
}
