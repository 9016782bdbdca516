package dev.hearth.engine.internal.dataset;

import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.util.concurrent.Executor;

/** Services of a context for its datasets. Any thread may call. */
public interface DatasetContext {
    HearthContext context();

    UserObjectSerializer objects();

    int nextDataset();

    int nextShuffle();

    /** Removes a shuffle once {@code dataset} is unreachable. */
    void watch(Object dataset, int shuffle);

    /** Persistence of datasets. */
    PersistenceManager keeper();

    /** The persisted datasets. */
    PersistedDatasets persisted();

    /** Fails if called inside a task, where datasets cannot be used. */
    void refuseTasks(String operation);

    /** Runs a job and waits for it on the calling thread. */
    <R> R run(Action<R> action);

    /** Submits a job. Checkpoints that are due are written before the future completes. */
    <R> JobFuture<R> start(Action<R> action);

    /**
     * An executor that runs on the thread that calls it, with the job properties of the thread that calls this method.
     */
    Executor asCaller();
}
