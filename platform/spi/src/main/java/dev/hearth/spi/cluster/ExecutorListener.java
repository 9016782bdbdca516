package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ExecutorId;
import org.osgi.annotation.versioning.ProviderType;

/** Hears from a scheduler backend what becomes of an application's executors. Called on the application's loop. */
@ProviderType
public interface ExecutorListener {
    /** The cluster has begun to start an executor; it will register by itself, or be lost. */
    void started(ExecutorId executor, String host, int cores);

    /** An executor will be taken away soon: it is given nothing more, and gone once what it does has ended. */
    void leaving(ExecutorId executor, String reason);

    /** An executor is gone for good, whether it ever registered or not. */
    void lost(ExecutorId executor, LostExecutor why);

    /** No executors will come any more and none that are there can be relied on: the application fails with this. */
    void clusterLost(HearthException why);
}
