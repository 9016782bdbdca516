package dev.hearth.spi.shuffle;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Messages from a driver to the shuffle services of its application, in the scope of that application. A service keeps
 * the outputs while the driver is connected.
 */
public final class ShuffleServiceProtocol {
    /** Name of the endpoint of a service. */
    public static final String ENDPOINT = "shuffle-service";

    public static final Protocol PROTOCOL = Protocol.named("shuffle-service", MethodHandles.lookup())
            .message(1, Attach.class)
            .message(2, Attached.class)
            .message(3, DropShuffles.class)
            .message(4, EndApplication.class)
            .build();

    private ShuffleServiceProtocol() {}

    /** Attaches the driver of the application to the service. The outputs stay at least as long as this connection. */
    public record Attach() {}

    /** Answer to {@link Attach}: the id that stands for the service. A service that has replaced another has its own. */
    public record Attached(String holder) {}

    /** Removes all outputs of shuffles that no dataset of the application needs any more. */
    public record DropShuffles(List<Integer> shuffles) {}

    /** Removes everything of the application, which has ended. */
    public record EndApplication() {}
}
