package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.task.TaskValue;
import dev.hearth.spi.error.ExitCode;

/**
 * What an executor lends to its tasks. In the driver's process, as {@code inDriver} says, values which cannot change are handed
 * over as they are; elsewhere everything becomes bytes.
 */
public record TaskServices(
        UserObjects objects,
        boolean inDriver,
        DriverCalls driver,
        ResultWriter results,
        BroadcastValues broadcasts,
        DataPlane data,
        AttachedFiles attached,
        TaskClocks clocks,
        ReaperSettings reaper,
        Fatality fatality) {

    /** Makes of a result what travels. */
    @FunctionalInterface
    public interface ResultWriter {
        /** On the task's thread. */
        TaskValue write(long task, Object value, String subject);
    }

    /** Hears that the process can hardly go on. Called by any thread, at most a few times. */
    @FunctionalInterface
    public interface Fatality {
        /** Where the process belongs to the application: it goes on as well as it can. */
        Fatality SURVIVE = (code, reason) -> {};

        void report(ExitCode code, String reason);
    }
}
