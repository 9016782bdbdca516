package dev.hearth.spi.cluster;

import dev.hearth.spi.id.ExecutorId;
import org.osgi.annotation.versioning.ProviderType;

/** Starts executors inside the driver's process; the engine implements it, local masters use it. */
@ProviderType
public interface ExecutorHost {
    /** Starts an executor that runs up to {@code cores} tasks at once; it registers with the driver by itself. */
    RunningExecutor start(ExecutorId executor, int cores);

    /** An executor in this process. */
    interface RunningExecutor {
        /** Ends the executor; tasks under way are interrupted and their results dropped. */
        void stop();
    }
}
