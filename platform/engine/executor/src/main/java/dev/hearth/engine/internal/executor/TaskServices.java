package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.shuffle.ShuffleReader;
import dev.hearth.spi.error.ExitCode;
import java.util.Optional;

/**
 * Services of an executor for its tasks. In the driver's process ({@code inDriver}) immutable values are passed as
 * objects; in other processes all values are serialised. Immutable.
 */
public record TaskServices(
        UserObjectSerializer objects,
        boolean inDriver,
        DriverCalls driver,
        ResultWriter results,
        BroadcastValues broadcasts,
        DataPlane data,
        Optional<RemoteReads> remote,
        AttachedFiles attached,
        TaskClocks clocks,
        ReaperSettings reaper,
        FatalErrorHandler fatality,
        int cpusPerTask) {

    /**
     * Returns the reader of map outputs. It fetches from all executors, or reads only those of this process if there
     * are no other executors.
     */
    ShuffleReader shuffleInputs() {
        return remote.map(RemoteReads::shuffles).orElseGet(data::inputs);
    }

    /** Serialises task results. */
    @FunctionalInterface
    public interface ResultWriter {
        /**
         * Serialises {@code value}, the result of the task {@code task}; {@code subject} begins error messages. Called
         * on the task's thread.
         */
        TaskResult write(long task, Object value, String subject);
    }

    /** Handler of fatal errors on the threads of an executor, such as exhausted memory. Any thread may call it. */
    @FunctionalInterface
    public interface FatalErrorHandler {
        /**
         * Handler that ignores the error, so that the process continues. Used in the driver's process, which the
         * application and not Hearth controls.
         */
        FatalErrorHandler SURVIVE = (code, reason) -> {};

        void report(ExitCode code, String reason);
    }
}
