package dev.hearth.engine.internal.dataset;

import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.util.concurrent.Executor;

/** Services that the datasets of one context share. Thread-safe. */
public interface DatasetContext {
    HearthContext context();

    UserObjectSerializer objects();

    int nextDataset();

    int nextShuffle();

    /** Removes the files of a shuffle once {@code dataset}, which reads it, is unreachable. */
    void watch(Object dataset, int shuffle);

    /** Persistence of datasets. */
    PersistenceManager keeper();

    /** The persisted datasets. */
    PersistedDatasets persisted();

    /** Fails if called inside a task, where datasets cannot be used. */
    void refuseTasks(String operation);

    /** Runs a job and waits for it on the calling thread. */
    <R> R run(Action<R> action);

    /** Submits a job. Requested checkpoints are written before the future completes. */
    <R> JobFuture<R> start(Action<R> action);

    /**
     * An executor that runs a task at once, on the thread that submits it. The task sees the job properties of the
     * thread that called this method.
     */
    Executor asCaller();
}
