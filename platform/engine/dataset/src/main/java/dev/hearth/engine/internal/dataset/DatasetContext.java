package dev.hearth.engine.internal.dataset;

import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import dev.hearth.spi.storage.ApplicationStores;
import java.util.concurrent.Executor;

/**
 * Services of an application's context that all its datasets use, such as new ids, persistence and the running of jobs.
 * Thread-safe.
 */
public interface DatasetContext {
    HearthContext context();

    UserObjectSerializer objects();

    /** Stores of the files that the application reads and writes on this thread. */
    ApplicationStores stores();

    int nextDataset();

    int nextShuffle();

    /**
     * Watches the object {@code dataset}, which reads the shuffle with the id {@code shuffle}. Once the garbage
     * collector has found the object unreachable, the shuffle's map outputs are removed.
     */
    void watch(Object dataset, int shuffle);

    /** Persistence of datasets. */
    PersistenceManager keeper();

    /** The resource profiles of the application. */
    ProfileRegistry profiles();

    /** The persisted datasets. */
    PersistedDatasets persisted();

    /**
     * Fails if called inside a task, where datasets cannot be used. {@code operation} names the refused call in the
     * error.
     */
    void refuseTasks(String operation);

    /** Runs {@code action} as a job, waits for the job on the calling thread and returns the result. */
    <R> R run(Action<R> action);

    /**
     * Submits {@code action} as a job and returns its future at once. Checkpoints that the user has requested are
     * written before the future completes.
     */
    <R> JobFuture<R> start(Action<R> action);

    /**
     * An {@link Executor} that runs a given action at once, on the thread that submits it. The action sees the local
     * properties of the thread that called this method.
     */
    Executor asCaller();
}
