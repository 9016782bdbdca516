package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.spi.rpc.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** What a driver tells an executor, over the connection that the executor opened. */
public final class ExecutorProtocol {
    /** The endpoint every executor has. */
    public static final String ENDPOINT = "executor";

    public static final Protocol PROTOCOL = Protocol.named("executor", MethodHandles.lookup())
            .message(1, Define.class)
            .message(2, Launch.class)
            .message(3, Forget.class)
            .message(4, Kill.class)
            .message(5, Stop.class)
            .build();

    private ExecutorProtocol() {}

    /** What the tasks of a stage share; comes once, before the first launch that names it. */
    public record Define(TemplateId template, StageTemplate body) {}

    /** Tasks to run now, all of one template. */
    public record Launch(TemplateId template, List<TaskLaunch> tasks) {}

    /** One attempt at one partition; {@code input} is the partition itself when it came from the driver. */
    public record TaskLaunch(long task, int partition, int attempt, Bytes input) {}

    /** No task will name this template any more. */
    public record Forget(TemplateId template) {}

    /** Interrupts a task; it still reports how it ended. */
    public record Kill(long task) {}

    /** Ends the executor. */
    public record Stop(String reason) {}
}
