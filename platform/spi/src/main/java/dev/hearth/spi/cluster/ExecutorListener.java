package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ExecutorId;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives executor events from a scheduler backend. Implemented by the module engine. Called on the application's
 * event loop.
 */
@ProviderType
public interface ExecutorListener {
    /**
     * The cluster has begun to start an executor. The executor will either register with the driver or be reported as
     * lost.
     */
    void started(ExecutorId executor, String host, int cores);

    /**
     * The cluster will take the executor away soon. The executor gets no new tasks and ends after its running tasks.
     */
    void leaving(ExecutorId executor, String reason);

    /** The executor has ended or is unusable and will not return, whether or not it ever registered. */
    void lost(ExecutorId executor, LostExecutor why);

    /**
     * The cluster supplies no more executors and the existing ones are unreliable. The driver then fails the
     * application.
     */
    void clusterLost(HearthException why);
}
