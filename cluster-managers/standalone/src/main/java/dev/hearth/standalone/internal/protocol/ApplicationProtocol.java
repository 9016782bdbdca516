package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.OptionalInt;

/** What a master tells an application, over the connection that its driver opened. */
public final class ApplicationProtocol {
    public static final Protocol PROTOCOL = Protocol.named("application", MethodHandles.lookup())
            .message(1, ExecutorGranted.class)
            .message(2, ExecutorGone.class)
            .message(3, ApplicationRemoved.class)
            .build();

    private ApplicationProtocol() {}

    public record ExecutorGranted(ExecutorId executor, String worker, String host, int cores) {}

    public record ExecutorGone(
            ExecutorId executor, Cause cause, String reason, OptionalInt exitStatus, List<String> logs) {}

    /** The master will do nothing more for this application. */
    public record ApplicationRemoved(String reason) {}
}
