package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** Messages from the master to a submitter that watches its driver. */
public final class SubmitterProtocol {
    public static final Protocol PROTOCOL = Protocol.named("submitter", MethodHandles.lookup())
            .message(1, DriverChanged.class)
            .build();

    private SubmitterProtocol() {}

    public record DriverChanged(DriverStatus status) {}
}
