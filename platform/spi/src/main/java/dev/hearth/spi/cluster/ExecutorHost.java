package dev.hearth.spi.cluster;

import dev.hearth.spi.id.ExecutorId;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Starts executors inside the driver's process. Implemented by the module engine, and used for masters such as
 * {@code local[2]}.
 */
@ProviderType
public interface ExecutorHost {
    /**
     * Starts an executor that runs up to {@code cores} tasks concurrently. The executor registers itself with the
     * driver.
     */
    RunningExecutor start(ExecutorId executor, int cores);

    /** Handle of an executor that runs inside the driver process, to stop it. */
    interface RunningExecutor {
        /** Stops the executor: interrupts running tasks and discards their results. */
        void stop();
    }
}
