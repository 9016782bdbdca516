package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Messages from the master to the driver of an application, over the connection that the driver opened. */
public final class ApplicationProtocol {
    public static final Protocol PROTOCOL = Protocol.named("application", MethodHandles.lookup())
            .message(1, ExecutorGranted.class)
            .message(2, ExecutorGone.class)
            .message(3, ApplicationRemoved.class)
            .message(4, ExecutorsUnplaceable.class)
            .message(20, ExecutorLeaves.class)
            .build();

    private ApplicationProtocol() {}

    /**
     * Reports that a worker starts an executor. {@code directory} is the path on the worker's machine that receives the
     * executor's output; empty if it is not known. {@code profile} is 0, the default one, from older masters. {@code
     * pages} is where the worker serves that output; empty from older masters and workers.
     */
    public record ExecutorGranted(
            ExecutorId executor, String worker, String host, int cores, String directory, int profile, String pages) {}

    public record ExecutorGone(
            ExecutorId executor, Cause cause, String reason, OptionalInt exitStatus, List<String> logs) {}

    /**
     * Reports that the worker of an executor is being decommissioned. The driver releases the executor when its tasks have
     * ended and its data is elsewhere; the worker ends it after {@code withinMillis}, if that is given.
     */
    public record ExecutorLeaves(ExecutorId executor, String reason, OptionalLong withinMillis) {}

    /**
     * Reports why an application has no executors. {@code reason} says why no worker could hold one, even while nothing
     * else runs on it; it is empty if a worker can. {@code hindrance} then says why none has room at present; it is empty
     * if the application gets executors, and from older masters.
     */
    public record ExecutorsUnplaceable(String reason, String hindrance) {}

    /**
     * Reports that the master has removed the application and grants it no more executors. {@code killed} says that a
     * user has killed it; older masters do not send it.
     */
    public record ApplicationRemoved(String reason, boolean killed) {}
}
