package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ExecutorId;
import org.osgi.annotation.versioning.ProviderType;

/** Receives executor events from a scheduler backend. Implemented by the engine; called on the application's loop. */
@ProviderType
public interface ExecutorListener {
    /** The cluster has begun to start an executor. It will either register with the driver or be reported lost. */
    void started(ExecutorId executor, String host, int cores);

    /**
     * The cluster will take the executor away soon. The executor gets no new tasks and ends after its running tasks.
     */
    void leaving(ExecutorId executor, String reason);

    /** The executor is gone for good, whether or not it ever registered. */
    void lost(ExecutorId executor, LostExecutor why);

    /** The cluster supplies no more executors and the existing ones are unreliable. Fails the application. */
    void clusterLost(HearthException why);
}
