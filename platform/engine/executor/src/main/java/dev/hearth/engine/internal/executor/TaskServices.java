package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.spi.error.ExitCode;

/**
 * What an executor lends to its tasks. In the driver's process, as {@code inDriver} says, values which cannot change are handed
 * over as they are; elsewhere everything becomes bytes.
 */
public record TaskServices(
        UserObjectSerializer objects,
        boolean inDriver,
        DriverCalls driver,
        ResultWriter results,
        BroadcastValues broadcasts,
        DataPlane data,
        AttachedFiles attached,
        TaskClocks clocks,
        ReaperSettings reaper,
        FatalErrorHandler fatality) {

    /** Makes of a result what travels. */
    @FunctionalInterface
    public interface ResultWriter {
        /** On the task's thread. */
        TaskResult write(long task, Object value, String subject);
    }

    /** Hears that the process can hardly go on. Called by any thread, at most a few times. */
    @FunctionalInterface
    public interface FatalErrorHandler {
        /** Where the process belongs to the application: it goes on as well as it can. */
        FatalErrorHandler SURVIVE = (code, reason) -> {};

        void report(ExitCode code, String reason);
    }
}
